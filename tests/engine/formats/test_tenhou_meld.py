"""The meld word: every one of the 65,536 is either a meld that has this word alone, or refused."""

from collections import Counter
from math import comb

import pytest

from engine.formats.tenhou_meld import decode, encode


def test_every_word_is_a_meld_or_refused() -> None:
    kinds: Counter[str] = Counter()
    for word in range(1 << 16):
        for seat in (0, 3):
            try:
                act = decode(word, seat)
            except ValueError:
                continue
            assert encode(act) == word
            kinds[act.kind] += seat == 0
            assert list(act.tiles) == sorted(set(act.tiles))
            assert all(0 <= tile < 136 for tile in act.tiles)
    # chows: 21 runs, 3 places, 4^3 copies, 4 senders (not all possible at the table); pungs: 34 kinds, 4 left out, 3
    # claimed; kongs by tile
    assert kinds["chow"] == 21 * 3 * 4**3 * 4
    assert kinds["pung"] == 34 * comb(4, 3) * 3 * 4
    assert kinds["added_kong"] == 34 * 4 * 3 * 4
    assert kinds["direct_kong"] == 136 * 3
    assert kinds["concealed_kong"] == 136


@pytest.mark.parametrize("word", [-1, 1 << 16, 0xFFFF, 137 << 8])
def test_words_of_no_meld_are_refused(word: int) -> None:
    with pytest.raises(ValueError, match="no "):
        decode(word, 0)


def test_a_chow_names_its_tiles_and_the_one_claimed() -> None:
    # 4s 5s 6s, copies 1, 0, 3; the middle claimed, from the seat before
    word = ((7 * 2 + 3) * 3 + 1) << 10 | 1 << 3 | 0 << 5 | 3 << 7 | 0x4 | 3
    act = decode(word, 2)
    assert (act.kind, act.seat, act.source) == ("chow", 2, 1)
    assert act.tiles == (4 * 21 + 1, 4 * 22, 4 * 23 + 3)
    assert act.claimed == 4 * 22
