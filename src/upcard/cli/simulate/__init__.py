"""The commands that play many rounds: simulate, sessions."""
