# %% [markdown]
# # What a game is worth
#
# A blackjack game is its rules, and its rules are a short text.
# From that text upcard computes the exact value of a round with the best play: no simulation, no chart from a book.

# %%
import upcard

RULES = "6D H17 LS"
game = upcard.solve_game(RULES)
print(f"{RULES}: the house wins {game.house_edge:.3%} of the first bet of a round.")
game

# %% [markdown]
# Most of it is lost against a high card, as the table by the dealer's upcard shows.
#
# ## What each rule costs
#
# Change one rule, and take the difference.
# A plus is for the player.

# %%
SWITCHES = {
    "the dealer stands on soft 17": "6D S17 LS",
    "no surrender": "6D H17 NS",
    "no double after a split": "6D H17 LS NDAS",
    "aces are split again": "6D H17 LS RSA",
    "a natural pays 6:5": "6D H17 LS 6:5",
    "two decks": "2D H17 LS",
    "eight decks": "8D H17 LS",
}
gains = {what: upcard.expected_value(rules) - game.ev for what, rules in SWITCHES.items()}
for what, gain in sorted(gains.items(), key=lambda pair: -pair[1]):
    print(f"{what:<30} {gain:+.3%}")

# %% [markdown]
# A natural that pays 6:5 costs more than all the other rules together can give.
#
# ## One hand
#
# Sixteen against a ten is the closest call of the game.
# Every answer has its value, per initial bet:

# %%
value = upcard.solve(RULES, "T6", "T")
print(f"Best: {value.best}.")
value

# %% [markdown]
# Where surrender is not offered, two fives that are out change the answer:

# %%
for shoe in ("6D", "6D less 5 5"):
    print(f"{shoe:<12} {upcard.solve('6D H17', 'T6', 'T', shoe=shoe).best}")

# %% [markdown]
# ## The whole chart
#
# The best play by totals, for these rules and no others:

# %%
chart = upcard.basic_strategy(RULES)
loss = game.ev - upcard.expected_value(RULES, strategy=chart)
print(f"Against the best play by the exact cards it loses {loss:.4%} of a bet a round.")
chart

# %% [markdown]
# ## The cards that matter
#
# When one card leaves the shoe, the game is worth more or less than before.
# Small cards that are gone are good for the player, tens and aces that are gone are bad: this is what card counters count.

# %%
upcard.effects_of_removal(RULES)
