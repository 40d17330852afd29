"""One person at a table: chips, bets, company, coach and memory, for every front-end.

No toolkit is in here: the full screen, the line game and the browser ask and render. A
`GameSession` knows whose turn it is, what the chips cover, and what is saved.
"""
