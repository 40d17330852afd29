"""Document 003: the player who answers offers, the game, and scripted answers for tests."""
