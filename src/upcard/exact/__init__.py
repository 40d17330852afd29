"""Exact values of decisions and games, computed without sampling."""
