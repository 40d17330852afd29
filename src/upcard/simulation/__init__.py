"""Simulation of many rounds: chunks, tallies, executors, checkpoints."""
