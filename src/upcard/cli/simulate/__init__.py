"""The commands that play many rounds, or read such runs: simulate, sessions, ramp, bankroll."""
