"""The commands about bets and bankrolls: ramp, bankroll."""
