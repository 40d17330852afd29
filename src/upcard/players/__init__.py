"""Players: students' players, bots, charts, known answers, and betting systems."""
