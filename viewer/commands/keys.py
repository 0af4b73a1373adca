"""`paipu keys`: make, show, seal and unseal keys; a log's key life, with the new policy file at each change."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ledger.canonical import Record  # noqa: TC001  one rule for all imports of the package
from ledger.errors import Unavailable
from ledger.founding import read_ring
from ledger.keyring import KeyChange, Keyring
from ledger.keys import COSIGNATURE, ED25519, MLDSA44, SigningKey, Verifier, new_key, parse_vkey, write_key
from ledger.keys import write_private as write_lines
from ledger.log import Log
from ledger.notefile import NoteFile
from ledger.policy import LogKey, Policy
from ledger.publish import replace_file
from ledger.sealed import read_keys, read_verifiers, seal
from viewer.commands.common import Place, ledger_option, need_ledger
from viewer.passphrase import asking, passphrase_option
from viewer.targets import Beside, beside, read_policy, read_sound

TYPES = {
    "log": (ED25519, MLDSA44),
    "ed25519": (ED25519,),
    "ml-dsa-44": (MLDSA44,),
    "cosigner": (COSIGNATURE,),
    "cosigner-ml-dsa-44": (MLDSA44,),
}
"""What a new key file holds: a log signs with both of its keys."""

SIZES = ("not_before_size", "last_size", "from_size")
"""What a change of keys is counted by: tree sizes, not times (ledger.md 3)."""

policy_option = click.option("--policy", metavar="FILE", help="Policy file to renew (default: <db>.policy).")
key_option = click.option("--key", metavar="FILE", help="Key file that signs the log now (default: <db>.key).")
recovery_option = click.option("--recovery", metavar="FILE", help="Recovery key file (default: <db>.recovery.key).")


@click.group(
    short_help="Make, show, seal keys; add, retire, revoke a log's keys.",
    epilog="Example: paipu keys new club.example/log club.key --type log",
)
def keys() -> None:
    """Make keys, show their public halves (vkeys), wrap them with a passphrase, and change the keys of a log."""


@keys.command(
    short_help="Make a new key file.",
    epilog="Example: paipu keys new club.example/log club.key --type log",
)
@click.argument("name")
@click.argument("file", type=Place())
@click.option("--type", "kind", type=click.Choice(list(TYPES)), default="ed25519", show_default=True, help="What for.")
@click.option("--seal", "sealed", is_flag=True, help="Wrap it with a passphrase at once.")
@passphrase_option
def new(*, name: str, file: Path, kind: str, sealed: bool, passphrase_file: str | None) -> None:
    """Make the keys of a log (named like its origin), of a witness or a recovery key; print the vkeys.

    A new file of mode 0600 is written. Type `log` makes an Ed25519 and an ML-DSA-44 key.
    """
    made = [new_key(name, kind=each) for each in TYPES[kind]]
    if sealed:
        _write_sealed(file, made, passphrase_file)
    else:
        write_key(file, *made)
        click.echo(f"warning: {file} is not sealed (mode 0600)", err=True)
    for key in made:
        click.echo(key.verifier.format())


@keys.command(
    short_help="Print the vkeys of a key file.",
    epilog="Example: paipu keys show x.db.key",
)
@click.argument("file", type=Place())
@click.option("--policy", is_flag=True, help="Print a policy file that pins these keys, without quorum.")
def show(*, file: Path, policy: bool) -> None:
    """Print the public halves of a key file; a sealed one needs no passphrase for it."""
    verifiers = read_verifiers(file)
    if policy:
        click.echo(Policy(logs=tuple(LogKey(each) for each in verifiers)).format().decode(), nl=False)
        return
    for each in verifiers:
        click.echo(each.format())


@keys.command(
    "seal",
    short_help="Wrap a key file with a passphrase.",
    epilog="Example: paipu keys seal x.db.key sealed.key",
)
@click.argument("file", type=Place())
@click.argument("output", type=Place())
@passphrase_option
def seal_file(*, file: Path, output: Path, passphrase_file: str | None) -> None:
    """Write the keys of FILE, wrapped (Argon2id, AES-256-GCM), into the new file OUTPUT. FILE stays: remove it."""
    _write_sealed(output, read_keys(file), passphrase_file)
    click.echo(f"{output}: sealed; {file} is not: remove it", err=True)


@keys.command(
    "unseal",
    short_help="Unwrap a sealed key file.",
    epilog="Example: paipu keys unseal sealed.key plain.key",
)
@click.argument("file", type=Place())
@click.argument("output", type=Place())
@passphrase_option
def unseal_file(*, file: Path, output: Path, passphrase_file: str | None) -> None:
    """Write the keys of the sealed FILE, unwrapped, into the new file OUTPUT of mode 0600."""
    write_key(output, *read_keys(file, asking(passphrase_file)))
    click.echo(f"warning: {output} is not sealed (mode 0600)", err=True)


def _write_sealed(file: Path, found: Sequence[SigningKey], passphrase_file: str | None) -> None:
    passphrase = asking(passphrase_file, twice=True)(str(file))
    write_lines(file, "".join(seal(key, passphrase) for key in found))


def of_a_log(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that changes a log's keys."""
    for option in (passphrase_option, ledger_option, recovery_option, key_option, policy_option):
        command = option(command)
    return command


@keys.command(
    short_help="Add a key to a log.",
    epilog="Example: paipu keys add new.key --ledger sqlite:///x.db",
)
@click.argument("file", type=Place())
@click.option("--role", type=click.Choice(["log", "auditor"]), default="log", show_default=True, help="What it signs.")
@click.option("--from-size", type=click.IntRange(1), help="First size it may sign (default: from now on).")
@of_a_log
def add(*, file: Path, role: str, from_size: int | None, **named: str | None) -> None:
    """Log a `key-add` for every key in FILE, signed by the recovery key and the log's present one.

    From then on both may sign: switch --key to FILE, then retire the old one.
    """
    desk = _Desk(named)
    ring, size = desk.ring()
    fresh = [each for each in read_verifiers(file) if each not in ring.keys]
    changes = []
    for place, verifier in enumerate(fresh, size + 1):
        first = place if from_size is None else from_size
        fields: Record = {"not_before_size": first, "role": role, "vkey": verifier.format()}
        changes.append(KeyChange("key-add", fields, [desk.recovery_key(), desk.signers()[0]]))
    desk.change(changes)
    if role == "log":
        desk.pin(fresh)


@keys.command(
    short_help="Retire a key of a log.",
    epilog="Example: paipu keys retire old.key --key new.key --ledger sqlite:///x.db",
)
@click.argument("file", type=Place())
@click.option("--last-size", type=click.IntRange(0), help="Last size it may sign (default: the size now).")
@of_a_log
def retire(*, file: Path, last_size: int | None, **named: str | None) -> None:
    """Log a `key-retire` for every key in FILE, signed by the recovery key and each itself; --key signs on."""
    desk = _Desk(named)
    ring, size = desk.ring()
    last = size if last_size is None else last_size
    desk.change(
        [
            KeyChange("key-retire", {"key": key.verifier.format(), "last_size": last}, [desk.recovery_key(), key])
            for key in read_keys(file, desk.ask)
            if key.verifier in ring.keys
        ]
    )


@keys.command(
    short_help="Revoke a key of a log that was lost or stolen.",
    epilog="Example: paipu keys revoke 'club.example/log+…' --reason stolen --key new.key --ledger sqlite:///x.db",
)
@click.argument("vkey")
@click.option("--from-size", type=click.IntRange(0), help="First size it may not sign (default: from the next on).")
@click.option("--reason", required=True, help="Why, in words.")
@of_a_log
def revoke(*, vkey: str, from_size: int | None, reason: str, **named: str | None) -> None:
    """Log a `key-revoke`, signed by the recovery key alone; --key, another key of the log, signs on."""
    desk = _Desk(named)
    _, size = desk.ring()
    desk.change([desk.revocation(parse_vkey(vkey), size + 1 if from_size is None else from_size, reason)])


@keys.command(
    short_help="Let a new key take over from lost ones.",
    epilog="Example: paipu keys recover new.key --reason 'disk lost' --ledger sqlite:///x.db",
)
@click.argument("file", type=Place())
@click.option("--reason", required=True, help="Why, in words.")
@of_a_log
def recover(*, file: Path, reason: str, **named: str | None) -> None:
    """Revoke every log key that is valid and add those in FILE instead, by the recovery key alone."""
    desk = _Desk(named)
    ring, size = desk.ring()
    lost = [verifier for verifier in ring.keys if ring.may_sign(verifier, size)]
    changes = [desk.revocation(verifier, size + 1, reason) for verifier in lost]
    fresh = read_keys(file, desk.ask)
    for place, key in enumerate(fresh):
        fields: Record = {"not_before_size": size, "role": "log", "vkey": key.verifier.format()}
        changes.append(KeyChange("key-add", fields, [desk.recovery_key(), *fresh[: min(place, 1)]]))
    desk.change(changes, fresh, file)
    desk.pin([key.verifier for key in fresh])


class _Desk:
    """A log whose keys change: its files, its signers, the policy that pins them."""

    def __init__(self, named: dict[str, str | None]) -> None:
        self.url = need_ledger(named["ledger"])
        self.files: Beside = beside(self.url, named["policy"], named["key"])
        self.policy = read_policy(self.files.policy)
        self.ask = asking(named["passphrase_file"])
        self._recovery = Path(named["recovery"] or beside(self.url).recovery)
        self._read: dict[Path, tuple[SigningKey, ...]] = {}

    def signers(self) -> tuple[SigningKey, ...]:
        """Return the keys that sign the log now."""
        return self._keys(self.files.key)

    def recovery_key(self) -> SigningKey:
        """Return the recovery key."""
        return self._keys(self._recovery)[0]

    def _keys(self, path: Path) -> tuple[SigningKey, ...]:
        if path not in self._read:
            self._read[path] = read_keys(path, self.ask)
        return self._read[path]

    def ring(self) -> tuple[Keyring, int]:
        """Return the keys that the log has, and its size."""
        reader = read_sound(self.url)
        try:
            head = reader.head()
            if head is None:
                raise Unavailable(self.url, "the head row is missing")
            return read_ring(reader), head.size
        finally:
            reader.close()

    def revocation(self, verifier: Verifier, first: int, reason: str) -> KeyChange:
        """Return the change that revokes a key."""
        fields: Record = {"from_size": first, "key": verifier.format(), "reason": reason}
        return KeyChange("key-revoke", fields, [self.recovery_key()])

    def change(
        self, changes: Sequence[KeyChange], signers: Sequence[SigningKey] = (), file: Path | None = None
    ) -> None:
        """Log the changes in one transaction and sign the head that covers them, by the keys in `file` if any."""
        if not changes:
            raise click.UsageError("no such key: nothing to change")
        first, *rest = signers or self.signers()
        verifiers = [key.verifier for key in self.policy.logs]
        last = NoteFile(beside(self.url, key=str(file)).last if file else self.files.last)
        with Log.open(self.url, signer=first, also=rest, verifiers=verifiers, last=last, changes=changes) as log:
            log.seal()
        for each in changes:
            size = next(
                each.fields[name] for name in ("not_before_size", "last_size", "from_size") if name in each.fields
            )
            click.echo(f"{each.kind} {size}: {each.fields.get('vkey') or each.fields['key']}")

    def pin(self, fresh: Sequence[Verifier]) -> None:
        """Write the policy file anew with more keys of the log: it lists every key ever valid."""
        url = self.policy.logs[0].url
        logs = (*self.policy.logs, *(LogKey(verifier, url) for verifier in fresh))
        replace_file(self.files.policy, replace(self.policy, logs=logs).format())
        click.echo(f"{self.files.policy}: renewed; whoever verifies needs this new file", err=True)
