"""Rules of a house: `Rules`, their notation and named houses. Standard library only."""
