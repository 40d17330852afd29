"""Many rounds: chunks, tallies, executors, checkpoints."""
