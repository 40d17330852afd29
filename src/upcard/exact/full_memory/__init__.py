"""Split hands played with full memory: every card seen in the round counts."""
