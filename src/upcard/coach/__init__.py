"""The coach: what each answer is worth, why, what a mistake costs, and drills ordered by money."""
