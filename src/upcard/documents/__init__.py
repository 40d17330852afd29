"""Players and tables that only the five source documents need.

- `mdp`: document 002, BlackJack(p), the best first action for every hand.
- `lott`: document 003, the player who is made offers, and the game.
- `roanoke`: document 004, the computer that hits at random.

Their dialogues are in `line`, and their games are houses.
"""
