"""Index plays: the count from which a play beats the chart, found exactly and by simulation."""
