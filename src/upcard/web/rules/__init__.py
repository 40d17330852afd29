"""The rules editor, the chart, and the houses."""
