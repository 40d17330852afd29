# %% [markdown]
# # Train an agent, and price its mistakes
#
# A tabular learner starts from nothing, plays some million rounds, and ends with a chart.
# The exact solver knows the best chart, so what the agent still does wrong has a price without any luck in it.
#
# This needs the extra `rl`: `pip install "upcard[rl]"`.

# %%
from dataclasses import replace

import gymnasium

import upcard
from upcard.charts.layout import compare_charts
from upcard.env.learners import monte_carlo
from upcard.env.policy_charts import evaluate

RULES = "6D H17 LS CSM"  # every round from a fresh shoe
envs = gymnasium.make_vec(
    "upcard.env:upcard/Blackjack-v1",
    num_envs=4096,
    rules=RULES,
    observation="cell",
    autoreset_mode="SameStep",
    credit=True,
)
best = upcard.basic_strategy(RULES)

# %% [markdown]
# ## Learn
#
# Monte Carlo control, four times as long each time.
# *Regret* is what the learned chart loses against the best one, in percent of the bet.

# %%
for rounds in (200_000, 800_000, 3_200_000):
    values = monte_carlo(envs, rounds=rounds, seed=1)
    learned = evaluate(values, RULES)
    unlike = len(compare_charts(learned.chart, best))
    print(f"{rounds:>9,} rounds: regret {learned.regret:.3%}, {unlike} of 330 cells differ")

# %% [markdown]
# ## What it learned, beside the best
#
# The agent's chart after the last training:

# %%
replace(learned.chart, title=f"{RULES}: learned in {rounds:,} rounds")

# %% [markdown]
# And the best chart of these rules:

# %%
best

# %% [markdown]
# ## What its mistakes cost
#
# Not all cells that differ matter: some hands are rare, and some answers are as good as another.
# Each cell is corrected alone, and the whole game is valued again, exactly.

# %%
learned

# %% [markdown]
# ## At the table
#
# A chart knows the first two cards.
# Over rounds with the oracle beside the table, every answer is priced, those to hands of three cards and more too.

# %%
played = evaluate(values, RULES, rounds=1_000, seed=1).played
print(f"Regret at the table: {played.regret:.3%} ± {played.standard_error:.3%} of a bet a round.")
for kind, share in played.unlike.items():
    print(f"Unlike its chart, {kind}: {share:.1%} of the answers")

# %% [markdown]
# More rounds make it better, and slowly: the last mistakes are the cheap ones, which luck hides longest.
# [Environments](../rl.md) has other learners, other layouts and the leaderboard.
