"""Saved games: bankroll, sessions, rounds, judgements, drills and runs, in one SQLite file.

`open_store` opens it, `KeptTable` plays and saves rounds, `history` reads them, `codes` writes a
round as a short text.
"""
