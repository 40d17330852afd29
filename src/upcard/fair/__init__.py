"""Fair shuffles: commitment, shuffle, reveal, and a program of its own that verifies them."""
