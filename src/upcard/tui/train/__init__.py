"""Drills on the screen: a menu of them, and a screen for each subject."""
