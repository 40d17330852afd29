"""Questions about bets and the bank behind them: a bankroll, sessions, ramps."""
