"""The simulator's loop: shoe after shoe, round after round, in one compiled function."""
