"""The commands that list and explain rules: rules, houses, counts."""
