"""The hand analyser."""
