"""The Mersenne Twister MT19937, written out: the generator behind a published Tenhou seed (fairness.md 6).

Source: Matsumoto and Nishimura, mt19937ar (2002). Not for our own deals: whoever sees 624 outputs knows all others.
"""

from collections.abc import Sequence

SIZE = 624
_SHIFT = 397
_MATRIX = 0x9908B0DF
_UPPER = 0x80000000
_LOWER = 0x7FFFFFFF
_WORD = 0xFFFFFFFF


class MT19937:
    """The generator's state: 624 words and a position."""

    def __init__(self, state: Sequence[int]) -> None:
        self._state = list(state)
        self._next = SIZE

    @classmethod
    def from_seed(cls, seed: int) -> "MT19937":
        """Return the generator of one 32-bit word (`init_genrand`)."""
        return cls(_spread(seed))

    @classmethod
    def from_key(cls, key: Sequence[int]) -> "MT19937":
        """Return the generator of a key of 32-bit words (`init_by_array`); the key may not be empty."""
        state = _spread(19650218)
        at, used = 1, 0
        for _ in range(max(SIZE, len(key))):
            last = state[at - 1]
            state[at] = ((state[at] ^ ((last ^ (last >> 30)) * 1664525)) + key[used] + used) & _WORD
            at, used = at + 1, used + 1
            if at >= SIZE:
                state[0] = state[SIZE - 1]
                at = 1
            if used >= len(key):
                used = 0
        for _ in range(SIZE - 1):
            last = state[at - 1]
            state[at] = ((state[at] ^ ((last ^ (last >> 30)) * 1566083941)) - at) & _WORD
            at += 1
            if at >= SIZE:
                state[0] = state[SIZE - 1]
                at = 1
        state[0] = _UPPER
        return cls(state)

    def word(self) -> int:
        """Return the next 32-bit word (`genrand_int32`)."""
        if self._next >= SIZE:
            self._twist()
        value = self._state[self._next]
        self._next += 1
        value ^= value >> 11
        value ^= (value << 7) & 0x9D2C5680
        value ^= (value << 15) & 0xEFC60000
        return value ^ (value >> 18)

    def _twist(self) -> None:
        state = self._state
        for index in range(SIZE):
            both = (state[index] & _UPPER) | (state[(index + 1) % SIZE] & _LOWER)
            state[index] = state[(index + _SHIFT) % SIZE] ^ (both >> 1) ^ (_MATRIX if both & 1 else 0)
        self._next = 0


def _spread(seed: int) -> list[int]:
    state = [seed & _WORD]
    for index in range(1, SIZE):
        last = state[-1]
        state.append((1812433253 * (last ^ (last >> 30)) + index) & _WORD)
    return state
