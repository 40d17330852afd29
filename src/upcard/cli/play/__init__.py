"""The commands that start a game or a drill: upcard, play, web, basics, train."""
