"""What cards, ranks, hands and actions are; the standard library only."""
