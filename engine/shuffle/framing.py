"""How fields are laid side by side before they are hashed: integers of fixed width, bytes with their length.

fairness.md 1. Every variable field carries its length, so that no two different lists of fields share their bytes.
"""


def u8(value: int) -> bytes:
    """Encode 0..2^8-1 in one byte; OverflowError beyond."""
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    """Encode 0..2^16-1 in two bytes, big-endian; OverflowError beyond."""
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    """Encode 0..2^32-1 in four bytes, big-endian; OverflowError beyond."""
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    """Encode 0..2^64-1 in eight bytes, big-endian; OverflowError beyond."""
    return value.to_bytes(8, "big")


def lp(data: bytes | str) -> bytes:
    """Prefix bytes, or the UTF-8 of a text, with their length: LP(x) = u32(len x) || x."""
    raw = data.encode() if isinstance(data, str) else data
    return u32(len(raw)) + raw
