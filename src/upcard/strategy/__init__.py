"""Strategies as data: charts, deviations, counts and ramps; the standard library only."""
