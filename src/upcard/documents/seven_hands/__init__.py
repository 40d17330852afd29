"""Document 001: one to seven hands, drawn as boxes."""
