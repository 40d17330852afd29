"""The history, the review of rounds, and the results."""
