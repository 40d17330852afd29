"""Document 004: the computer, and the dialogue that the sample sessions show."""
