"""Cards, ranks, hands and actions; the standard library only."""
