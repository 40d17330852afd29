"""One answer for each question a person asks, with its figures and its sentences."""
