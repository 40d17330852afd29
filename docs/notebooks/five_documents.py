# %% [markdown]
# # The classroom of the five documents
#
# Five teaching texts describe a blackjack program each, and no two play the same game.
# In upcard each is a *house*: the same engine, other rules.
# [Systems](../systems.md) says how each was read.

# %%
import upcard
from upcard.documents.roanoke import Computer
from upcard.table import ScriptedShoe

HOUSES = ("deshmukh", "seven-hands", "mdp", "lott", "roanoke")
for name in HOUSES:
    print(f"{name:<12} {upcard.expected_value(name):+.5%}  {upcard.load_house(name).title}")

# %% [markdown]
# The value is that of one round with best play. In two of the five the player is ahead.
#
# ## Document 000: chips, hit and stand
#
# A chip game without doubles, splits or surrender, whose dealer stops when ahead.
# `cards` are in the order in which this house deals: two to the player, then the dealer's face-down and face-up card.

# %%
result = upcard.play_round("deshmukh", "TC 9D 2C KH 6C", decisions="stand", bets="10")
hand = result.hands[0]
print(*hand.cards, hand.total, hand.outcome, "net", result.net)
print("dealer", *result.dealer.cards, result.dealer.total)

# %% [markdown]
# ## Document 001: one to seven hands
#
# Every hand has its bet; a round goes through the hands in turn.

# %%
result = upcard.play_round(
    "seven-hands", "8C 8D TS 9D 7H TC 8S 3H 9C 6S", decisions="stand stand", bets=[10, 5]
)
for hand in result.hands:
    print(*hand.cards, hand.total, hand.outcome, "bet", hand.bet, "net", hand.net)

# %% [markdown]
# ## Document 002: BlackJack(p)
#
# A card is worth ten with probability p, whatever was dealt before.
# The best first action for every hand, one letter for each upcard from 2 to ace:

# %%
policy = upcard.policy("4/13")
print(f"p = {policy.p}: a round is worth {policy.ev:+.4%} of the bet.")
print(policy)

# %% [markdown]
# With more tens, the player of this game does better:

# %%
for p in ("0.2", "4/13", "0.4", "0.45"):
    policy = upcard.policy(p)
    print(f"p = {p:<5} {policy.ev:+8.3%}   16 against 10: {dict(policy)['16'][8]}")

# %% [markdown]
# ## Document 003: a player of objects
#
# The game makes offers and the player accepts or rejects them.
# A player of your own overrides what it does differently.


# %%
class Ann(upcard.Player):
    """Splits eights, doubles 11, and never hits a stiff hand against a weak upcard."""

    name = "Ann"

    def split(self, hand):
        return hand.cards[0].rank == 8

    def double_down(self, hand):
        return hand.total == 11

    def hit(self, hand):
        is_stiff = hand.total >= 12 and not hand.is_soft
        return hand.total < 17 and not (is_stiff and 2 <= self.table.upcard.rank <= 6)


game = upcard.Game("lott", Ann(), ScriptedShoe("8S 8D 6H TC 3C KD TH 9S 7D"))
for step in ("new_game", "place_bets", "deal", "offer_insurance", "offer_splits"):
    getattr(game, step)()
    print(game, end="\n\n")

# %% [markdown]
# Is she better than the document's simple player?
# Both play the same cards, so that most of the luck cancels out:

# %%
from upcard.players.play_rounds import compare_players
from upcard.simulation.registry import make_player

rules = upcard.house("lott")
print(compare_players(rules, Ann(), make_player("lott-simple", rules), rounds=4_000, seed=7))

# %% [markdown]
# ## Document 004: hit or stick
#
# The computer of this classroom plays by three numbers: the probability of hitting 12, the highest count for a hit, and the probability there.

# %%
computer = Computer(1, 17, 0.5)
for count in range(11, 19):
    print(f"count {count}: hits with probability {computer.hit_probability(count):.2f}")

# %% [markdown]
# No bets are made here: a round won counts 1, a round lost −1.

# %%
run = upcard.simulate("roanoke", player="computer:1,17,0.5", rounds="20k", seed=1)
print(f"{run.ev:+.3f} ± {run.standard_error:.3f} a round")
print(f"{upcard.expected_value('roanoke'):+.3f} by the best play")
