"""A league of players in files: their processes, their rounds, and the table."""
