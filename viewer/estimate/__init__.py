"""From counts to numbers with a probability: statistics, p-values, corrections, power, e-values.

The only place with floats beside the reports. Nothing here counts, and nothing here decides what a finding is called.
"""
