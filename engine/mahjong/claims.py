"""Claim windows: who may answer what, who prevails, and what a declined option locks (`mahjong.md` 0.7, 2.3).

Arrival order is not part of the state: answers are kept by seat, and nothing is resolved before the last one.
"""

from engine.cards import FLOWERS
from engine.mahjong.hand import POWER, SUIT, complete
from engine.mahjong.rules import MahjongRules
from engine.mahjong.score import forbids
from engine.mahjong.shapes import completes, shape
from engine.mahjong.state import NONE, Hand, Options, Side, Win, Window, can_draw

NO_CHOWS: tuple[tuple[int, int], ...] = ()
HONOURS = 27
"""The first kind that makes no run."""
NOTHING: frozenset[int] = frozenset()
NO_BAN = frozenset({"off", "none"})
"""Values of `swap_ban` that forbid nothing; all others forbid a swap after a chow."""
PAIRS = tuple(
    tuple(
        (low, high)
        for low, high in ((tile - 2, tile - 1), (tile - 1, tile + 1), (tile + 1, tile + 2))
        if tile < HONOURS and low // 9 == tile // 9 == high // 9
    )
    for tile in range(FLOWERS)
)
"""By tile, the pairs of kinds that make a run with it, lowest first."""
PUNG_BANS = frozenset({"chow+peng"})
"""Values of `swap_ban` that forbid a swap after a pung, too."""


def claimed_win(hand: Hand, seat: int, window: Window) -> Win:
    """Return the win of a seat on the window's tile."""
    counts = list(hand.sides[seat].counts)
    counts[window.tile] += 1
    by = "robbed" if window.robbing else "discard"
    occasion = ""
    if not window.robbing:
        if window.last:
            occasion = "last_discard"
        elif earthly_discard(hand, window):
            occasion = "earthly"
    return Win(seat, window.tile, by, window.source, occasion, tuple(counts), last=window.last)


def earthly_discard(hand: Hand, window: Window) -> bool:
    """Tell whether a win on this discard is 地胡: on the dealer's first, nobody having claimed (DH-24)."""
    return (
        "dealer_first_discard" in hand.rules.earthly_ways
        and window.source == hand.dealer
        and not hand.claimed_any
        and len(hand.sides[window.source].discards) == 1
    )


def may_win(hand: Hand, seat: int, window: Window) -> str:
    """Return "" where the seat may win on the window's tile, else the key of the clause that forbids it."""
    if not shape(hand, seat, window.tile):
        return "shape"
    side = hand.sides[seat]
    if side.win_lock or window.tile in side.win_locks:
        return "lock.win"
    return forbids(hand, claimed_win(hand, seat, window))


def swap_banned(claimed: int, pair: tuple[int, int]) -> frozenset[int]:
    """Return the kinds that may not be discarded right after chowing `claimed` with this pair (2.3).

    The claimed kind itself and, where it is an end of the run, the kind three away on the other side of the pair.
    """
    low, high = pair
    banned = {claimed}
    if claimed < low and high % 9 < 8:
        banned.add(high + 1)
    elif claimed > high and low % 9 > 0:
        banned.add(low - 1)
    return frozenset(banned)


def may_chow(rules: MahjongRules) -> bool:
    """Tell whether these rules allow chows at all (3.4, HN-41)."""
    return not rules.no_chow and (rules.players != 3 or rules.three_player_chow)


def chows(hand: Hand, seat: int, tile: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of kinds with which the seat may chow the tile, lowest first (1.3, swap ban 2.3)."""
    side = hand.sides[seat]
    counts = side.counts
    found = [pair for pair in PAIRS[tile] if counts[pair[0]] and counts[pair[1]] and hand.wild not in pair]
    if not found:
        return NO_CHOWS
    rules = hand.rules
    if not may_chow(rules):
        return NO_CHOWS
    if rules.swap_ban not in NO_BAN:
        found = [pair for pair in found if leaves_discard(hand, side, pair, swap_banned(tile, pair))]
    elif side.held:
        found = [pair for pair in found if leaves_discard(hand, side, pair, NOTHING)]
    return tuple(found)


def leaves_discard(hand: Hand, side: Side, used: tuple[int, ...], banned: frozenset[int]) -> bool:
    """Tell whether a tile may go after a claim with these tiles: none banned, no flower, no wild but alone (HN-10)."""
    rest = [kind for kind, have in enumerate(side.counts) if have > used.count(kind)]
    if hand.rules.wild_discard == "forbid" and rest != [hand.wild]:
        rest = [kind for kind in rest if kind != hand.wild]
    return any(kind not in banned for kind in rest)


def open_window(hand: Hand, tile: int, source: int, to: int, *, robbing: bool) -> Window | None:
    """Return the window for a discard or an added kong, with the complete option set of every other seat.

    None where no seat has an option.
    """
    drawable = can_draw(hand)
    window: Window | None = None
    sides = hand.sides
    n = len(sides)
    melding = not robbing and (drawable or hand.rules.last_discard_claims == "all_but_kong") and tile != hand.wild
    wide = hand.wide
    for step in range(1, n):
        seat = (source + step) % n
        side = sides[seat]
        win = kong = pung = False
        runs = NO_CHOWS
        # Only a hand that waits can win: of most seats that is all there is to look at.
        if (wide or (side.lack() if side.lacking < 0 else side.lacking) == 1) and _completes(hand, side, tile):
            window = window or Window(tile, source, to, robbing, not drawable, {})
            win = not may_win(hand, seat, window)
        if melding:
            have = side.counts[tile]
            if have >= 2:
                pung = tile not in side.pung_locks
                if side.held and pung:
                    pung = leaves_discard(hand, side, (tile, tile), NOTHING)
                kong = have == 3 and drawable
            if step == 1:
                runs = chows(hand, seat, tile)
        if win or pung or kong or runs:
            window = window or Window(tile, source, to, robbing, not drawable, {})
            window.options[seat] = Options(win, kong, pung, runs)
    return window if window is not None and window.options else None


def _completes(hand: Hand, side: Side, tile: int) -> bool:
    keys = side.keys
    suit, power = SUIT[tile], POWER[tile]
    keys[suit] += power
    win = completes(hand, side, keys, tile) if hand.wide else complete(*keys)
    keys[suit] -= power
    return win


def claim_fault(hand: Hand, seat: int, answer: str, tiles: tuple[int, ...]) -> str:
    """Return "" where the answer is in the seat's option set, else the key of the clause that forbids it."""
    window = hand.window
    assert window is not None
    options = window.options.get(seat)
    if options is None:
        return "claims.no_option"
    if seat in window.answers:
        return "claims.once"
    if answer == "pass":
        return "" if not tiles else "claims.tiles"
    if answer == "win":
        if tiles:
            return "claims.tiles"
        return "" if options.win else may_win(hand, seat, window)
    if window.robbing:
        return "claims.robbing"
    return _meld_fault(hand, options, seat, answer, tiles)


def _meld_fault(hand: Hand, options: Options, seat: int, answer: str, tiles: tuple[int, ...]) -> str:
    window = hand.window
    assert window is not None
    tile = window.tile
    if hand.wild != NONE and hand.wild in (tile, *tiles):
        return "wild.claims"
    if answer == "chow":
        if tiles in options.chows:
            return ""
        if not may_chow(hand.rules):
            return "claims.no_chow"
        if (seat - window.source) % hand.players != 1:
            return "claims.chow_seat"
        return "claims.last_discard" if window.last and not options.chows else "claims.chow"
    size = 3 if answer == "kong" else 2
    if tiles != (tile,) * size:
        return f"claims.{answer}"
    if options.kong if answer == "kong" else options.pung:
        return ""
    if answer == "kong" and hand.sides[seat].counts[tile] == 3 and not can_draw(hand):
        return "wall.reserve"
    if answer == "pung" and tile in hand.sides[seat].pung_locks:
        return "lock.pung"
    return "claims.last_discard" if window.last else f"claims.{answer}"


def resolve(hand: Hand, window: Window) -> tuple[list[int], tuple[int, str, tuple[int, ...]] | None]:
    """Return the winners in order after the source, or the one claim that prevails (0.7 rules 1 to 4)."""
    answers = window.answers
    n = len(hand.sides)
    order = [seat for step in range(1, n) if (seat := (window.source + step) % n) in answers]
    winners = [seat for seat in order if answers[seat][0] == "win"]
    if winners:
        return (winners if hand.rules.multi_win == "all" else winners[:1]), None
    chow = None
    for seat in order:
        answer, tiles = answers[seat]
        if answer in {"kong", "pung"}:
            return [], (seat, answer, tiles)
        if answer == "chow":
            chow = (seat, answer, tiles)
    return [], chow


def lock_after(hand: Hand, window: Window) -> None:
    """Lock what was declined (2.3: pung of the tile, wins on others' tiles), until the seat's next draw."""
    rules = hand.rules
    for seat, options in window.options.items():
        answer = window.answers[seat][0]
        side = hand.sides[seat]
        if options.win and answer != "win":
            lock_win(hand, side, {window.tile})
        if options.pung and answer == "pass" and rules.pass_pung_lock != "off":
            side.pung_locks.add(window.tile)


def lock_win(hand: Hand, side: Side, tiles: set[int]) -> None:
    """Lock the wins of a seat that declined one on any of these tiles (2.3, DH-36)."""
    rule = hand.rules.pass_win_lock
    if rule == "same_tile":
        side.win_locks |= tiles
    elif rule != "off":
        side.win_lock = True
