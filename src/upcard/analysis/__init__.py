"""Analysis of a run: bets by count, risk, and the best ramp."""
