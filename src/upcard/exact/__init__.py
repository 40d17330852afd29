"""Exact values: what every decision is worth, computed and not sampled."""
