"""The commands about rounds that you played: history, stats, verify."""
