"""The proof of one game: the checkpoint with who signed and cosigned it, the deal from seed to tile, the receipt."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from engine.errors import EventError
from ledger.checkpoint import open_checkpoint, read_checkpoint
from ledger.errors import LedgerError
from ledger.note import parse_note
from ledger.proof import SUFFIX
from ledger.receipt import bundle_name, make_receipt, pack, read_events
from viewer import redeal
from viewer.commands.receipt import SCRIPT
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.page.choice import opened
from viewer.redeal import Derivation, Step
from viewer.targets import beside, read_ledger, read_policy
from viewer.translate import N_, both, gettext, moment
from viewer.words import tile

SIGNS = {True: "✓", False: "✗", None: ""}
NO_DEAL = N_("The deal follows no committed seed: nothing to derive.")
NO_SEED = N_("The seed of this hand is not revealed yet.")


def show() -> None:
    """Draw the page."""
    one = opened()
    if one is None:
        return
    url, found, info = one
    try:
        checkpoint(url)
    except (LedgerError, OSError) as error:
        st.error(md(str(error), 300), icon=":material/error:")
    deal(url, info, found.hands([info])[0])
    receipt(url, info)


def checkpoint(url: str) -> None:
    """Show the newest checkpoint: what it says, which keys signed, which witnesses cosigned and when."""
    lang = shelf.language()
    st.markdown(f"##### {gettext('Checkpoint', lang)}")
    reader = read_ledger(url)
    try:
        signed = reader.checkpoint()
    finally:
        reader.close()
    if signed is None:
        st.caption(gettext("The ledger has no checkpoint yet.", lang))
        return
    said = read_checkpoint(signed.note)
    st.code(f"{said.origin}\n{said.size}\n{said.root.hex()}", language=None)
    path = beside(url).policy
    if not path.exists():
        st.warning(gettext("no pinned policy beside the ledger: signatures are read, not judged", lang))
        rows = [
            {gettext("Signature", lang): f"{line.name}+{line.key_id.hex()}"} for line in parse_note(signed.note).lines
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
                gettext("Signature", lang): f"{each.verifier.name}+{each.verifier.key_id.hex()}",
                gettext("Cosigned by", lang): witnesses.get(each.verifier, gettext("log key", lang)),
                gettext("Time", lang): "" if each.time is None else moment(each.time * 1000, lang),
            }
            for each in opened.signatures
        ]
    )
    if not cosigned:
        st.caption(gettext("no witness has cosigned this checkpoint", lang))


@st.cache_resource(max_entries=16, show_spinner=False)
def derived(url: str, game: str, size: int, hand: int) -> Derivation:
    """Return a hand's deal, derived anew."""
    return redeal.derive(shelf.lines(url, game, size), hand)


def deal(url: str, info: GameInfo, hands: int) -> None:
    """Show the deal of one of a game's hands step by step, the wall it gives, and one tile's proof."""
    lang = shelf.language()
    st.markdown(f"##### {gettext('The deal, from seed to tile', lang)}")
    asked = st.query_params.get("hand", "")
    default = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 and int(asked) < hands else 0
    hand_at, tile_at = st.columns([1, 1])
    hand = hand_at.number_input(gettext("Hand", lang), 0, max(hands - 1, 0), default, key="proof_hand")
    try:
        found = derived(url, info.id, info.size, int(hand))
    except EventError as error:
        st.error(md(str(error), 300))
        return
    if found.deal is None:
        st.info(gettext(NO_DEAL if found.why == "none" else NO_SEED, lang))
        return
    steps_table(found.steps)
    place = tile_at.number_input(
        gettext("A tile, by its place in the wall", lang), 0, len(found.spots) - 1, 0, key="proof_tile"
    )
    left, right = st.columns([2, 3])
    with left:
        st.markdown(f"**{gettext('The shuffled wall, place by place', lang)}**")
        wall(found)
    with right:
        st.markdown(f"**{gettext('Proof of the tile', lang)}**")
        steps_table(redeal.tile_steps(found, int(place)))


def steps_table(steps: Sequence[Step]) -> None:
    """Show steps with how each value is got, and whether the log says the same."""
    lang = shelf.language()
    shelf.plain_table(
        [
            {
                "": SIGNS[step.agrees],
                gettext("Step", lang): both(step.name, lang),
                gettext("How", lang): both(step.how, lang),
                gettext("Value", lang): step.value if isinstance(step.value, str) else both(step.value, lang),
                gettext("Status", lang): ""
                if step.agrees is None
                else gettext(N_("as logged") if step.agrees else N_("differs from the log"), lang),
            }
            for step in steps
        ]
    )


def wall(found: Derivation) -> None:
    """Show the shuffled deck place by place, with the event and the seat that each tile went to."""
    lang = shelf.language()
    rows = [
        {
            gettext("Place in the wall", lang): spot.place,
            gettext("Tile", lang): both(tile(spot.tile.partition(".")[0]), lang),
            gettext("Id", lang): shown(spot.tile),
            gettext("Event", lang): spot.seq if spot.seq >= 0 else None,
            gettext("Seat", lang): spot.seat if spot.seat >= 0 else None,
        }
        for spot in found.spots
    ]
    st.dataframe(rows, hide_index=True, width="stretch", height=420, placeholder="–")


@st.cache_data(max_entries=64, show_spinner=False)
def receipt_files(url: str, game: str, size: int) -> dict[str, bytes]:
    """Return the receipt of a closed game and its events, by file name; `size` tells a game that has grown."""
    reader = read_ledger(url)
    try:
        made = make_receipt(reader, game)
        return {made.name + SUFFIX: made.proof.format(), bundle_name(game): pack(read_events(reader, game, size))}
    finally:
        reader.close()


def receipt_file(url: str, info: GameInfo, name: str) -> bytes:
    """Return one of a game's files."""
    return receipt_files(url, info.id, info.size)[name]


def receipt(url: str, info: GameInfo) -> None:
    """Offer the receipt for download."""
    lang = shelf.language()
    st.markdown(f"##### {gettext('Receipt', lang)}")
    if not info.closed:
        st.caption(gettext("The game has no closing entry yet: no receipt.", lang))
        return
    # Made when it is asked for: the path of a receipt is worked out from the leaves of the whole log.
    names = [f"game-{info.id}{SUFFIX}", bundle_name(info.id)]
    if not desk.named():
        del names[1]
        st.caption(gettext("The game's file names the players: show their ids to download it.", lang))
    files: dict[str, Callable[[], bytes]] = {name: partial(receipt_file, url, info, name) for name in names}
    policy = beside(url).policy
    if policy.exists():
        files[policy.name] = policy.read_bytes
    files[SCRIPT.name] = SCRIPT.read_bytes  # the same check without us: one file, the standard library alone
    with st.container(horizontal=True):
        for name, read in files.items():
            st.download_button(
                md(name, 120), read, file_name=name, mime="application/octet-stream", key=name, on_click="ignore"
            )
    st.code(f"paipu verify-receipt {names[0]} --policy {policy.name}", language=None)
