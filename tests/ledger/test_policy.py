"""The policy file in full (C2SP tlog-policy): both kinds of keys, opaque octets, whitespace, keys that stand twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError, Malformed
from ledger.keys import COSIGNATURE, MLDSA44, SigningKey
from ledger.policy import Group, LogKey, Policy, Witness, parse_policy

LOG = SigningKey("log.example", bytes(range(32)))
LOG_PQ = SigningKey("log.example", bytes(range(1, 33)), MLDSA44)
W = [SigningKey(f"w{number}.example", bytes([number]) * 32, COSIGNATURE) for number in range(1, 6)]
W_PQ = SigningKey("w9.example", bytes([9]) * 32, MLDSA44)


def text(*rows: str) -> bytes:
    return "".join(row + "\n" for row in (f"log {LOG.verifier.format()}", *rows)).encode()


def test_the_example_of_the_specification() -> None:
    """Two of three of one house and one of two of another."""
    names = ["X1", "X2", "X3", "Y1", "Y2"]
    rows = [f"witness {name} {key.verifier.format()}" for name, key in zip(names, W, strict=True)]
    policy = parse_policy(text(*rows, "group X-witnesses 2 X1 X2 X3", "group Y-witnesses any Y1 Y2",
                               "group X-and-Y all X-witnesses Y-witnesses", "quorum X-and-Y"))  # fmt: skip
    for holding, met in (
        ({"X1", "X2", "Y1"}, True),
        ({"X1", "X3", "Y2"}, True),
        ({"X1", "Y1", "Y2"}, False),
        ({"X1", "X2", "X3"}, False),
        (set(names), True),
        (set(), False),
    ):
        assert policy.met(holding) is met


def test_both_kinds_of_keys_for_logs_and_witnesses() -> None:
    policy = Policy(
        (LogKey(LOG.verifier, "https://log.example"), LogKey(LOG_PQ.verifier)),
        (Witness("a", W[0].verifier, "https://w"), Witness("b", W_PQ.verifier)),
        (Group("g", "all", ("a", "b")),),
        "g",
    )
    assert parse_policy(policy.format()) == policy
    assert policy.origins() == ("log.example",)
    for word, key in (("log", W[0]), ("witness x", LOG)):
        with pytest.raises(Malformed, match="a key of type"):
            parse_policy(text(f"{word} {key.verifier.format()}", "quorum none"))


def test_whitespace_is_spaces_and_tabs_only() -> None:
    spaced = text().replace(b" ", b" \t ") + b"\t # a comment\n \t\n  quorum\tnone \t\n"
    assert parse_policy(spaced) == parse_policy(text("quorum none"))
    for odd in ("\r", "\x0b", "\x0c", "\x00", "\x7f"):
        with pytest.raises(Malformed, match="control"):
            parse_policy(text(f"quorum none{odd}"))
    with pytest.raises(Malformed):
        parse_policy(text("quorum\u00a0none"))  # no whitespace here: an octet above 0x7f


def test_octets_above_0x7f_are_opaque_in_names_and_comments() -> None:
    for name in ("证人", "a\u00a0b", "#x", "\u212a"):
        data = text(f"witness {name} {W[0].verifier.format()}", f"quorum {name}")
        policy = parse_policy(data)
        assert policy.quorum == name
        assert policy.format() == data
    raw = b"\xff\xfe"
    data = text("# ").replace(b"# ", b"# " + raw) + b"witness " + raw + f" {W[0].verifier.format()}\n".encode()
    policy = parse_policy(data + b"quorum " + raw + b"\n")
    assert policy.format() == text() + data[len(text()) + 5 :] + b"quorum " + raw + b"\n"
    with pytest.raises(Malformed):
        parse_policy(data + b"quorum \xff\xfd\n")
    with pytest.raises(Malformed):  # K and the Kelvin sign are two names
        parse_policy(text(f"witness K {W[0].verifier.format()}", "quorum \u212a"))


def test_one_key_never_stands_for_two() -> None:
    renamed = SigningKey("other.example", LOG.seed)
    with pytest.raises(Malformed, match="two log lines never share a key"):
        parse_policy(text(f"log {renamed.verifier.format()}", "quorum none"))
    twice = SigningKey("twin.example", W[0].seed, COSIGNATURE)
    with pytest.raises(Malformed, match="two cosigners never share a key"):
        parse_policy(text(f"witness a {W[0].verifier.format()}", f"witness b {twice.verifier.format()}", "quorum none"))


@pytest.mark.parametrize("rule", ["0", "3", "-1", "1_0", "01", "+1", "all2", "１", "most", "1.0"])
def test_what_is_no_count(rule: str) -> None:
    rows = [f"witness {name} {key.verifier.format()}" for name, key in (("a", W[0]), ("b", W[1]))]
    with pytest.raises(Malformed):
        parse_policy(text(*rows, f"group g {rule} a b", "quorum g"))


@given(st.binary(max_size=80), st.integers(0, 400))
def test_what_is_read_is_written_again_to_the_same_meaning(noise: bytes, place: int) -> None:
    data = text(f"witness a {W[0].verifier.format()}", "group g any a", "quorum g")
    try:
        policy = parse_policy(data[:place] + noise + data[place:])
    except LedgerError:
        return
    assert parse_policy(policy.format()) == policy
