"""Games, and counts in a game, side by side: what each earns, and which one to play."""
