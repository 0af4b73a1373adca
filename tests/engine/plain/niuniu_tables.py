"""Niuniu games for the tests: laid decks, lively players, option sets; built on the `Room` of `tables`."""

from collections.abc import Mapping, Sequence
from typing import Any

from tables import Laid, Policy, Room, stream_of

from engine.cards import CARD_INDEX
from engine.events import Body
from engine.shuffle import Stream
from engine.variants import find

MODES = ("asked", "fixed_owner", "rotate", "bull_takes", "free_bid", "see3_bid", "see4_bid", "none")


def lay_cards(hands: Sequence[str], *, deck: int = 54) -> Laid:
    """Lay a deck that deals these hands with seat 0 as dealer: card k goes to seat k mod n."""
    n = len(hands)
    wall = [-1] * deck
    for seat, text in enumerate(hands):
        for place, code in enumerate(text.split()):
            wall[seat + n * place] = CARD_INDEX[code]
    rest = iter([card for card in range(deck) if card not in wall])
    return Laid(tuple([next(rest) if card < 0 else card for card in wall]), ())


def sit(preset: str, options: Mapping[str, Any] | None = None, *, hands: Sequence[str] = (), players: int = 0,
        name: str = "niuniu", **room: Any) -> Room:  # fmt: skip
    """Open a table; with hands its first deck is laid."""
    rules = find(preset, options)
    n = len(hands) or players or rules.players
    laid = lay_cards(hands, deck=rules.deck) if hands else None
    return Room(preset, options, name=name, laid=laid, players=[f"bot:{name}-{seat}" for seat in range(n)], **room)


def lively(name: str, *, escape_in: int = 24) -> Policy:
    """Choose any lawful bid or bet, seats in any order; the largest bet often; an escape once in a while."""
    stream = stream_of(name, "lively")

    def choose(room: Room, options: list[Body]) -> Body:
        seats = sorted({body["seat"] for body in options})
        asked = [seat for seat in seats if room.table.timeout(seat) is not None]
        spare = [seat for seat in seats if seat not in asked]
        if spare and stream.below(escape_in) == 0:
            asked = spare
        seat = asked[stream.below(len(asked))]
        mine = [body for body in options if body["seat"] == seat]
        if mine[0]["type"] == "bet" and stream.below(3) == 0:
            return mine[-1]
        return mine[stream.below(len(mine))]

    return choose


def game(preset: str, options: Mapping[str, Any], *, name: str, players: int = 0, hands: int = 16,
         match: Mapping[str, Any] | None = None) -> Room:  # fmt: skip
    """Play a whole game."""
    room = sit(preset, options, players=players, name=name, match={"length": {"hands": hands}, **(match or {})})
    room.play(lively(name))
    return room


def combination(stream: Stream) -> tuple[str, dict[str, Any], int, dict[str, Any]]:
    """Draw preset, options, number of players and match at random."""

    def one(*values: Any) -> Any:
        return values[stream.below(len(values))]

    preset = one("niuniu", "niuniu.national")
    options: dict[str, Any] = {"banker": one(*MODES)}
    for option, values in find(preset).offers:
        if values is not None and option != "banker" and stream.below(2):
            options[option] = one(*values)
    if stream.below(2):
        kinds = ("five_small", "bomb", "five_face", "silver")
        options["specials"] = {kind: 1 + stream.below(9) for kind in kinds if stream.below(2)}
    if stream.below(2):
        words = ["small", "bomb", "flower"]
        options["special_order"] = ">".join(words.pop(stream.below(len(words))) for _ in range(3))
    if stream.below(3) == 0:
        options["base"] = one(2, 10, 1000)
    if stream.below(3) == 0:
        options["bets"] = one([1, 2], [2, 5, 10], [1, 3, 10, 20])
    players = 2 + stream.below(find(preset, options).most_players - 1)
    base = options.get("base", 1)
    match = one({}, {"start_points": 60 * base}, {"start_points": 300 * base}, {"start_points": 40 * base})
    return preset, options, players, match
