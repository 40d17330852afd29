"""Document 004: the computer, and the dialogue of the sample sessions."""
