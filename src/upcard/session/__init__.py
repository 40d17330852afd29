"""One person at a table: chips, bets, company, coach and history, for every front-end.

Nothing here depends on a toolkit: the full screen, the line game and the browser ask and draw. A
`GameSession` knows whose turn it is, what the chips cover, and what is saved.
"""
