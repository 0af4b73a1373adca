"""Tiles, cards and their notation."""
