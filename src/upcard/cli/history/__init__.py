"""The commands about rounds that were played: history, replay, stats, verify."""
