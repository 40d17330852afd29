"""The game line by line: a console, a dialogue for each house, and the loop between them."""
