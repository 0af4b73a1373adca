"""Keys: the public edge vectors, the low-order gate, vkeys and key files with every bit flipped."""

import json
import os
from pathlib import Path

import pytest

from ledger.errors import LedgerError, Malformed, Unavailable, Untrusted
from ledger.keys import (
    COSIGNATURE,
    ED25519,
    LOW_ORDER,
    SigningKey,
    Verifier,
    new_key,
    parse_key,
    parse_vkey,
    read_key,
    verify_ed25519,
    write_key,
)

TESSERA = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
KEY = SigningKey("log.example", bytes(range(32)))


def test_all_cctv_vectors_agree_with_libsodium(shared: Path) -> None:
    cases = json.loads((shared / "vectors/cctv/ed25519/ed25519vectors.json").read_text())
    assert len(cases) == 914
    valid = 0
    for case in cases:
        expected = not {"low_order_A", "low_order_R", "low_order_residue"} & set(case["flags"] or [])
        key, signature = bytes.fromhex(case["key"]), bytes.fromhex(case["sig"])
        assert verify_ed25519(key, case["msg"].encode(), signature) is expected, case["number"]
        valid += expected
    assert valid == 43


def test_all_wycheproof_vectors(shared: Path) -> None:
    file = json.loads((shared / "vectors/wycheproof/testvectors_v1/ed25519_test.json").read_text())
    count = 0
    for group in file["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            holds = verify_ed25519(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
            assert holds is (case["result"] == "valid"), case["tcId"]
            count += 1
    assert count == 151


def on_curve_order(encoding: bytes) -> bool:
    """Whether the encoded point times 8 is the neutral element, computed from the curve's own equations."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    y = (int.from_bytes(encoding, "little") & (2**255 - 1)) % p
    x2 = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    x = pow(x2, (p + 3) // 8, p)
    if (x * x - x2) % p:
        x = x * pow(2, (p - 1) // 4, p) % p
    assert (x * x - x2) % p == 0
    for _ in range(3):
        k = d * x * x * y * y % p
        x, y = 2 * x * y * pow(1 + k, -1, p) % p, (y * y + x * x) * pow(1 - k, -1, p) % p
    return (x, y) == (0, 1)


def test_the_gate_holds_14_encodings_all_of_low_order() -> None:
    assert len(LOW_ORDER) == 14
    assert all(len(encoding) == 32 and on_curve_order(encoding) for encoding in LOW_ORDER)


@pytest.mark.parametrize("encoding", sorted(LOW_ORDER), ids=bytes.hex)
def test_low_order_is_refused_at_enrolment_and_at_verification(encoding: bytes) -> None:
    with pytest.raises(Untrusted) as caught:
        Verifier("x", ED25519, encoding)
    assert caught.value.code == "weak_key"
    assert not verify_ed25519(encoding, b"any", encoding + bytes(32))
    assert not verify_ed25519(KEY.verifier.public, b"any", encoding + bytes(32))


def test_the_neutral_key_would_verify_anything_without_the_gate() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    neutral = b"\x01" + bytes(31)
    Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), b"any message at all")
    assert not verify_ed25519(neutral, b"any message at all", neutral + bytes(32))


def test_vkeys_are_mirrored() -> None:
    for text in (TESSERA, KEY.verifier.format(), Verifier("w", COSIGNATURE, KEY.verifier.public).format()):
        assert parse_vkey(text).format() == text
    assert parse_vkey(TESSERA).key_id.hex() == "33d7b496"


def test_every_bit_of_a_vkey_counts() -> None:
    data = KEY.verifier.format().encode()
    for at in range(len(data)):
        for bit in range(8):
            damaged = bytes([*data[:at], data[at] ^ 1 << bit, *data[at + 1 :]])
            with pytest.raises((LedgerError, UnicodeDecodeError)):
                parse_vkey(damaged.decode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a+b",
        "a+00000000+",
        TESSERA + "\n",
        " " + TESSERA,
        TESSERA.replace("33d7b496", "33D7B496"),
        TESSERA.replace("33d7b496", "33d7b497"),
        TESSERA[:-4],
        TESSERA[:-1],
        TESSERA.replace("example.com", "exam\u00a0ple.com"),
        TESSERA.replace("+Ae", "+Be"),
    ],
)
def test_other_spellings_of_a_vkey_are_refused(text: str) -> None:
    with pytest.raises(LedgerError):
        parse_vkey(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\tb", "a\nb", "a\u2003b", "a\x7f", "a\u2028b"])
def test_names_without_space_plus_or_control(name: str) -> None:
    with pytest.raises(Malformed):
        Verifier(name, ED25519, KEY.verifier.public)


def test_sizes_and_types_are_checked() -> None:
    with pytest.raises(Malformed):
        Verifier("a", 0x06, bytes(range(32)))
    with pytest.raises(Malformed):
        Verifier("a", ED25519, bytes(range(31)))
    with pytest.raises(Malformed):
        SigningKey("a", bytes(31))
    assert not verify_ed25519(KEY.verifier.public[:31], b"", bytes(64))
    assert not verify_ed25519(KEY.verifier.public, b"m", KEY.sign(b"m")[:63])
    assert KEY.verifier.verify(b"m", KEY.sign(b"m"))


def test_key_files_are_private_and_mirrored(tmp_path: Path) -> None:
    path = tmp_path / "log.key"
    write_key(path, KEY)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path).format() == KEY.format() == path.read_text()
    with pytest.raises(Unavailable, match="cannot be written"):
        write_key(path, KEY)
    path.chmod(0o640)
    with pytest.raises(Unavailable, match="others may read"):
        read_key(path)
    with pytest.raises(Unavailable, match="cannot be read"):
        read_key(tmp_path / "none.key")


def test_every_bit_of_a_key_file_counts_and_no_error_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "log.key"
    data = KEY.format().encode()
    for at in range(len(data)):
        for bit in range(8):
            path.write_bytes(bytes([*data[:at], data[at] ^ 1 << bit, *data[at + 1 :]]))
            path.chmod(0o600)
            with pytest.raises(Unavailable) as caught:
                read_key(path)
            assert data[-48:-1].decode() not in str(caught.value)
    assert KEY.format()[-48:-1] not in repr(KEY)


def test_new_keys_differ_and_take_injected_bytes() -> None:
    assert new_key("a").verifier != new_key("a").verifier
    assert new_key("log.example", lambda n: bytes(range(n))).format() == KEY.format()
    with pytest.raises(Malformed):
        parse_key("PRIVATE+KEY+a\n")


@pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")
def test_a_key_file_is_never_open_to_others_even_for_a_moment(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_key(tmp_path / "k", KEY)
    finally:
        os.umask(before)
    assert (tmp_path / "k").stat().st_mode & 0o077 == 0
