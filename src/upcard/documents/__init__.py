"""The five source documents: their dialogues, players and tables.

- `deshmukh`: document 000, the dialogue of a menu game.
- `seven_hands`: document 001, one to seven hands drawn as boxes.
- `mdp`: document 002, BlackJack(p), the best first action for every hand.
- `lott`: document 003, the player who is made offers, and the game.
- `roanoke`: document 004, the computer and its dialogue.

The dialogues and the line game share `dialogue` and `console`.
"""
