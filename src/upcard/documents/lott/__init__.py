"""Document 003: the player to whom offers are made, the game, and known answers for tests."""
