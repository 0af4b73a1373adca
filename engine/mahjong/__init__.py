"""The mahjong family: one state machine; rules are data."""
