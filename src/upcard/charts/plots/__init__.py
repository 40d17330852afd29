"""Plots of results, and heat maps: as SVG, PNG, HTML and text."""
