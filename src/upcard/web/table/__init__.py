"""The start page and the table: seats, moves, and what is around them."""
