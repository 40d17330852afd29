"""One module a command; each has a `command`, and imports what it needs when it runs."""
