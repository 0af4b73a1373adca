"""Referees of Dinghai and Duqiao: what their pages say otherwise than Linhai's (`mahjong.md` 2, `duqiao.md`)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import hu_plain
import tai_plain
from referee import Body, Referee, Steps
from tally import Winner

from engine import frame
from engine.cards import tile_deck
from engine.game import Game

SHARED: dict[str, Any] = {
    "reserve_per_flower": False, "last_discard_claims": "all_but_kong", "swap_ban": "off", "pass_win_lock": "off",
    "pass_pung_lock": "off", "liability_counts_added_kong": False, "min_tai": 0, "wall.dice_inclusive": True,
    "wall.count_direction": "cw", "deal.order": "ccw", "rob_kong": "off",
}  # fmt: skip
"""What the pages fix where Linhai has an option."""


class FlowerReferee(Referee, ABC):
    """Flowers count: eight of them win, and the last of the wall may be one (2.3, 2.5 row 17)."""

    def opening_pass(self, seat: int) -> Steps:
        """2.2: one pass, or until the seat holds none (DH-06)."""
        dealt = [tile for tile in self.hands[seat] if tile[0] == "f"]
        ended = yield from super().opening_pass(seat)
        if dealt and seat == self.dealer:
            self.filled = self.drawn
        if not ended and self.flowers_of(seat) and self.options["initial_flower_order"] == "each_completes":
            return (yield from self.opening_pass(seat))
        return ended

    def eight(self, seat: int) -> bool:
        return len(self.sheet.flowers[seat]) == 8 and self.options.get("eight_flowers", "instant") == "instant"

    def eight_winner(self, seat: int) -> Winner:
        return Winner(seat, self.hands[seat], "self_draw", None, "eight_flowers", None)

    def no_replacement(self, seat: int) -> Steps:
        if self.options.get("last_flower") == "discard_on":
            self.drawn = None
            self.fresh = False
            return False
        if self.eight(seat):
            yield from self.won([self.eight_winner(seat)])
            return True
        return (yield from super().no_replacement(seat))

    def acts(self, seat: int) -> list[Body]:
        found = super().acts(seat)
        return [{"type": "declared", "seat": seat, "what": "eight_flowers"}, *found] if self.eight(seat) else found

    def declared(self, seat: int, what: str) -> Winner:
        return self.eight_winner(seat) if what == "eight_flowers" else self.own_winner(seat)

    def earthly_ways(self) -> str:
        return str(self.options["earthly"])

    def own_winner(self, seat: int) -> Winner:
        winner = super().own_winner(seat)
        if winner.occasion == "earthly" and self.earthly_ways() == "dealer_first_discard":
            winner.occasion = None
        winner.kong = self.kong if winner.occasion in {"kong_bloom", "flower_bloom"} else None
        winner.last = not self.can_draw()
        return winner

    def claimant(self, seat: int, source: int, tile: str, *, robbing: bool, last: bool) -> Winner:
        winner = super().claimant(seat, source, tile, robbing=robbing, last=last)
        first = source == self.dealer and self.discarded[source] == 1 and not self.claimed
        if not robbing and not last and first and self.earthly_ways() != "first_draw":
            winner.occasion = "earthly"
        winner.last = last
        return winner

    def edges(self, winners: list[Winner]) -> list[tuple[int, int, int]]:
        self.sheet.hands = self.hands
        return self.paid(winners, [winner.seat for winner in winners])

    @abstractmethod
    def paid(self, winners: list[Winner], seats: list[int]) -> list[tuple[int, int, int]]:
        """Return what is paid, as (payer, payee, amount); without winners what a drawn hand costs."""


class DinghaiReferee(FlowerReferee):
    def __init__(self, options: Mapping[str, Any], *rest: Any) -> None:
        its = {**SHARED, "reserve": 0, "reserve_per_kong": 0, "last_discard_claims": "win_only",
               "rob_kong": "as_discard", **options}  # fmt: skip
        its["swap_ban"] = "off" if options["swap_ban"] == "none" else options["swap_ban"]
        self.tile_locked: list[set[str]] = [set(), set(), set(), set()]
        self.filled: str | None = None
        super().__init__(its, *rest)

    def earthly_ways(self) -> str:
        return str(self.options["earthly_mode"])

    def own_winner(self, seat: int) -> Winner:
        winner = super().own_winner(seat)
        if winner.occasion == "heavenly" and self.sheet.flowers[seat] and not self.options["heavenly_after_flowers"]:
            winner.occasion, winner.tile = "flower_bloom", self.filled
        return winner

    def unlock(self, seat: int) -> None:
        super().unlock(seat)
        self.tile_locked[seat].clear()

    def lock_win(self, seat: int, tiles: set[str]) -> None:
        if self.options["pass_win_lock"] == "same_tile":
            self.tile_locked[seat] |= tiles
        else:
            super().lock_win(seat, tiles)

    def win_is_locked(self, seat: int, tile: str) -> bool:
        return super().win_is_locked(seat, tile) or tile in self.tile_locked[seat]

    def claimed_turn(self, seat: int, kind: str, tile: str, pair: Sequence[str]) -> None:
        super().claimed_turn(seat, kind, tile, pair)
        if kind == "pung" and self.options["swap_ban"] == "chow+peng":
            self.banned = {tile}
        if self.options["lock_reset"] == "turn":
            self.unlock(seat)

    def worth(self, winner: Winner) -> int:
        return tai_plain.tai_of(self.sheet, winner)

    def paid(self, winners: list[Winner], seats: list[int]) -> list[tuple[int, int, int]]:
        if not winners:
            return tai_plain.drawn_edges(self.sheet)
        return [edge for winner in winners for edge in tai_plain.edges(self.sheet, winner, seats)]

    def next_dealer(self) -> int:
        after = (self.dealer + 1) % 4
        if not self.winners:
            return self.dealer if self.options["drawn_hand_dealer"] == "stay" else after
        if self.options["multi_win_dealer"] == "first_winner_deals" and len(self.winners) > 1:
            return self.winners[0]
        return self.dealer if self.winners[0] == self.dealer else after


class DuqiaoReferee(FlowerReferee):
    def __init__(self, options: Mapping[str, Any], *rest: Any) -> None:
        per_kong = 1 if options["kong_extends_dead_wall"] else 0
        super().__init__({**SHARED, "reserve": 14, "reserve_per_kong": per_kong, **options}, *rest)

    def worth(self, winner: Winner) -> int:
        return hu_plain.winner_score(self.sheet, winner)[0]

    def paid(self, winners: list[Winner], seats: list[int]) -> list[tuple[int, int, int]]:
        paid = [edge for winner in winners for edge in hu_plain.edges(self.sheet, winner, seats)]
        return paid + hu_plain.losers_edges(self.sheet, seats)

    def next_dealer(self) -> int:
        if self.dealer in self.winners:
            return self.dealer
        if self.winners and self.options["dealer"] == "winner_becomes_dealer":
            return self.winners[0]
        return (self.dealer + 1) % 4


REFEREES = {"linhai": Referee, "dinghai": DinghaiReferee, "duqiao": DuqiaoReferee}
"""By the folder of the preset's data."""


def referee_of(game: Game) -> Referee:
    """Return a referee for the hand that has just started."""
    deal = frame.hand_deal(game)
    assert deal is not None
    rules: Any = game.premise.rules
    deck = tile_deck(flowers=rules.flowers)
    wall = [deck[position].partition(".")[0] for position in deal.wall]
    kind = REFEREES[rules.variant]
    return kind(rules.options(), game.spot["dealer"], game.spot["round_wind"], wall, deal.dice)
