"""Index plays: from which count on a play beats the chart, found exactly and by simulation."""
