"""Signed append-only log: bytes in, proofs out. Knows no game."""
