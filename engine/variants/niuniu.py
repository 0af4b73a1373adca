"""牛牛 Niuniu: `niuniu`, as southern Zhejiang plays it (`cards.md`, preset `zhenan`), and `niuniu.national`.

Sources by the ids of `cards.md`; grades: A a text for that very name, B a sibling of the region or operator family,
C the national game of that name, H a house choice.

`niuniu` (grade B where not said otherwise):

* two to four players, 54 cards; asked in turn for the bank, the first asked forced where all decline [NN-Z; the
  last, and the next hand from the seat after the banker: NN-E; by lot: NN-J, C]
* multipliers 5 4 3 2 for 牛牛, 牛9, 牛8, 牛7 [NN-Z, NN-H, NN-J]; no special hands; 金牛 and 银牛 at 5 each by option
  [NN-Z's 瑞安牛牛, NN-H]; a joker counts ten [NN-Z] and is no face card (H)
* equal types: the highest card, then its suit [NN-Z, NN-J, NN-P, NN-H, NN-C]
* an escape costs the stake, five times it once cards are dealt [NN-Z]
* the banker must hold players x highest multiplier x ante [NN-E], a bet its highest loss [NN-C, C]

`niuniu.national` (grade C where not said otherwise):

* two to ten players, 52 cards, the room's owner is banker [NN-S, NN-9, NN-D]; bids 1 to 4, equal bids and none by
  lot [NN-9, NN-J]; the winning bid multiplies [NN-9]
* multipliers 4 3 2 2 [NN-S table 2, NN-T1]; five faces 5, bomb 6, five small 8 [NN-T1], in the order of NN-B
* bets 1 to 5 times the base (H); 通比: the best hand takes from all [NN-9], in pairs by option (H)
* 推注 to 5, 10, 15 or 20 times the base [NN-S], off
"""

from engine.banker.rules import TABLES, BankerRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("deck", (52, 54)),
    ("banker", ("asked", "fixed_owner", "rotate", "bull_takes", "free_bid", "see3_bid", "see4_bid", "none")),
    ("all_decline", ("first_forced", "last_forced", "random")),
    ("max_bid", (1, 2, 3, 4)),
    ("bid_multiplies", (True, False)),
    ("mult", tuple(TABLES)),
    ("tie", ("high_card_then_suit", "all_ranks_then_suits", "push", "banker_wins")),
    ("specials", None),
    ("five_small", ("lt5_le10", "le5_le10", "sum_le10", "lt5_lt10")),
    ("special_order", None),
    ("gold_silver", ("off", "on")),
    ("joker_is_face", (False, True)),
    ("base", None),
    ("bets", None),
    ("push_bet", ("off", 5, 10, 15, 20)),
    ("tongbi", ("winner_takes_all", "pairwise")),
    ("escape", ("zhenan", "off")),
    ("cap_by_balance", (True, False)),
)
"""Every option of `cards.md`, "牛牛", with the values an operator may tick."""

RULES = BankerRules(
    id="niuniu",
    variant="niuniu",
    zh="牛牛（浙南）",
    en="Niuniu",
    offers=OFFERS,
    players=4,
    most_players=4,
    deck=54,
    banker="asked",
    mult="zhenan_5432",
    specials={},
    escape="zhenan",
)

NATIONAL = RULES.changed(
    {
        "id": "niuniu.national",
        "zh": "牛牛（全国）",
        "en": "Niuniu, national",
        "players": 5,
        "most_players": 10,
        "deck": 52,
        "banker": "fixed_owner",
        "mult": "t_4_3_2_2",
        "specials": {"five_small": 8, "bomb": 6, "five_face": 5},
        "escape": "off",
    }
)
