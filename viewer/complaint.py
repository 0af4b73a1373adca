"""What the command line says of bad input: one line on standard error, whatever the text holds."""

import sys

LONGEST = 1000


def complain(text: str) -> None:
    """Write one line: white space folded, at most LONGEST characters, what no encoding holds escaped."""
    line = " ".join(text.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - 1]}…"
    sys.stderr.write(f"paipu: {line}\n".encode(errors="backslashreplace").decode())
    sys.stderr.flush()
