"""A mirror: fetch a published log, recompute everything, keep every byte, and only then cosign (ledger.md 5).

    fetch       the checkpoint, every tile and bundle it calls for, the file of every stream (and its blind)
    recompute   levels 1 to 4 of the audit over what was fetched, against the last checkpoint mirrored; each hash of
                each tile, also those on nobody's path; a public game that is missing
    keep        below a folder laid out as it was published, the checkpoint last
    cosign      as a witness, from the last head cosigned; both heads of a fork are kept

What fails is a finding, and nothing of that run is kept or cosigned. A mirror of a log published with its open streams
holds hidden tiles: it is for a regulator, not for the public.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ledger.checkpoint import read_checkpoint
from ledger.errors import Malformed, Unavailable
from ledger.findings import Finding, Text, sort_findings
from ledger.merkle import leaf, prove_consistency
from ledger.note import parse_lines, with_lines
from ledger.notefile import MemoryNote, NoteFile
from ledger.publish import blind_path, game_path, replace_file, write_game, write_once
from ledger.published import FolderSource, Source, TreeReader
from ledger.receipt import unpack
from ledger.store import Reader
from ledger.tiles import CHECKPOINT, TileTree, decode_tile, tiles_of
from ledger.verify import Audit
from ledger.witness import Answer, HeadConflict, Submission, Witness


@dataclass
class Mirrored:
    """What a mirror found: the audit, all findings, and the witness's answer where it was asked."""

    audit: Audit
    findings: list[Finding] = field(default_factory=list)
    games: int = 0
    answer: Answer | None = None


def fetch(source: Source, folder: Path) -> None:
    """Fetch what the checkpoint calls for into an empty folder, as far as it is there."""
    note = source.fetch(CHECKPOINT)
    if note is None:
        raise Unavailable(source.target, "not a published log: it has no checkpoint")
    replace_file(folder / CHECKPOINT, note)
    signed = TreeReader(FolderSource(folder)).signed
    for tile in tiles_of(signed.size):
        data = source.fetch(tile.path())
        if data is None:
            break  # the audit says what is missing; a size that nobody has bytes for costs no more than this
        replace_file(folder / tile.path(), data)
    games = {row.game for row in TreeReader(FolderSource(folder)).entries_of_kind("open")}
    for game in sorted(filter(None, games)):
        for path in (game_path(game), blind_path(game)):
            data = source.fetch(path)
            if data is not None:
                replace_file(folder / path, data)


def audit_tiles(source: Source, reader: Reader, size: int) -> Iterator[Finding]:
    """Compare every hash of every published tile with the one that the entries give; level 3, code `tile`."""
    leaves = [leaf(row.data) for row in reader.entries(0, size)]
    tree = TileTree(leaves)
    for tile in tiles_of(size, entries=False):
        span = 256**tile.level
        try:
            found = decode_tile(source.fetch(tile.path()) or b"", tile)
        except Malformed as error:
            text = Text(f"tile {tile.path()} is missing or damaged: {error}", f"哈希块 {tile.path()} 缺失或损坏")
            yield Finding(3, "tile", "ledger.md 2", text, entry=tile.start * span, found=str(error))
            continue
        for place, (expected, shown) in enumerate(zip(tree.hashes(tile), found, strict=True)):
            if expected != shown:
                entry = (tile.start + place) * span
                text = Text(
                    f"hash {place} of {tile.path()} is not that of the entries from {entry} on",
                    f"{tile.path()} 的第 {place} 个哈希与第 {entry} 条起的日志不符",
                )
                yield Finding(3, "tile", "ledger.md 2", text, entry=entry, expected=expected.hex(), found=shown.hex())


def mirror(
    fetched: Path,
    folder: Path,
    *,
    policy: bytes,
    now_ms: int,
    max_age_ms: int | None = None,
    witness: Witness | None = None,
) -> Mirrored:
    """Audit what was `fetched`, keep it in `folder`, and ask the witness, if any, to cosign.

    Errors are those of reading and writing files; whatever is wrong with the log is a finding.
    """
    source = FolderSource(fetched)
    reader = TreeReader(source)
    seen = MemoryNote()  # a copy: the folder's own checkpoint is replaced last of all
    seen.note = NoteFile(folder / CHECKPOINT).load()
    audit = Audit(reader, policy=policy, seen=seen, now_ms=now_ms, max_age_ms=max_age_ms, withheld=reader.withheld)
    before = seen.note
    done = Mirrored(audit, games=sum(bool(game.events) for game in audit.games()))
    known = {(each.code, each.entry) for each in audit.findings}
    with suppress(Unavailable):  # an entry that cannot be read is a finding already
        tiles = [each for each in audit_tiles(source, reader, audit.size) if (each.code, each.entry) not in known]
        audit.findings += tiles
        audit.levels[2].findings += len(tiles)
        if tiles:
            audit.levels[2].status = "failed"
    done.findings = sort_findings(audit.findings)
    if done.findings:
        if witness is not None and before is not None and any(each.code == "fork" for each in done.findings):
            reason = "the mirror found another history than the one it keeps"
            witness.state.keep(HeadConflict(audit.origin, before, reader.note, (), reason))
        return done
    if witness is not None:
        done.answer = witness.submit(_submission(reader, witness))
    lines = done.answer.body if done.answer is not None and done.answer.status == 200 else b""
    _keep(reader, source, folder, lines)
    return done


def _submission(reader: TreeReader, witness: Witness) -> Submission:
    """Ask as the log would, from the last head that the witness cosigned."""
    kept = witness.state.load(reader.signed.origin)
    old = 0 if kept is None else read_checkpoint(kept).size
    size = reader.signed.size
    leaves = [leaf(row.data) for row in reader.entries(0, size)]
    return Submission(old, prove_consistency(leaves, old) if 0 < old <= size else (), reader.note)


def _keep(reader: TreeReader, source: Source, folder: Path, lines: bytes) -> None:
    for tile in tiles_of(reader.signed.size):
        data = source.fetch(tile.path())
        assert data is not None
        write_once(folder / tile.path(), data)
    for game in reader.games():
        data = source.fetch(game_path(game))
        assert data is not None
        write_game(folder / game_path(game), unpack(data, game))
        blind = source.fetch(blind_path(game))
        if blind is not None:
            write_once(folder / blind_path(game), blind)
    NoteFile(folder / CHECKPOINT).save(with_lines(reader.note, parse_lines(lines)) if lines else reader.note)
