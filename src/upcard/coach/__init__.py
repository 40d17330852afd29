"""The coach: the value of each answer, the reasons for it and the cost of a mistake."""
