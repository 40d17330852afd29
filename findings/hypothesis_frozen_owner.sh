#!/usr/bin/env bash
# States: after gc.freeze(), Hypothesis' register_random() warns that a generator which a living
#   object holds could be garbage collected: it looks for the holder with gc.get_referrers(), which
#   does not see frozen objects. From Python 3.14 on a value that is set in an existing
#   threading.local() after the freeze has no visible referrer either, so that with warnings as
#   errors the first Hypothesis test of a process fails.
# Seen with: Hypothesis 6.170.17, CPython 3.11.7, 3.13.0, 3.14.8 and 3.15.0.
# Matters: a pytest hook that freezes what was collected, to make garbage collection in tests cheap.
#   Register before the freeze: enter hypothesis.internal.entropy.deterministic_PRNG() once.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON 3.11
install hypothesis==6.170.17
cat >"$work/frozen.py" <<'END'
import gc
import sys
import threading
import warnings
from random import Random

from hypothesis import register_random


class Holder:
    pass


holder, local = Holder(), threading.local()
holder.generator = Random()
local.other = 0
for state in ("before", "after"):
    if state == "after":
        holder.generator = Random()
        gc.freeze()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        register_random(holder.generator)
    print(state, "the freeze:", *(one.category.__name__ for one in found))
local.generator = Random()
is_seen = bool(gc.get_referrers(local.generator))
print("threading.local() is seen:", is_seen == (sys.version_info < (3, 14)) and "before 3.14 only")
END
expect run frozen.py <<'END'
before the freeze:
after the freeze: HypothesisWarning
threading.local() is seen: before 3.14 only
END
