"""Commands that play many rounds: simulate, sessions."""
