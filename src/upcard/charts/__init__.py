"""Pictures of a strategy chart: terminal text, SVG, HTML, and the same as data."""
