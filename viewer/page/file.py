"""Drop in a file: an exported game, a receipt or a foreign record; its verdict and its replay, nothing stored."""

import streamlit as st

from engine.errors import EventError
from ledger.errors import LedgerError, Refused, Untrusted
from ledger.receipt import Receipt, check_receipt
from viewer import clauses, foreign, frames, redact
from viewer.names import md
from viewer.page import desk, judged, shelf
from viewer.page.dropped import DropError, Dropped, read
from viewer.page.replay import payouts
from viewer.table import component
from viewer.targets import beside, read_policy
from viewer.translate import N_, gettext, ngettext
from viewer.verdict import REPLAY, as_finding, audit_lines


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.gettext('Open a file')}")
    lang = shelf.language()
    st.caption(
        gettext(
            "An exported game (.paipu.jsonl), a receipt (.tlog-proof) or a foreign record (mjlog, tenhou JSON, mjai). "
            "Nothing is stored.",
            lang,
        )
    )
    upload = st.file_uploader(gettext("Open a file", lang), key="dropped", label_visibility="collapsed")
    if upload is None:
        return
    try:
        found = read(upload.name, upload.getvalue())
    except DropError as error:
        st.error(f"{gettext('This file cannot be read:', lang)} {md(str(error), 300)}", icon=":material/error:")
        return
    if found.receipt is not None:
        receipt(found.receipt)
        return
    verdict(found)
    table(found)


def verdict(found: Dropped) -> None:
    """Show what replay says of the game, or the checks of its format of a foreign record."""
    lang = shelf.language()
    if found.foreign is not None:
        result = foreign.judge(found.foreign.record)
        findings = [
            as_finding(each.fault, found.foreign.game, None, each.hand, each.place).as_json()
            for each in result.findings
        ]
        unchecked = [each.as_json() for each in foreign.unchecked(found.foreign, result, REPLAY)]
    else:
        own = audit_lines(found.events)
        findings = [each.as_json() for each in own.findings]
        unchecked = [each.as_json() for each in own.unchecked]
    counts = f"{md(found.name, 64)} · {ngettext('{count} event', '{count} events', len(found.events), lang)}"
    if not findings:
        st.success(f"✓ {counts} · {gettext('No findings.', lang)}", icon=":material/verified:")
    else:
        st.error(
            f"✗ {counts} · {ngettext('{count} finding', '{count} findings', len(findings), lang)}",
            icon=":material/error:",
        )
        players = redact.players_of(found.events)
        judged.findings(findings if desk.named() else redact.hidden(findings, players), {})
    judged.lacking(unchecked)


def table(found: Dropped) -> None:
    """Mount the replay of the game; it is sent whole, for an upload is small."""
    try:
        picture = frames.picture(found.events, clause_text=clauses.text)
    except (LedgerError, EventError):
        st.warning(shelf.gettext("This game cannot be drawn."))
        return
    if not picture["frames"]:
        st.warning(shelf.gettext("This game cannot be drawn."))
        return
    picture = picture if desk.named() else redact.nameless(picture, found.events)
    whole = frames.with_bytes(picture, found.events) if desk.named() else picture
    start = {"hand": 0, "step": 0, "seq": -1, "seat": 0, "hide": False}
    component.mounting()(
        key="dropped_table",
        data={**component.payload(whole), "lang": shelf.language(), "start": start, "linked": False},
        default={"hand": 0},
        on_hand_change=lambda: None,
    )
    payouts(picture)


def receipt(given: Receipt) -> None:
    """Judge a receipt by the policy beside the ledger that is open."""
    lang = shelf.language()
    entry = given.entry
    facts = (
        (N_("Game"), entry.game),
        (N_("Entry"), entry.kind),
        (N_("Events"), entry.size),
        (N_("Place in the log"), given.proof.index),
    )
    st.code("\n".join(f"{gettext(name, lang)} {value}" for name, value in facts), language=None)
    url = shelf.chosen_ledger()
    path = beside(url).policy if url else None
    if path is None or not path.exists():
        st.warning(gettext("no pinned policy beside the ledger: signatures are read, not judged", lang))
        return
    st.caption(gettext("The ledger that is open has a policy; the receipt is judged by it.", lang))
    try:
        checkpoint, opened = check_receipt(given, read_policy(path))
    except (Untrusted, Refused) as error:
        st.error(f"✗ {gettext('The receipt does not hold:', lang)} {md(str(error), 300)}", icon=":material/error:")
        return
    except LedgerError as error:
        st.error(f"{gettext('This file cannot be read:', lang)} {md(str(error), 300)}", icon=":material/error:")
        return
    st.success(
        gettext("The receipt holds: the entry stands in the log under the pinned keys.", lang),
        icon=":material/verified:",
    )
    signed = "\n".join(f"{each.verifier.name}+{each.verifier.key_id.hex()}" for each in opened.signatures)
    st.code(f"{checkpoint.origin}\n{checkpoint.size}\n{checkpoint.root.hex()}\n{signed}", language=None)
