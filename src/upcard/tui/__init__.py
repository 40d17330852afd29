"""The full screen, by Textual: it renders and asks, and decides nothing."""
