"""Foreign formats: records of other systems read into one model, checked, and written again."""
