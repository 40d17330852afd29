"""The command replay: a round of a run, of a code or of your history."""
