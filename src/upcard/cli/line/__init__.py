"""The game line by line: a console, a voice for each kind of house, and the loop between them."""
