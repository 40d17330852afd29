"""Measurements of speed and memory, without saved values but where a name says so."""

import os

os.environ["UPCARD_CACHE"] = "off"
