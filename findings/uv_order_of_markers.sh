#!/usr/bin/env bash
# States: `uv pip compile --universal`, given two lines for one package with markers that exclude
#   each other, pins both versions if the line without an upper bound is first, and the old version
#   for every system if it is second.
# Seen with: uv 0.13.8, numba and llvmlite of November 2026.
# Matters: a bound for one old system takes new versions from all others, without a word; metadata
#   from a build backend that sorts its lines decides which. `environments` in [tool.uv] of a
#   pyproject.toml gives the order.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install uv==0.13.8
others="numba>=0.61,<0.69; sys_platform != 'darwin' or platform_machine != 'x86_64'"
intel="numba>=0.61,<0.63; sys_platform == 'darwin' and platform_machine == 'x86_64'"
printf '%s\n' "$others" "$intel" >"$work/new-first.in"
printf '%s\n' "$intel" "$others" >"$work/old-first.in"

pins() {
    for order in new-first old-first; do
        echo "$order:" $(run -m uv pip compile --quiet --universal --python-version 3.11 \
            --no-annotate --no-header "$order.in" | sed -nE 's/^numba==([0-9]+\.[0-9]+).*/\1/p' | sort)
    done
}
expect pins <<'END'
new-first: 0.62 0.68
old-first: 0.62
END
