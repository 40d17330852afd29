# %% [markdown]
# # A count, its bets and its risk
#
# Simulate a counter for some seconds, look at what each count is worth, choose the bets, and see what they do to a bankroll.

# %%
from fractions import Fraction

import upcard
from upcard.analysis.count_rows import read_document
from upcard.analysis.ramp_plan import RampQuestion
from upcard.analysis.ruin_paths import PathsAnswer
from upcard.answers.ramp_report import answer_ramp
from upcard.charts.plot_data import read_count_plot, read_paths_plot
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.job import read_ramp

RULES = "6D H17 LS"
run = upcard.simulate(RULES, rounds="20M", seed=1, count="hi-lo", ramp="1-8", indices="i18+fab4")
print(run)
print(f"With flat bets the same rounds give {run.flat.ev:+.3%} of a bet.")

# %% [markdown]
# The exact solver checks the simulation: the same chart without a count, from a fresh shoe.

# %%
chart_ev = upcard.expected_value(RULES, strategy=upcard.basic_strategy(RULES))
print(f"The chart alone is worth {chart_ev:+.3%}; the index plays add the rest.")

# %% [markdown]
# ## What a count is worth
#
# Above: what a unit wins in a round that begins at this count, with its error.
# Below: how often one does.

# %%
read_count_plot(run.document())

# %% [markdown]
# Below +1 the house is ahead, and the counter waits with the smallest bet.
#
# ## The bets
#
# From one run, every ramp can be valued without playing again.
# Which ramp from 1 to 8 is best for a bankroll of 10,000 and a risk of ruin of 5%?

# %%
question = RampQuestion(spread=8, bankroll=10_000, risk=0.05, hours=200, goal=5_000)
answer = answer_ramp(read_document(run.document()), question)
plan = answer.told[0]
print(plan.words)
print(f"A unit is {plan.unit_text}.")
for name in plan.shown:
    print(f"{plan.figures[name].title:<45} {plan.text(name)}")

# %% [markdown]
# ## A bankroll on its way
#
# The risk above comes from formulas, which take a bankroll for a Brownian motion.
# Here 1,000 bankrolls of 400 units are played round by round, with a ramp that anyone can remember, for 20,000 rounds each.

# %%
plan = BankPlan(
    job=run.job,
    ramp=read_ramp("0:1 1:2 2:4 3:8", run.job),
    bankroll=Fraction(400),
    rounds=20_000,
    paths=1_000,
)
paths = PathsAnswer(paths=play_paths(plan))
(ruin,) = paths.comparisons
print(f"Ruined: {ruin.simulated.number} of {plan.paths:,}; the formula says {ruin.formula.text}.")
read_paths_plot(paths)

# %% [markdown]
# Half of the bankrolls are in the inner band, and nine of ten in the outer one.
# A larger bank, or smaller bets, means less ruin, and less money for the hours: `upcard ramp` and `upcard bankroll` ask the same questions from the command line.
