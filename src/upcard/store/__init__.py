"""Saved games: bankroll, sessions, rounds, judgements, drills and runs, in one SQLite file.

`open_store` opens it, `KeptTable` plays and saves rounds, `history` reads them, `statistics` adds
them up, `round_codes` writes a round as a short text.
"""
