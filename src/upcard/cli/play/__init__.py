"""Commands that start a game, and the page that explains it: play, basics, and no command."""
