"""Long, seeded attempts to break upcard: `python -m campaign --help`, docs/reliability.md."""
