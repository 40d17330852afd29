"""Many shoes side by side, by the automaton of a round."""
