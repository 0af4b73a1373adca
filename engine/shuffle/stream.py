"""From a key to numbers: the word streams, exact scaling by rejection, and the shuffle (fairness.md 1.6, 1.7).

`Stream` and `permute` are the plain definition. `shuffle` is the fast path of `permute` on whole runs of words; a test
holds the two equal, rejections included.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256, shake_256
from struct import unpack

WORDS = 1 << 32
_BLOCK = 64  # SHA-256's, in bytes: the length of an HMAC key block (RFC 2104)
_INNER = bytes(value ^ 0x36 for value in range(256))
_OUTER = bytes(value ^ 0x5C for value in range(256))
_COUNTERS = tuple(number.to_bytes(8, "big") for number in range(128))  # 128 blocks: the leaves of the largest deck


def limit(k: int) -> int:
    """Return the first word that `below(k)` rejects: 2^32 - (2^32 mod k); 2^32 itself where none is.

    `k` in 1..2^32, else ValueError.
    """
    if not 1 <= k <= WORDS:
        raise ValueError(f"{k} is not in 1..2^32")
    return WORDS - WORDS % k


def keyed_hmac(key: bytes) -> Callable[[bytes], bytes]:
    """Return HMAC-SHA256 under one key of at most 64 bytes, its two key blocks hashed once and copied."""
    padded = key.ljust(_BLOCK, b"\x00")
    copy_inner = sha256(padded.translate(_INNER)).copy
    copy_outer = sha256(padded.translate(_OUTER)).copy

    def mac(message: bytes) -> bytes:
        inner = copy_inner()
        inner.update(message)
        outer = copy_outer()
        outer.update(inner.digest())
        return outer.digest()

    return mac


def hmac_bytes(key: bytes, length: int) -> bytes:
    """Return the first bytes of a label's stream: blocks HMAC(K, u64(j)) from j = 0 on."""
    count = (length + 31) >> 5
    counters = _COUNTERS[:count] if count <= len(_COUNTERS) else (j.to_bytes(8, "big") for j in range(count))
    return b"".join(map(keyed_hmac(key), counters))[:length]


def hmac_words(key: bytes) -> Iterator[int]:
    """Yield a label's u32 words without end: eight a block, big-endian, in order."""
    mac = keyed_hmac(key)
    block = 0
    while True:
        yield from unpack(">8I", mac(block.to_bytes(8, "big")))
        block += 1


def wide_words(prefix: bytes) -> Iterator[int]:
    """Yield the u32 words of SHAKE256 over a label's prefix without end (fairness.md 1.7)."""
    absorbed = shake_256(prefix)
    start, stop = 0, 256
    while True:
        yield from unpack(f">{stop - start}I", absorbed.digest(4 * stop)[4 * start :])
        start, stop = stop, 2 * stop


class Stream:
    """Numbers from a run of u32 words, with the count of words taken and of those rejected."""

    def __init__(self, words: Iterator[int]) -> None:
        self._words = words
        self.words = 0
        self.rejects = 0

    def below(self, k: int) -> int:
        """Draw a number of 0..k-1, each equally likely: words at or above `limit(k)` are passed over and counted."""
        bound = limit(k)
        for word in self._words:
            self.words += 1
            if word < bound:
                return word % k
            self.rejects += 1
        raise ValueError("the words ran out")


def permute(stream: Stream, n: int) -> tuple[int, ...]:
    """Shuffle 0..n-1 by Fisher-Yates, descending: for i = n-1 … 1 swap i with below(i+1)."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def shuffle(n: int, first: bytes, words: Callable[[], Iterator[int]]) -> tuple[tuple[int, ...], int, int]:
    """Return permutation, words and rejects of 0..n-1 as `permute` would.

    `first`: at least 4(n-1) bytes of the stream; `words`: the same stream from its beginning. Only a word of
    2^32 - n or more can be rejected by any k <= n; one deal of 200,000 holds one, and is done by the plain definition.
    """
    run = unpack(f">{n - 1}I", first[: 4 * (n - 1)]) if n > 1 else ()
    if run and max(run) >= WORDS - n:
        stream = Stream(words())
        return permute(stream, n), stream.words, stream.rejects
    order = list(range(n))
    i = n
    for word in run:
        j = word % i
        i -= 1
        order[i], order[j] = order[j], order[i]
    return tuple(order), len(run), 0
