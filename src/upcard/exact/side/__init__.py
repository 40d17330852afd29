"""Side bets, exactly: payouts compiled once, their value from any shoe, effects and counts."""
