"""The migrations: `format_<n>.py` leads from format n-1 to n. They never change once released."""
