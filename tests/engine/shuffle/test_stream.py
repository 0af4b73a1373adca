import hmac
from collections.abc import Iterator
from itertools import chain, count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.shuffle import Stream, hmac_words, limit, permute, wide_words
from engine.shuffle.stream import WORDS, hmac_bytes, keyed_hmac, shuffle

WORD = st.one_of(st.integers(0, WORDS - 1), st.integers(WORDS - 200, WORDS - 1))


def blocks(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "big") for word in words)


@pytest.mark.parametrize("k", [1, 2, 6, 54, 128, 136, 144, 1 << 31, (1 << 31) + 1, WORDS])
def test_limit_is_the_largest_multiple(k: int) -> None:
    assert limit(k) % k == 0
    assert WORDS - k < limit(k) <= WORDS


@pytest.mark.parametrize("k", [0, -1, WORDS + 1])
def test_limit_refuses_what_a_word_cannot_hold(k: int) -> None:
    with pytest.raises(ValueError, match=r"2\^32"):
        limit(k)


@given(st.integers(1, 1000), st.lists(WORD, max_size=20))
def test_below_takes_the_first_word_under_the_limit(k: int, words: list[int]) -> None:
    stream = Stream(iter(words))
    good = [word for word in words if word < limit(k)]
    if good:
        assert stream.below(k) == good[0] % k
        assert stream.words == words.index(good[0]) + 1
        assert stream.rejects == stream.words - 1
    else:
        with pytest.raises(ValueError, match="ran out"):
            stream.below(k)


def test_words_at_the_limit_are_rejected_and_one_below_is_not() -> None:
    for k in (6, 136, 144):
        assert Stream(iter([limit(k) - 1])).below(k) == k - 1
        stream = Stream(iter([limit(k), WORDS - 1, 5]))
        assert (stream.below(k), stream.words, stream.rejects) == (5, 3, 2)


@given(st.binary(max_size=64), st.binary(max_size=200))
def test_keyed_hmac_is_the_standard_librarys(key: bytes, message: bytes) -> None:
    assert keyed_hmac(key)(message) == hmac.digest(key, message, "sha256")


@pytest.mark.parametrize("length", [0, 1, 32, 33, 572, 2304, 4096, 4097, 9999])
def test_bytes_and_words_are_one_stream(length: int) -> None:
    key = bytes(range(32))
    plain = b"".join(hmac.digest(key, j.to_bytes(8, "big"), "sha256") for j in range(length // 32 + 1))
    assert hmac_bytes(key, length) == plain[:length]
    assert blocks(list(islice(hmac_words(key), length // 4))) == plain[: length // 4 * 4]


def test_wide_words_go_on_past_their_first_run() -> None:
    from hashlib import shake_256

    assert blocks(list(islice(wide_words(b"prefix"), 3000))) == shake_256(b"prefix").digest(12000)


@given(st.integers(0, 200), st.binary(min_size=32, max_size=32))
def test_shuffle_is_a_permutation_and_equals_the_definition(n: int, key: bytes) -> None:
    order, words, rejects = shuffle(n, hmac_bytes(key, 4 * max(n - 1, 0)), lambda: hmac_words(key))
    assert sorted(order) == list(range(n))
    stream = Stream(hmac_words(key))
    assert permute(stream, n) == order
    assert (stream.words, stream.rejects) == (words, rejects)


@given(st.integers(2, 60), st.lists(WORD, min_size=60, max_size=80))
def test_shuffle_equals_the_definition_near_the_limit(n: int, run: list[int]) -> None:
    def words() -> Iterator[int]:
        return chain(run, count())

    order, taken, rejects = shuffle(n, blocks(run), words)
    stream = Stream(words())
    assert (permute(stream, n), stream.words, stream.rejects) == (order, taken, rejects)


def test_descending_by_hand() -> None:
    # n = 4: i = 3, 2, 1 with j = below(4), below(3), below(2)
    assert permute(Stream(iter([0, 0, 0])), 4) == (1, 2, 3, 0)
    assert permute(Stream(iter([3, 2, 1])), 4) == (0, 1, 2, 3)
    assert permute(Stream(iter([])), 1) == (0,)


def test_every_order_of_four_occurs_equally_often() -> None:
    runs = [(a, b, c) for a in range(4) for b in range(3) for c in range(2)]
    assert len({permute(Stream(iter(run)), 4) for run in runs}) == 24
