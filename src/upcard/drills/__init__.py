"""Drills: questions ordered by what mistakes cost, and what an answer was worth."""
