"""Publish a ledger as static files that any web server serves (C2SP tlog-tiles; ledger.md 2, 5).

    checkpoint                   the newest signed head
    tile/…                       `ledger.tiles`: hashes and entries of the main log
    game/<id>.bundle.gz          the events of every ended stream, as in a receipt
    game/<id>.blind              with `open_too` alone: the blind (64 hex digits and a newline) of what is not public

Without `open_too` no byte of a stream that is open or private is written: its hidden tiles would be public. With it
they are, up to the last entry under the checkpoint, for a mirror that may see everything. Nothing is published that
does not give the signed root. Tiles, bundles of entries and of ended games are written once and never changed: another
content under one name is two histories. The checkpoint is replaced last, so that whoever reads it finds all it needs.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger.checkpoint import Checkpoint, read_checkpoint
from ledger.entries import ENDS, Entry, read_entry
from ledger.errors import Diverged, Malformed, Refused, Unavailable
from ledger.merkle import leaf, root
from ledger.notefile import NoteFile, kept_checkpoint
from ledger.receipt import pack, read_events, unpack
from ledger.store import Reader
from ledger.stream import StreamTree
from ledger.tiles import CHECKPOINT, TileTree, encode_bundle, encode_tile, tiles_of


@dataclass
class Published:
    """What was published: the head, games with their events, files written anew."""

    checkpoint: Checkpoint
    games: int = 0
    withheld: int = 0
    written: int = 0


def game_path(game: str) -> str:
    """Give the path of a stream's events below the prefix."""
    return f"game/{game}.bundle.gz"


def blind_path(game: str) -> str:
    """Give the path of a stream's blind below the prefix."""
    return f"game/{game}.blind"


def publish(reader: Reader, folder: Path, *, open_too: bool = False) -> Published:
    """Write a ledger's newest checkpoint and all it covers below `folder`.

    Diverged where the ledger is not what was signed, or the folder holds another history; Unavailable where a file
    cannot be written.
    """
    row = reader.checkpoint()
    if row is None:
        raise Unavailable(reader.target, "there is no checkpoint")
    checkpoint = read_checkpoint(row.note)
    entries = [entry.data for entry in reader.entries(0, checkpoint.size)]
    leaves = [leaf(entry) for entry in entries]
    if (len(leaves), root(leaves)) != (checkpoint.size, checkpoint.root):
        reason = "the entries do not give the signed root, nothing is published: verify says where"
        raise Diverged(reason, (checkpoint.size, checkpoint.root), (len(leaves), root(leaves)))
    _continues(folder, leaves)
    done = Published(checkpoint)
    tree = TileTree(leaves)
    for tile in tiles_of(checkpoint.size):
        at = slice(tile.start, tile.start + tile.width)
        data = encode_bundle(entries[at]) if tile.level < 0 else encode_tile(tree.hashes(tile))
        done.written += write_once(folder / tile.path(), data)
    for last in _newest(entries).values():
        _publish_game(reader, folder, last, done, open_too=open_too)
    NoteFile(folder / CHECKPOINT).save(row.note)
    return done


def write_once(path: Path, data: bytes) -> bool:
    """Write a file that never changes; tell whether it is new. Refused where it stands with another content."""
    before = read_file(path)
    if before == data:
        return False
    if before is not None:
        raise Refused("", f"{path} holds something else already: another history was written here")
    replace_file(path, data)
    return True


def read_file(path: Path) -> bytes | None:
    """Read a file whole; None where there is none, Unavailable where it cannot be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unavailable(str(path), f"cannot be read: {error.strerror}") from None


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, whatever stood there; Unavailable where it cannot be."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(data)
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise Unavailable(str(path), f"cannot be written: {error.strerror}") from None


def write_game(path: Path, events: Sequence[bytes]) -> bool:
    """Write a stream's events; tell whether anything is new. Refused where other events, or more, stand there."""
    before = read_file(path)
    if before is not None:
        old = unpack(before, str(path))
        if old != list(events[: len(old)]):
            raise Refused("", f"{path} holds other events already: another history was written here")
        if len(old) == len(events):
            return False
    replace_file(path, pack(events))
    return True


def _continues(folder: Path, leaves: Sequence[bytes]) -> None:
    """Refuse a folder whose checkpoint is of another history, or of a longer one."""
    kept = kept_checkpoint(NoteFile(folder / CHECKPOINT), "the published checkpoint")
    if kept is None:
        return
    if kept.size > len(leaves) or root(leaves[: kept.size]) != kept.root:
        reason = f"{folder} holds the checkpoint of another history"
        raise Diverged(reason, (kept.size, kept.root), (len(leaves), root(leaves)))


def _newest(entries: Sequence[bytes]) -> dict[str, Entry]:
    """Give the newest entry of every stream."""
    return {entry.game: entry for entry in map(read_entry, entries) if entry.game}


def _publish_game(reader: Reader, folder: Path, last: Entry, done: Published, *, open_too: bool) -> None:
    public = last.kind in ENDS and "root" in last.record
    if not public and not open_too:
        done.withheld += 1
        return
    game = last.game
    events = read_events(reader, game, last.size)
    row = reader.stream(game)
    blind = row.blind if row is not None else b""
    if not _fits(last, events, blind):
        raise Malformed(game, "its events are not those that the log commits to: verify says where")
    path = folder / game_path(game)
    done.games += 1
    done.written += write_game(path, events)
    if not public:
        done.written += write_once(folder / blind_path(game), f"{blind.hex()}\n".encode())


def _fits(last: Entry, events: Sequence[bytes], blind: bytes) -> bool:
    tree = StreamTree(last.game)
    for event in events:
        tree.append(event)
    if "commit" in last.record:
        return tree.commit(blind) == last.octets("commit")
    return (tree.root(), tree.chain) == (last.octets("root"), last.octets("chain"))
