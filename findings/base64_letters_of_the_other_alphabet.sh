#!/usr/bin/env bash
# States: base64.urlsafe_b64decode() reads "+" and "/" as "-" and "_", though it skips every other
#   letter outside its alphabet; from Python 3.15 on it gives a FutureWarning for them. b64decode()
#   with altchars and validate=True reads them too, with a DeprecationWarning, where every other
#   letter outside the alphabet is an error.
# Seen with: CPython 3.15.0.
# Matters: a mistyped code that a user pastes prints a path and a line of source. Compare with the
#   alphabet before decoding.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON315 3.15
cat >"$work/letters.py" <<'END'
import base64
import warnings

for name, decode in (
    ("urlsafe", base64.urlsafe_b64decode),
    ("validate", lambda text: base64.b64decode(text, altchars=b"-_", validate=True)),
):
    for text in ("ab+d", "ab/d", "ab-d", "ab*d"):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                answer = f"{len(decode(text))} bytes"
            except ValueError:
                answer = "an error"
        print(name, text, answer, *(one.category.__name__ for one in found))
END
expect run letters.py <<'END'
urlsafe ab+d 3 bytes FutureWarning
urlsafe ab/d 3 bytes FutureWarning
urlsafe ab-d 3 bytes
urlsafe ab*d 2 bytes
validate ab+d 3 bytes DeprecationWarning
validate ab/d 3 bytes DeprecationWarning
validate ab-d 3 bytes
validate ab*d an error
END
