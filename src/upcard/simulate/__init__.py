"""Many rounds: chunks, tallies, executors, checkpoints. The room itself is the call.

`upcard.simulate(rules, ...)` and `import upcard.simulate.run` want the same name for a function and
for a room; a module may be of a class of its own, so this one can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from upcard.simulate.run import Run


class _CallableRoom(ModuleType):
    """A module that passes a call on to `run.simulate`."""

    def __call__(self, *args: Any, **options: Any) -> Run:
        """Simulate; see `upcard.simulate.run.simulate`."""
        from upcard.simulate.run import simulate

        return simulate(*args, **options)


sys.modules[__name__].__class__ = _CallableRoom
