"""Every random test here draws the same examples on every machine; failures still shrink."""

from hypothesis import settings

settings.register_profile("upcard", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("upcard")
