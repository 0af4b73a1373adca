"""Notes, checkpoints and policies: mirrored, strict, every bit of every one of them counts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint, read_checkpoint, sign_checkpoint
from ledger.errors import LedgerError, Malformed, Untrusted
from ledger.keys import COSIGNATURE, ED25519, SigningKey, Verifier, parse_vkey
from ledger.merkle import EMPTY_ROOT, Frontier, leaf
from ledger.note import MAX_LINES, Line, Note, open_note, parse_note, sign_note
from ledger.policy import parse_policy

TESSERA = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
LOG = SigningKey("log.example", bytes(range(32)))
OTHER = SigningKey("log.example", bytes(range(1, 33)))


class Cosigner:
    """A witness key: the same Ed25519, another type byte."""

    def __init__(self, name: str, number: int) -> None:
        self._key = SigningKey(name, bytes([number]) * 32)
        self.verifier = Verifier(name, COSIGNATURE, self._key.verifier.public)

    def sign(self, text: bytes) -> bytes:
        return self._key.sign(text)


W1, W2, W3 = (Cosigner(f"witness.example/{number}", number) for number in (1, 2, 3))
HEAD = Checkpoint("log.example", 3, leaf(b"three"))
NOTE = sign_checkpoint(HEAD, [LOG])


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=40), st.integers(0, 3))
def test_sign_and_open_are_mirrored(body: str, blank: int) -> None:
    text = (body + "\n" * (1 + blank)).encode()
    data = sign_note(text, [LOG, OTHER])
    opened = open_note(data, [LOG.verifier, OTHER.verifier])
    assert opened.note.text == text
    assert [found.verifier for found in opened.signatures] == [LOG.verifier, OTHER.verifier]
    assert parse_note(data).format() == data


def test_every_bit_of_a_signed_checkpoint_counts() -> None:
    for at in range(len(NOTE)):
        for bit in range(8):
            damaged = bytes([*NOTE[:at], NOTE[at] ^ 1 << bit, *NOTE[at + 1 :]])
            with pytest.raises(LedgerError):
                open_checkpoint(damaged, [LOG.verifier])


def test_every_cut_and_every_doubled_byte_counts() -> None:
    for at in range(len(NOTE)):
        for damaged in (NOTE[:at], NOTE[:at] + NOTE[at + 1 :], NOTE[: at + 1] + NOTE[at:]):
            if damaged != NOTE:
                with pytest.raises(LedgerError):
                    open_checkpoint(damaged, [LOG.verifier])


def test_unknown_lines_are_ignored_and_one_known_line_is_needed() -> None:
    data = sign_note(HEAD.format(), [OTHER, LOG, W1], time=5)
    assert len(open_note(data, [LOG.verifier]).signatures) == 1
    with pytest.raises(Untrusted, match="no signature of a known key") as caught:
        open_note(data, [W2.verifier])
    assert (caught.value.code, caught.value.evidence) == ("signature", data)


def test_a_known_line_that_fails_rejects_the_note_beside_a_good_one() -> None:
    note = parse_note(sign_note(HEAD.format(), [LOG, OTHER]))
    bad = Line(OTHER.verifier.name, OTHER.verifier.key_id, bytes(64))
    data = Note(note.text, (note.lines[0], bad)).format()
    with pytest.raises(Untrusted, match="does not hold"):
        open_note(data, [LOG.verifier, OTHER.verifier])
    assert len(open_note(data, [LOG.verifier]).signatures) == 1
    doubled = Note(note.text, (note.lines[0], note.lines[0])).format()
    assert len(open_note(doubled, [LOG.verifier]).signatures) == 1


def test_two_known_keys_with_one_id_end_in_refusal() -> None:
    twin = Verifier(LOG.verifier.name, ED25519, OTHER.verifier.public)
    twin.__dict__["key_id"] = LOG.verifier.key_id
    with pytest.raises(Untrusted, match="two known keys"):
        open_note(NOTE, [LOG.verifier, twin])


def test_a_key_of_one_type_is_not_the_key_of_the_other() -> None:
    as_cosigner = Verifier(LOG.verifier.name, COSIGNATURE, LOG.verifier.public)
    with pytest.raises(Untrusted, match="no signature of a known key"):
        open_note(NOTE, [as_cosigner])
    forged = Note(HEAD.format(), (Line("log.example", as_cosigner.key_id, LOG.sign(HEAD.format())),)).format()
    with pytest.raises(Untrusted, match="does not hold"):
        open_note(forged, [as_cosigner])
    only_cosigned = sign_note(HEAD.format(), [W1], time=9)
    with pytest.raises(Untrusted, match="no key of the log"):
        open_checkpoint(only_cosigned, [LOG.verifier, W1.verifier])


def test_the_same_text_under_another_origin_is_refused() -> None:
    foreign = Checkpoint("other.example", 3, HEAD.root)
    with pytest.raises(Untrusted, match="no key of the log other"):
        open_checkpoint(sign_note(foreign.format(), [LOG]), [LOG.verifier])
    with pytest.raises(Malformed, match="does not sign for"):
        sign_checkpoint(foreign, [LOG])


def test_cosignatures_carry_their_time() -> None:
    data = sign_note(HEAD.format(), [LOG, W1], time=1_796_083_200)
    found = open_note(data, [LOG.verifier, W1.verifier]).signatures
    assert [(each.verifier, each.time) for each in found] == [(LOG.verifier, None), (W1.verifier, 1_796_083_200)]
    line = parse_note(data).lines[1]
    moved = Line(line.name, line.key_id, (5).to_bytes(8) + line.payload[8:])
    with pytest.raises(Untrusted, match="does not hold"):
        open_note(Note(HEAD.format(), (moved,)).format(), [W1.verifier])


def test_a_signer_that_lies_signs_nothing() -> None:
    class Broken:
        verifier = LOG.verifier

        def sign(self, text: bytes) -> bytes:
            return bytes(len(text[:64]))

    with pytest.raises(Untrusted):
        sign_note(HEAD.format(), [Broken()])


def test_at_least_16_lines_and_a_cap() -> None:
    line = Line("x", b"\x00\x00\x00\x01", bytes(64))
    good = parse_note(NOTE).lines
    assert open_note(Note(HEAD.format(), (line,) * 16 + good).format(), [LOG.verifier])
    with pytest.raises(Malformed, match="signature lines"):
        parse_note(Note(HEAD.format(), (line,) * MAX_LINES + good).format())
    with pytest.raises(Malformed, match="bytes, at most"):
        parse_note(b"x" * 300_000)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"text\n",
        b"text\n\n",
        b"\n" + NOTE.split(b"\n\n")[1],
        NOTE[:-1],
        NOTE.replace(b"\n\n", b"\n\r\n"),
        NOTE.replace("— ".encode(), b"- "),
        NOTE.replace(b"log.example ", b"log.example  "),
        NOTE + b"\n",
        NOTE + b"junk\n",
        NOTE.replace(b"log.example\n", b"log\x00example\n"),
        NOTE.replace(b"log.example\n", b"log\xffexample\n"),
        HEAD.format() + "\n— log.example AAAA\n".encode(),
        HEAD.format() + "\n— log+example AAAAAAAAAA==\n".encode(),
        HEAD.format() + "\n— log.example !!!!\n".encode(),
    ],
    ids=range(16),
)
def test_what_is_no_note(data: bytes) -> None:
    with pytest.raises(Malformed):
        parse_note(data)


@given(st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32))
def test_checkpoints_are_mirrored(size: int, root: bytes) -> None:
    checkpoint = Checkpoint("log.example", size, EMPTY_ROOT if size == 0 else root)
    assert parse_checkpoint(checkpoint.format()) == checkpoint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\n3\n", b"\n03\n"),
        (b"\n3\n", b"\n+3\n"),
        (b"\n3\n", b"\n 3\n"),
        (b"\n3\n", b"\n1_0\n"),
        (b"\n3\n", "\n３\n".encode()),
        (b"\n3\n", b"\n-3\n"),
        (b"\n3\n", b"\n\n"),
        (b"\n3\n", b"\n9223372036854775808\n"),
        (b"\n3\n", b"\n" + b"9" * 5000 + b"\n"),
        (b"\n3\n", b"\n0\n"),
        (b"log.example", b""),
        (b"log.example", b"log example"),
        (b"=\n", b"\n"),
        (b"=\n", b"=\nextension\n"),
        (b"=\n", b"=\n\n"),
    ],
)
def test_other_spellings_of_a_checkpoint_are_refused(old: bytes, new: bytes) -> None:
    assert old in HEAD.format()
    with pytest.raises(Malformed):
        parse_checkpoint(HEAD.format().replace(old, new))


def test_a_root_of_another_length_is_refused() -> None:
    with pytest.raises(Malformed, match="31 bytes"):
        Checkpoint("log.example", 1, bytes(31))
    with pytest.raises(Malformed):
        parse_checkpoint(b"log.example\n1\nAAAA\n")
    with pytest.raises(Malformed):
        parse_checkpoint(b"log\xff\n1\nAAAA\n")


def test_public_checkpoints_verify_and_their_bundles_give_the_roots(shared: Path) -> None:
    folder = shared / "vectors/tessera/testdata/log"
    verifier = parse_vkey(TESSERA)
    seen = 0
    for size in range(16):
        checkpoint, opened = open_checkpoint((folder / f"checkpoint.{size}").read_bytes(), [verifier])
        assert checkpoint.size == size
        assert len(opened.signatures) == 1
        tree = Frontier()
        if size:
            bundle = (folder / f"tile/entries/000.p/{size}").read_bytes()
            while bundle:
                length = int.from_bytes(bundle[:2])
                tree.append(leaf(bundle[2 : 2 + length]))
                bundle = bundle[2 + length :]
        assert (tree.size, tree.root()) == (size, checkpoint.root)
        seen += 1
    assert seen == 16
    assert read_checkpoint((folder / "checkpoint").read_bytes()).size == 15


POLICY = f"""# pinned on paper
log {LOG.verifier.format()}
log {OTHER.verifier.format()} https://log.example/
witness one {W1.verifier.format()} https://one.example/
witness two {W2.verifier.format()}
witness three {W3.verifier.format()}
group pair 2 one two

group either any pair three
quorum either
"""


def test_policies_are_mirrored_and_count_the_quorum() -> None:
    policy = parse_policy(POLICY.encode())
    assert parse_policy(policy.format()) == policy
    assert policy.origins() == ("log.example",)
    assert len(policy.verifiers()) == 5
    for names, met in (
        ((), False),
        (("one",), False),
        (("one", "two"), True),
        (("three",), True),
        (("either",), True),
        (("nobody",), False),
    ):
        assert policy.met(names) is met
    data = sign_note(HEAD.format(), [LOG, W1, W2], time=77)
    assert policy.cosigned(open_note(data, policy.verifiers())) == {"one": 77, "two": 77}


def test_no_quorum_needs_nobody() -> None:
    policy = parse_policy(f"log {LOG.verifier.format()}\nquorum none\n".encode())
    assert policy.met(())
    assert policy.format() == f"log {LOG.verifier.format()}\nquorum none\n".encode()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("quorum either\n", ""), "no quorum line"),
        (("quorum either\n", "quorum either\nquorum none\n"), "line 11: a second quorum"),
        (("quorum either", "quorum nobody"), "line 10: nobody is not defined"),
        (("quorum either", "quorum either x"), "line 10: not a statement"),
        (("group pair 2", "group pair 3"), "line 7: 3 is not"),
        (("group pair 2", "group pair 0"), "line 7: 0 is not"),
        (("group pair 2", "group pair +1"), r"line 7: \+1 is not"),
        (("group pair 2", "group none 2"), "line 7: none is defined already"),
        (("group pair 2", "group one 2"), "line 7: one is defined already"),
        (("any pair three", "any pair pair"), "line 9: pair is a member already"),
        (("any pair three", "any one three"), "line 9: one is a member already"),
        (("any pair three", "any either three"), "line 9: either is not defined"),
        (("log ", "logs "), "line 2: not a statement"),
        ((LOG.verifier.format(), W1.verifier.format()), "line 2: a key of type 0x04"),
        ((W1.verifier.format(), LOG.verifier.format()), "line 4: a key of type 0x01"),
        ((OTHER.verifier.format(), LOG.verifier.format()), "line 3: a second key"),
        ((W2.verifier.format(), Verifier("x", COSIGNATURE, W1.verifier.public).format()), "line 5: two cosigners"),
        ((LOG.verifier.format(), "log.example+00000000+AAAA"), "line 2: "),
    ],
)
def test_a_policy_names_the_line_it_fails_at(change: tuple[str, str], reason: str) -> None:
    assert change[0] in POLICY
    with pytest.raises(Malformed, match=reason):
        parse_policy(POLICY.replace(*change, 1).encode())


def test_a_policy_of_noise_is_refused() -> None:
    for data in (b"", b"\xff", b"quorum none\n", b"x" * 2_000_000):
        with pytest.raises(Malformed):
            parse_policy(data)


def test_a_weak_key_in_a_policy_has_its_own_code() -> None:
    weak = b"\x01\x01" + bytes(31)
    from base64 import b64encode
    from hashlib import sha256

    ident = sha256(b"x\n" + weak).digest()[:4].hex()
    with pytest.raises(Untrusted) as caught:
        parse_policy(f"log x+{ident}+{b64encode(weak).decode()}\nquorum none\n".encode())
    assert caught.value.code == "weak_key"
