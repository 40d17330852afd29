"""Fair shuffles: commitment, shuffle, reveal, and an independent program that verifies them."""
