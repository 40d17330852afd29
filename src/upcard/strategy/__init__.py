"""What to do, as data: charts that print and read back; the standard library only."""
