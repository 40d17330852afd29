"""What a run's numbers mean: bets by count, risk, and the best ramp."""
