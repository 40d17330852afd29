"""What a house allows: `Rules`, their notation, and named houses; the standard library only."""
