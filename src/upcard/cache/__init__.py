"""Exact values and charts that were computed before: saved in a folder, or shipped with upcard."""
