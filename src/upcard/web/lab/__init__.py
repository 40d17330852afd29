"""The lab: simulations beside the pages, their results, ramps and banks."""
