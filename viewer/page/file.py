"""Drop in a file: an exported game, a receipt or a foreign record; its verdict and its replay, nothing stored."""

import streamlit as st

from engine.errors import EventError
from ledger.errors import LedgerError, Refused, Untrusted
from ledger.receipt import Receipt, check_receipt
from viewer import clauses, foreign, frames
from viewer.names import md
from viewer.page import judged, shelf
from viewer.page.dropped import DropError, Dropped, read
from viewer.page.replay import payouts
from viewer.table import component
from viewer.targets import beside, read_policy
from viewer.verdict import REPLAY, as_finding, audit_lines
from viewer.words import label


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.words('file')}")
    lang = shelf.language()
    st.caption(label("file_drop", lang))
    upload = st.file_uploader(label("file", lang), key="dropped", label_visibility="collapsed")
    if upload is None:
        return
    try:
        found = read(upload.name, upload.getvalue())
    except DropError as error:
        st.error(f"{label('file_bad', lang)} {md(str(error), 300)}", icon=":material/error:")
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
    counts = f"{md(found.name, 64)} · {len(found.events)} {label('events', lang)}"
    if not findings:
        st.success(f"✓ {counts} · {label('no_findings', lang)}", icon=":material/verified:")
    else:
        st.error(f"✗ {counts} · {len(findings)} {label('findings', lang)}", icon=":material/error:")
        judged.findings(findings)
    judged.lacking(unchecked)


def table(found: Dropped) -> None:
    """Mount the replay of the game; it is sent whole, for an upload is small."""
    try:
        picture = frames.picture(found.events, clause_text=clauses.text)
    except (LedgerError, EventError):
        st.warning(shelf.words("no_frames"))
        return
    if not picture["frames"]:
        st.warning(shelf.words("no_frames"))
        return
    whole = frames.with_bytes(picture, found.events)
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
    st.code(f"{entry.kind} {entry.game}\nsize {entry.size}\nindex {given.proof.index}", language=None)
    url = shelf.chosen_ledger()
    path = beside(url).policy if url else None
    if path is None or not path.exists():
        st.warning(label("no_policy", lang))
        return
    st.caption(label("receipt_pin", lang))
    try:
        checkpoint, opened = check_receipt(given, read_policy(path))
    except (Untrusted, Refused) as error:
        st.error(f"✗ {label('receipt_fails', lang)} {md(str(error), 300)}", icon=":material/error:")
        return
    except LedgerError as error:
        st.error(f"{label('file_bad', lang)} {md(str(error), 300)}", icon=":material/error:")
        return
    st.success(label("receipt_holds", lang), icon=":material/verified:")
    signed = "\n".join(f"{each.verifier.name}+{each.verifier.key_id.hex()}" for each in opened.signatures)
    st.code(f"{checkpoint.origin}\nsize {checkpoint.size}\n{checkpoint.root.hex()}\n{signed}", language=None)
