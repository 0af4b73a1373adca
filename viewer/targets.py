"""What a command is pointed at: a ledger URL, a ledger's file, or one exported game; and what lies beside a ledger."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.x509 import Certificate

from ledger.errors import Unavailable
from ledger.keys import ED25519, MLDSA44, SigningKey, Verifier, new_key, write_key
from ledger.log import Log, now_ms
from ledger.notefile import NoteFile
from ledger.policy import LogKey, Policy, parse_policy
from ledger.published import FolderSource, Source
from ledger.sealed import read_keys
from ledger.store import Tables, is_founded, open_reader, place_of
from ledger.strict import Strict
from ledger.timetoken import read_roots
from viewer.passphrase import asking
from viewer.remote import UrlSource, web_url

SQLITE_MAGIC = b"SQLite format 3\x00"
ORIGIN = "paipu.simulated.example/log"


def ledger_url(target: str) -> str | None:
    """Return the ledger URL that a target means, None where it is a file of another kind.

    A path to an SQLite file is understood as its URL. A missing file is Unavailable.
    """
    if "://" in target:
        return target
    path = Path(target)
    if path.exists() and not path.is_file():
        # A pipe would be used up by the first look at it, and one without a writer never answers.
        raise Unavailable(target, "not a regular file")
    try:
        with path.open("rb") as file:
            magic = file.read(len(SQLITE_MAGIC))
    except OSError as error:
        raise Unavailable(target, f"cannot be read: {error.strerror}") from None
    return f"sqlite:///{target}" if magic == SQLITE_MAGIC else None


def read_ledger(target: str) -> Tables:
    """Open a ledger for reading, given by URL or path."""
    url = ledger_url(target)
    if url is None:
        raise Unavailable(target, "not a ledger")
    return open_reader(url)


def read_sound(target: str) -> Tables:
    """Open a ledger for somebody who goes on from its rows: a damaged one is Unavailable where it is met."""
    return Strict(read_ledger(target))


def published(target: str) -> Source | None:
    """Return the published log that a folder or an http(s) URL means, None where it is something else."""
    if target.startswith(("http://", "https://")):
        return UrlSource(web_url(target))
    return FolderSource(Path(target)) if "://" not in target and Path(target).is_dir() else None


@dataclass(frozen=True, slots=True)
class Beside:
    """The files of a ledger that lie outside its database; `tsa`: root certificates of time-stamping authorities."""

    policy: Path
    key: Path
    recovery: Path
    seen: Path
    last: Path
    tsa: Path


def beside(url: str, policy: str | None = None, key: str | None = None) -> Beside:
    """Return where policy, keys and kept checkpoints stand: `<db>.policy` and so on, unless named otherwise.

    Those of a PostgreSQL ledger stand in the working folder, named like the database.
    """
    path = place_of(url)
    key_path = Path(key) if key else path.with_name(f"{path.name}.key")
    policy_path = Path(policy) if policy else path.with_name(f"{path.name}.policy")
    return Beside(
        policy=policy_path,
        key=key_path,
        recovery=key_path.with_name(f"{key_path.name.removesuffix('.key')}.recovery.key"),
        seen=policy_path.with_name(f"{policy_path.name}.seen"),
        last=key_path.with_name(f"{key_path.name}.last"),
        tsa=path.with_name(f"{path.name}.tsa.pem"),
    )


def beside_tree(target: str, policy: str | None = None) -> Beside:
    """Return where the policy of a published log stands: `<folder>.policy` in the folder's place, or here for a URL."""
    path = Path(target.rstrip("/").rpartition("/")[2] if "://" in target else target.rstrip("/"))
    found = Path(policy) if policy else path.with_name(f"{path.name}.policy")
    tsa = path.with_name(f"{path.name}.tsa.pem")
    return Beside(found, path, path, found.with_name(f"{found.name}.seen"), path, tsa)


def read_policy(path: Path) -> Policy:
    """Read a pinned policy file; Unavailable, Malformed or Untrusted where it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unavailable(str(path), f"the policy cannot be read: {error.strerror}") from None
    return parse_policy(data)


def write_policy(path: Path, *keys: SigningKey) -> None:
    """Pin a log's keys in a new policy file without quorum; Unavailable where the file cannot be made."""
    data = Policy(logs=tuple(LogKey(key.verifier) for key in keys)).format()
    try:
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise Unavailable(str(path), f"the policy cannot be written: {error.strerror}") from None


def log_keys(path: Path) -> tuple[SigningKey, tuple[SigningKey, ...]]:
    """Read a log's key file: the Ed25519 key that signs, and those that sign beside it; sealed ones are asked for."""
    first, *rest = read_keys(path, asking())
    if first.verifier.kind != ED25519:
        raise Unavailable(str(path), "the first key of a log's key file is an Ed25519 one")
    return first, tuple(rest)


def log_verifiers(path: Path) -> tuple[Verifier, ...]:
    """Return the log keys that a policy file beside the ledger pins: all that ever signed; none where there is none."""
    return tuple(key.verifier for key in read_policy(path).logs) if path.exists() else ()


def reopen_log(url: str, files: Beside, *, clock: Callable[[], int] = now_ms) -> Log:
    """Open an existing ledger for appending, with the keys and the policy beside it."""
    open_reader(url).close()  # what is wrong with the ledger is told before what is wrong with its key
    signer, also = log_keys(files.key)
    verifiers = log_verifiers(files.policy)
    return Log.open(url, signer=signer, also=also, verifiers=verifiers, clock=clock, last=NoteFile(files.last))


def read_tsa(path: Path, named: str | None) -> tuple[Certificate, ...] | None:
    """Read the pinned roots of time-stamping authorities; None where no file was named and none stands there."""
    if named is not None:
        path = Path(named)
    elif not path.exists():
        return None
    try:
        return read_roots(path.read_bytes(), str(path))
    except OSError as error:
        raise Unavailable(str(path), f"the certificates cannot be read: {error.strerror}") from None


def open_log(
    url: str,
    *,
    operator: str,
    policy: str | None = None,
    key: str | None = None,
    clock: Callable[[], int] = now_ms,
    origin: str = ORIGIN,
) -> tuple[Log, bool]:
    """Open a ledger for appending, making it with fresh keys and a policy where it does not exist.

    Returns the log and whether it is new.
    """
    files = beside(url, policy, key)
    if is_founded(url):
        return reopen_log(url, files, clock=clock), False
    for path in (files.policy, files.key, files.recovery):
        if path.exists():
            raise Unavailable(str(path), f"stands already, but the ledger {url} does not exist")
    signer, recovery = new_key(origin), new_key(f"{origin}/recovery")
    quantum = new_key(origin, kind=MLDSA44)
    made: list[Path] = []
    try:
        # What lies beside the ledger first: a ledger without its policy would be one that nobody has pinned.
        write_policy(files.policy, signer, quantum)
        made.append(files.policy)
        write_key(files.key, signer, quantum)
        made.append(files.key)
        write_key(files.recovery, recovery)
        made.append(files.recovery)
        log = Log.create(
            url,
            origin=origin,
            operator=operator,
            signer=signer,
            also=[quantum],
            recovery=recovery,
            clock=clock,
            last=NoteFile(files.last),
        )
    except BaseException:
        for path in made:
            path.unlink()
        raise
    return log, True
