"""The commands that compute exact answers: solve, edge, chart, removal, policy, indices, cache."""
