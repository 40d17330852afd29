"""Memory: bankroll, sessions, rounds that replay, judgements, drills and runs, in one SQLite file.

`open_store` opens it, `KeptTable` plays at a table that remembers, `history` reads, `codes` writes
a round as a short text.
"""
