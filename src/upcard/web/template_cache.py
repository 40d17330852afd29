"""`TemplateCache`: compiled templates, saved where Python saves compiled modules."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from jinja2 import BytecodeCache

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

_OPTIONS = ("trim_blocks", "lstrip_blocks", "autoescape", "optimized", "is_async")
"""The options of an environment that change what a template is compiled to."""


class TemplateCache(BytecodeCache):
    """Saves each compiled template in `__pycache__`, so that only the first start compiles it.

    A file counts only for the same source, Python, Jinja and options. Without the right to write
    there, or with `PYTHONDONTWRITEBYTECODE`, nothing is saved.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket if the template is there."""
        with suppress(OSError, EOFError, pickle.UnpicklingError), _place(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Save the template; another process that reads it sees all of it, or nothing."""
        if sys.dont_write_bytecode:
            return
        place = _place(bucket)
        fresh = place.with_name(f"{place.name}.{os.getpid()}")
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(bucket.bytecode_to_string())
            fresh.replace(place)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the path of the template, as the name says nothing about its folder."""
        return filename or name


def _place(bucket: Bucket) -> Path:
    options = [str(getattr(bucket.environment, name)) for name in _OPTIONS]
    made_by = hashlib.sha256(" ".join((jinja2.__version__, *options)).encode()).hexdigest()[:8]
    module = Path(cache_from_source(bucket.key))  # start.cpython-311.pyc of start.html
    return module.with_name(f"{module.stem}.{made_by}.html")
