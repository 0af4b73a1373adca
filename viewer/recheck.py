"""Show a finding again from its artefact alone, offline: the mirror of `viewer.evidence` (ledger.md 6).

The level's own check runs over the excerpt: nobody's word is needed, and the ledger is not. Levels 1 to 4 are about
bytes that may be damaged; how far the excerpt is proven to be the log's is said beside. Levels 5 to 8 are judged of
authenticated bytes only, as in an audit: an excerpt that is not what the log signed is refused.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cryptography.x509 import Certificate

from ledger.checkpoint import open_checkpoint, read_checkpoint
from ledger.errors import LedgerError, Malformed, Untrusted
from ledger.evidence import FORMAT, Excerpt, Json, check_entries, octets, value_of
from ledger.findings import Finding, Text
from ledger.keys import Verifier, parse_vkey
from ledger.merkle import Frontier, leaf
from ledger.notefile import MemoryNote
from ledger.policy import parse_policy
from ledger.timetoken import need_extra, read_roots
from ledger.verify import Audit, own_keys
from ledger.verify_games import GameAudit, audit_game, audit_strays
from ledger.verify_receipts import Held, audit_mirror, audit_receipts
from ledger.verify_time import check_time
from ledger.witness import HeadConflict
from viewer.plain import check_depth
from viewer.replays import Replays
from viewer.translate import bilingual

_TOLD: Final = frozenset({"text", "evidence"})
"""Fields of a finding that are words about it: they are made anew."""
_OF_SEEN: Final = frozenset({"rollback", "fork"})


@dataclass(frozen=True, slots=True)
class Recheck:
    """What a re-check comes to: the finding as claimed, and as it shows again, None where it does not.

    `proven` counts the entries of the excerpt that lie in the log by its signed head, `why` what is not proven.
    """

    claimed: Json
    again: Finding | None
    proven: int
    why: str = ""


@dataclass(slots=True)
class _Shown:
    findings: Sequence[Finding] = ()
    proven: int = 0
    why: str = ""


def recheck(data: bytes, policy: bytes | None = None, roots: Sequence[Certificate] | None = None) -> Recheck:
    """Run the check of an artefact again, by the policy and the authorities' roots given or else by its own.

    Malformed where it is none; Untrusted where what it holds is not what the log signed, though its finding is of a
    level that is judged of authenticated bytes only.
    """
    try:
        check_depth(data)
        artefact = json.loads(data)
        claimed = artefact["finding"]
        if artefact["format"] != FORMAT:
            raise Malformed("evidence", "another format")
        pinned = policy if policy is not None else (artefact.get("policy") or "").encode() or None
        shown = _Again(artefact, pinned, roots).show()
        again = next((each for each in shown.findings if _same(each, claimed)), None)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise Malformed("evidence", f"not an artefact of this format ({type(error).__name__})") from None
    return Recheck(claimed, again, shown.proven, shown.why)


def _same(found: Finding, claimed: Json) -> bool:
    own = found.as_json()
    if claimed.keys() <= {"level", "code", "entry"}:  # two heads that a witness kept
        own = {name: own.get(name) for name in claimed}
    return all(own.get(name) == claimed.get(name) for name in {*own, *claimed} - _TOLD)


def fork_artefact(conflict: HeadConflict, policy: bytes) -> bytes:
    """Return the artefact of a conflict that a witness kept: both signed heads, and nothing else is needed."""
    artefact = {
        "format": FORMAT,
        "verdict": bilingual("{log}: the log has signed two different histories", log=conflict.origin),
        "finding": {"level": 2, "code": "fork", "entry": read_checkpoint(conflict.refused).size},
        "policy": policy.decode(errors="replace"),
        "notes": [conflict.cosigned.decode(), conflict.refused.decode()],
        "proof": [b64encode(step).decode() for step in conflict.proof],
    }
    return json.dumps(artefact, ensure_ascii=True).encode()


class _Again:
    """One artefact, judged by a policy and by roots."""

    def __init__(self, artefact: Json, policy: bytes | None, roots: Sequence[Certificate] | None) -> None:
        self.artefact, self.policy, self.roots = artefact, policy, roots
        self.level: int = artefact["finding"]["level"]
        self.code: str = artefact["finding"]["code"]
        self.game: str | None = artefact["finding"].get("game")

    def show(self) -> _Shown:
        """Run the check of the finding's level."""
        if "asked" not in self.artefact:
            return self._forked()
        if self.level <= 3:
            return self._of_log()
        if self.level == 4:
            return self._of_bytes()
        if self.level in {5, 7}:
            return self._judged()
        return self._of_times() if self.level == 6 else self._held()

    def _verifiers(self) -> Sequence[Verifier]:
        if self.policy is not None:
            return parse_policy(self.policy).verifiers()
        if "log" in self.artefact:
            return own_keys(Excerpt(self.artefact))
        return [parse_vkey(key) for key in self.artefact["keys"]]

    def _forked(self) -> _Shown:
        """Judge two heads alone: two roots of one size, both signed, prove a fork; of two sizes they prove nothing."""
        verifiers = parse_policy(self.policy).verifiers() if self.policy is not None else ()
        why = "two heads and nothing else"
        try:
            first, second = (open_checkpoint(note.encode(), verifiers)[0] for note in self.artefact["notes"])
        except LedgerError as error:
            return _Shown(why=str(error))
        if (first.origin, first.size) != (second.origin, second.size) or first.root == second.root:
            return _Shown(why=why)
        text = Text(**bilingual("two signed roots of one size"))
        expected, found = first.root.hex(), second.root.hex()
        return _Shown(
            [Finding(2, "fork", "ledger.md 2", text, entry=second.size, expected=expected, found=found)], why=why
        )

    def _audit(self) -> Audit:
        """Run levels 1 to 3 over the excerpt's log, by the clock of the run that found it."""
        notes, ages = self.artefact["notes"], self.artefact["asked"]
        seen = MemoryNote()
        seen.note = notes[1].encode() if len(notes) > 1 else None
        reader = Excerpt(self.artefact)
        run = Audit(reader, self.policy, seen, now_ms=ages["now_ms"], max_age_ms=ages["max_age_ms"])
        run.head()
        return run

    def _sound(self) -> Audit:
        run = self._audit()
        if not run.sound:
            first = run.findings[0]
            raise Untrusted(first.code, f"the excerpt is not the log that was signed: {first.text.en}")
        return run

    def _of_log(self) -> _Shown:
        if self.code in _OF_SEEN and self.level == 2:
            open_checkpoint(self.artefact["notes"][1].encode(), self._verifiers())  # or anybody could have seen it
        run = self._audit()
        return _Shown(run.findings, *_rooted(run))

    def _of_bytes(self) -> _Shown:
        if self.game is None:
            run = self._audit()
            list(run.games())
            return _Shown([each for each in run.findings if each.level == 4], *_rooted(run))
        reader = Excerpt(self.artefact)
        filed = value_of(self.artefact["game"]["game"])
        if any(row.kind == "open" for row in reader.entries_of(filed)) or not any(True for _ in reader.games()):
            found = audit_game(reader, filed, withheld=self.artefact.get("withheld") is True).findings
        else:
            found = [each for stray in audit_strays(reader) for each in stray.findings]
        if not self.artefact.get("proofs"):
            return _Shown(found, why="the excerpt has no inclusion proofs")
        try:
            return _Shown(found, len(check_entries(self.artefact, self._verifiers())))
        except LedgerError as error:
            return _Shown(found, why=str(error))

    def _judged(self) -> _Shown:
        if "log" in self.artefact:  # all of it is judged, not the entries of some streams
            run = self._sound()
            reader, count = Excerpt(self.artefact), run.size
        else:
            proven = check_entries(self.artefact, self._verifiers())
            reader, count = Excerpt(self.artefact, proven=proven), len(proven)
        others = self.artefact.get("others") or ()
        games = [audit_game(reader, part["game"]) for part in (*others, self.artefact["game"])]
        _clean(games[-1])
        replays = Replays()
        replays.run((game for game in games if game.events and not game.findings), reader)
        tails = [f"no entry covers the last {game.unsealed} events of {game.game}" for game in games if game.unsealed]
        return _Shown(replays.findings, count, "; ".join(tails))

    def _of_times(self) -> _Shown:
        need_extra("evidence of times")
        run = self._sound()
        roots = self.roots or read_roots(self.artefact["roots"].encode(), "the roots in the artefact")
        games = [audit_game(run.reader, self.game)] if self.game is not None else []
        for game in games:
            _clean(game)
        for _ in check_time(run, iter(games), roots):
            pass
        return _Shown(run.findings, run.size)

    def _held(self) -> _Shown:
        run = self._sound()
        if self.policy is None:
            raise Malformed("evidence", "a receipt or mirror is judged by a policy, and there is none")
        policy = parse_policy(self.policy)
        if self.code == "mirror":
            part = self.artefact["mirror"]
            mirror = Excerpt(part, target=part["name"])
            mirror.note = part["note"].encode()
            found = audit_mirror(run.reader, policy, mirror)
        else:
            part = self.artefact["receipt"]
            bundle = None if part["bundle"] is None else octets(part["bundle"])
            found = audit_receipts(run.reader, policy, [Held(part["name"], octets(part["file"]), bundle)])
        if found.unchecked and not found.findings:
            raise Untrusted("signature", found.unchecked[0].why)
        doubt = [each.text.en for each in audit_game(run.reader, self.game).findings] if self.game else []
        return _Shown(found.findings, run.size, doubt[0] if doubt else "")


def _clean(game: GameAudit) -> None:
    """Untrusted where the events of a stream are not those its entries commit to."""
    if game.findings:
        first = game.findings[0]
        raise Untrusted(first.code, f"the excerpt is not what the log committed to: {first.text.en}")


def _rooted(run: Audit) -> tuple[int, str]:
    """Say how many entries of an excerpt's log lie under its signed head."""
    if run.checkpoint is None:
        return 0, "no signed head"
    tree = Frontier()
    try:
        for row in run.reader.entries(0, run.size):
            tree.append(leaf(row.data))
    except (LedgerError, TypeError):
        return 0, "not all entries can be read"
    whole = (tree.size, tree.root()) == (run.size, run.root)
    return (run.size, "") if whole else (0, "the entries do not give the root that was signed")
