"""The commands of `paipu`, one module each."""
