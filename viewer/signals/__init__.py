"""`paipu signals`: what a log shows of play between accounts, as ranked evidence, never a verdict (fairness.md 7)."""
