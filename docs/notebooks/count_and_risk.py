# %% [markdown]
# # A count, its bets and its risk
#
# Simulate a counter for some seconds, look at what each count is worth, choose the bets, and see what they do to a bankroll.

# %%
import upcard

RULES = "6D H17 LS"
run = upcard.simulate(RULES, rounds="20M", seed=1, count="hi-lo", ramp="1-8", indices="i18+fab4")
print(f"With flat bets the same rounds give {run.flat.ev:+.3%} of a bet.")
run

# %% [markdown]
# The exact solver checks the simulation: the same chart without a count, from a fresh shoe.

# %%
chart_ev = upcard.expected_value(RULES, strategy=upcard.basic_strategy(RULES))
print(f"The chart alone is worth {chart_ev:+.3%}; the index plays add the rest.")

# %% [markdown]
# ## What a count is worth
#
# The picture above has what a unit wins in a round that begins at each count, with its error, and how often one does.
# The same as a table, for a data frame or for a loop:

# %%
for row in run.by_count().to_dicts():
    if row["frequency"] > 0.01:
        share, ev, error = row["frequency"], row["ev"], row["standard_error"]
        print(f"{row['label']:>4} {share:6.1%} of the rounds, {ev:+.2%} ± {error:.2%} of a bet")

# %% [markdown]
# Below +1 the house is ahead, and the counter waits with the smallest bet.
#
# ## The bets
#
# From one run, every ramp can be valued without playing again.
# Which ramp from 1 to 8 is best for a bankroll of 10,000 and a risk of ruin of 5%?

# %%
answer = run.ramp(spread="1-8", bankroll=10_000, risk="5%", hours=200, goal=5_000)
print(f"A unit is {answer.plans[0].unit:.2f}.")
answer

# %% [markdown]
# ## A bankroll on its way
#
# The risk above comes from formulas, which take a bankroll for a Brownian motion.
# Here 1,000 bankrolls of 400 units are played round by round, with a ramp that anyone can remember, for 20,000 rounds each.

# %%
bank = run.bankroll(400, ramp="0:1 1:2 2:4 3:8", rounds=20_000, paths=1_000)
(ruin,) = bank.comparisons
print(f"Ruined: {ruin.simulated.number} of 1,000; the formula says {ruin.formula.text}.")
bank

# %% [markdown]
# Half of the bankrolls are in the inner band, and nine of ten in the outer one.
# A larger bank, or smaller bets, means less ruin, and less money for the hours: `upcard ramp` and `upcard bankroll` ask the same questions from the command line.
