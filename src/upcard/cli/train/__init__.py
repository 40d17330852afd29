"""The command train: drills on the full screen or line by line."""
