"""临海三吃一 (三打一) one against three: 54 cards, an auction, a kitty, one trump suit, permanent twos.

Nothing was found for the game's own name (`cards.md`); the base is the national 三打一, so every number is grade C
or H: C the national game of that name, H ours, always an option.

* deal, kitty of 6, bids 60 to 80, late minimums, rank order, follow rule: SD-D, SD-Q, SD-T (C)
* first bidder: holder of 3D, later the declarer: SD-D, SD-Q (C); 3D in the kitty: seat 0, SD-G (C)
* all pass: dealt anew, SD-Q (C); the other values SD-D, SD-G, SD-R (C)
* trump after burying: SD-D, SD-Q (C); before: SD-G (C). Kitty shown up to a bid of 65: SD-D, SD-Q (C); 70: SD-T (C)
* points may be buried (H); permanent twos: all sources (C), off: SD-X, a room option (C)
* threshold 105 - bid: SD-Q, SD-R, in words SD-T (C); 100 - bid: SD-D, SD-G (C)
* 抠底 wins outright, no kitty points: SD-D, SD-G (C); `multiplier_only`, `off` (H)
* stakes 1 to 5 and the multipliers: SD-D (C), the other table SD-G (C)
* order of events and time-outs: `cards.md`, "Order of play" (H); a match of 16 hands: `modes.md` 1 (H)
"""

from engine.match import Hands, Match
from engine.tricks.rules import AuctionRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("family", ("trick_points",)),
    ("d3_in_kitty", ("seat0", "redeal", "d4_holder")),
    ("late_minimums", (True, False)),
    (
        "all_pass",
        (
            "redeal_same_first_bidder",
            "most_common_trumps_wins",
            "most_common_trumps_loses",
            "first_bidder_forced_at_minimum",
        ),
    ),
    ("trump_timing", ("after_bury", "before_bury")),
    ("show_kitty_max_bid", (65, 0, 60, 70, 75, 80)),
    ("bury_points", (True, False)),
    ("permanent_twos", (True, False)),
    ("red_five", ("none",)),
    ("defenders_need", ("105_minus_bid", "100_minus_bid")),
    ("koudi", ("wins_outright", "multiplier_only", "off")),
    ("kitty_points_on_koudi", (0, 1, 2)),
    ("base", None),
    ("multiplier_table", ("sd_d", "sd_g")),
    ("escape", ("off",)),
)
"""Every option of the page in its order, with the values an operator may tick."""

RULES = AuctionRules(
    id="three_one",
    variant="three_one",
    zh="临海三吃一",
    en="Linhai one against three",
    match=Match(length=Hands(hands=16)),
    offers=OFFERS,
    withheld=(
        ("family", "climbing", "the two-deck climbing game of that name is not specified"),
        ("red_five", "sd_r", "the place of the red five is known from one machine translation only"),
        ("multiplier_table", "sd_r", "its bids run from 50 to 70, which this auction has not"),
        ("escape", "sd_d", "no event says when its penalties fall due"),
    ),
    permanent_twos=True,
)
