"""The command that serves the browser: web."""
