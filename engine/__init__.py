"""Rules and replay: events in, states out. Pure: no I/O, no clock, no randomness, no floats."""
