"""Trick games with point cards, a kitty and trumps: one against three, or two teams with levels (`cards.md`)."""
