"""The proof of one game: the checkpoint with who signed and cosigned it, the deal from seed to tile, the receipt."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from engine.errors import EventError
from ledger.checkpoint import open_checkpoint, read_checkpoint
from ledger.errors import LedgerError
from ledger.note import parse_note
from ledger.proof import SUFFIX
from ledger.receipt import bundle_name, make_receipt, pack, read_events
from viewer import redeal
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import shelf
from viewer.page.choice import choose
from viewer.redeal import Derivation, Step
from viewer.targets import beside, read_ledger, read_policy
from viewer.words import both, label, tile

SIGNS = {True: "✓", False: "✗", None: ""}


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, found = shelf.open_ledger()
    with head:
        info = choose(found)
    if info is None:
        return
    try:
        checkpoint(url)
    except (LedgerError, OSError) as error:
        st.error(md(str(error), 300), icon=":material/error:")
    deal(url, info, found.hands([info])[0])
    receipt(url, info)


def checkpoint(url: str) -> None:
    """Show the newest checkpoint: what it says, which keys signed, which witnesses cosigned and when."""
    lang = shelf.language()
    st.markdown(f"##### {label('checkpoint', lang)}")
    reader = read_ledger(url)
    try:
        signed = reader.checkpoint()
    finally:
        reader.close()
    if signed is None:
        st.caption(label("none", lang))
        return
    said = read_checkpoint(signed.note)
    st.code(f"{said.origin}\n{said.size}\n{said.root.hex()}", language=None)
    path = beside(url).policy
    if not path.exists():
        st.warning(label("no_policy", lang))
        rows = [
            {label("signature_line", lang): f"{line.name}+{line.key_id.hex()}"}
            for line in parse_note(signed.note).lines
        ]
        shelf.plain_table(rows)
        return
    policy = read_policy(path)
    _, opened = open_checkpoint(signed.note, policy.verifiers())
    cosigned = policy.cosigned(opened)
    witnesses = {each.verifier: each.name for each in policy.witnesses}
    shelf.plain_table(
        [
            {
                "": "✓",
                label("signature_line", lang): f"{each.verifier.name}+{each.verifier.key_id.hex()}",
                label("cosigned_by", lang): witnesses.get(each.verifier, label("log_key", lang)),
                label("time", lang): moment(each.time),
            }
            for each in opened.signatures
        ]
    )
    if not cosigned:
        st.caption(label("no_cosignature", lang))


def moment(second: int | None) -> str:
    """Return a POSIX second as a time of day, UTC."""
    if second is None:
        return ""
    return datetime.fromtimestamp(min(second, 253_402_300_799), UTC).strftime("%Y-%m-%d %H:%M:%S")


@st.cache_resource(max_entries=16, show_spinner=False)
def derived(url: str, game: str, size: int, hand: int) -> Derivation:
    """Return a hand's deal, derived anew."""
    return redeal.derive(shelf.lines(url, game, size), hand)


def deal(url: str, info: GameInfo, hands: int) -> None:
    """Show the deal of one of a game's hands step by step, the wall it gives, and one tile's proof."""
    lang = shelf.language()
    st.markdown(f"##### {label('rederive', lang)}")
    asked = st.query_params.get("hand", "")
    default = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 and int(asked) < hands else 0
    hand_at, tile_at = st.columns([1, 1])
    hand = hand_at.number_input(label("hand", lang), 0, max(hands - 1, 0), default, key="proof_hand")
    try:
        found = derived(url, info.id, info.size, int(hand))
    except EventError as error:
        st.error(md(str(error), 300))
        return
    if found.deal is None:
        st.info(label("no_deal" if found.why == "none" else "seed_missing", lang))
        return
    steps_table(found.steps)
    place = tile_at.number_input(
        f"{label('this_tile', lang)}: {label('tile_at', lang)}", 0, len(found.spots) - 1, 0, key="proof_tile"
    )
    left, right = st.columns([2, 3])
    with left:
        st.markdown(f"**{label('shuffled_wall', lang)}**")
        wall(found)
    with right:
        st.markdown(f"**{label('tile_proof', lang)}**")
        steps_table(redeal.tile_steps(found, int(place)))


def steps_table(steps: Sequence[Step]) -> None:
    """Show steps with how each value is got, and whether the log says the same."""
    lang = shelf.language()
    shelf.plain_table(
        [
            {
                "": SIGNS[step.agrees],
                label("step", lang): both(step.name, lang),
                label("formula", lang): step.how,
                label("value", lang): step.value,
                label("status", lang): ""
                if step.agrees is None
                else label("same_as_logged" if step.agrees else "differs", lang),
            }
            for step in steps
        ]
    )


def wall(found: Derivation) -> None:
    """Show the shuffled deck place by place, with the event and the seat that each tile went to."""
    lang = shelf.language()
    rows = [
        {
            label("place_in_wall", lang): spot.place,
            label("tile_kind", lang): both(tile(spot.tile.partition(".")[0]), lang),
            "id": shown(spot.tile),
            label("event", lang): spot.seq if spot.seq >= 0 else None,
            label("seat", lang): spot.seat if spot.seat >= 0 else None,
        }
        for spot in found.spots
    ]
    st.dataframe(rows, hide_index=True, width="stretch", height=420)


@st.cache_data(max_entries=64, show_spinner=False)
def receipt_files(url: str, game: str, size: int) -> dict[str, bytes]:
    """Return the receipt of a closed game and its events, by file name; `size` tells a game that has grown."""
    reader = read_ledger(url)
    try:
        made = make_receipt(reader, game)
        return {made.name + SUFFIX: made.proof.format(), bundle_name(game): pack(read_events(reader, game, size))}
    finally:
        reader.close()


def receipt(url: str, info: GameInfo) -> None:
    """Offer the receipt for download."""
    lang = shelf.language()
    st.markdown(f"##### {label('receipts', lang)}")
    if not info.closed:
        st.caption(label("receipt_none", lang))
        return
    # Made when it is asked for: the path of a receipt is worked out from the leaves of the whole log.
    names = (f"game-{info.id}{SUFFIX}", bundle_name(info.id))
    for column, name in zip(st.columns(2), names, strict=True):
        column.download_button(
            md(name, 120),
            lambda name=name: receipt_files(url, info.id, info.size)[name],
            file_name=name,
            mime="application/octet-stream",
            on_click="ignore",
        )
    st.code(f"paipu verify-receipt {names[0]} --policy {beside(url).policy.name}", language=None)
