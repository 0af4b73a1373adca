"""`paipu fairness`: from logs, exported games, mjlog and deck files to the battery's result (fairness.md 4)."""
