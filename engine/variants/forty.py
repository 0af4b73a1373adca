"""临海40分 forty points: two teams, 54 cards, levels from 2 past the ace, the attackers' target 40 of 100 points.

Nothing is specific to Linhai or Taizhou (`cards.md`); the base is the single-deck 升级 (Da Bai Fen). Grades: C the
national game of that name, B a sibling of the same family, H ours, always an option.

* cards drawn one by one, showing a trump, turning the kitty: FP-G (C); at any time while drawing: FP-T (C)
* rank order, 12 cards each, 18 trumps: FP-S, FP-P (C)
* starter of an undeclared first hand: the dealer (H)
* level table and the dead step at 40: FP-R with one deck, FP-U halved (C); kitty doubled for a single card: FP-R,
  FP-U (C), × 1 and × 4 (H)
* next starter: partner or right-hand opponent, FP-8 (B, two decks); the same or the last trick's winner: FP-U (B)
* the end past the ace: FP-G, FP-T (C); levels that must be played (H)
* a limit of 35 buried points: FP-K (B); permanent twos: a platform's public option (B)
* money a hand (H, no source): off
* order of events and time-outs: `cards.md`, "Order of play" (H); a match of 64 hands: `modes.md` 1 (H)
"""

from engine.match import Hands, Match
from engine.tricks.rules import LevelRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("who_may_declare", ("anyone", "declarers_first")),
    ("no_declare", ("turn_kitty", "redeal", "no_trump")),
    ("first_starter", ("dealer",)),
    ("bury_point_limit", ("none", 35)),
    ("multi_lead", (False,)),
    ("permanent_twos", (False, True)),
    ("kitty_multiplier", (2, 1, 4)),
    ("next_starter", ("partner_or_right", "same_or_last_trick_winner")),
    ("must_play", None),
    ("stake", ("levels_only", "per_hand")),
    ("base", None),
)
"""Every option of the page in its order, with the values an operator may tick."""

RULES = LevelRules(
    id="forty",
    variant="forty",
    zh="临海40分",
    en="Linhai forty points",
    match=Match(length=Hands(hands=64)),
    offers=OFFERS,
    withheld=(("multi_lead", True, "no source says who judges that several winners are established"),),
)
