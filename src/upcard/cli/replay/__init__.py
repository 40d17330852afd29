"""The command replay: a round again, of a run, of a code or of your history."""
