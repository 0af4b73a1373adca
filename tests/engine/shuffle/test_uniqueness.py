import pytest

from engine.shuffle import Code, Single, Uniqueness


@pytest.mark.parametrize("kind", list(Single))
def test_the_second_place_of_a_value_is_refused_and_names_the_first(kind: Single) -> None:
    seen = Uniqueness()
    assert seen.add(kind, b"x", "game 1") is None
    assert seen.add(kind, b"y", "game 2") is None
    assert seen.add(kind, b"x", "game 1") is None
    for place in ("game 3", "game 4"):
        refusal = seen.add(kind, b"x", place)
        assert refusal is not None
        assert refusal.code is Code(f"repeated_{kind}")
        assert "game 1" in refusal.found
        assert place in refusal.expected


def test_kinds_do_not_meet() -> None:
    seen = Uniqueness()
    assert all(seen.add(kind, b"x", f"place of {kind}") is None for kind in Single)
