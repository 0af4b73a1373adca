"""The banker family: Niuniu 牛牛, where each hand is compared with the banker's (or all with all, 通比)."""
