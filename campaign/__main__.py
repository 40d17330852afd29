"""Try to break upcard, for minutes or for hours; docs/reliability.md states what came of it.

python -m campaign                          all subjects, a few minutes
python -m campaign kills --count 1000       one subject, so many cases
python -m campaign all --minutes 30         half an hour for each subject
python -m campaign all --long --keep        the long run, its figures written into the page
python -m campaign fuzz --seed 3 --first 17 --count 1    one case again

Exit code: 0 if nothing was found, 1 if something was, 130 if it was interrupted before.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from campaign.figures import describe_run, keep, keep_in_page, write_summary
from campaign.running import Wanted, run_subject

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaign.case import Subject
    from campaign.running import Finding, Result

NAMES: Final = (
    "kills",
    "keys",
    "disk",
    "damage",
    "fuzz",
    "processes",
    "browser",
    "crowd",
    "visits",
    "secrecy",
    "independent",
    "values",
    "lockstep",
    "environments",
)
_PROGRESS_SECONDS: Final = 15.0


def load_subject(name: str) -> Subject:
    """Return a subject by its name."""
    subject: Subject = import_module(f"campaign.{name}").SUBJECT
    return subject


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    options = _read_options(arguments)
    if sys.platform == "win32":
        sys.stderr.write("campaign: it needs fork and signals, which Windows does not have\n")
        return 2
    facts = describe_run(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended in order, as by Ctrl-C
    results: list[Result] = []
    for name in NAMES if "all" in options.subjects else options.subjects:
        result = _run(load_subject(name), options)
        results.append(result)
        _save(result, facts, options)  # what is done is not lost when the next one is killed
        if result.was_interrupted:
            break
    print("\n" + write_summary(results))
    if options.keep:
        print("The figures are in campaign/figures.json and docs/reliability.md.")
    if any(result.findings for result in results):
        return 1
    return 130 if any(result.was_interrupted for result in results) else 0


def _save(result: Result, facts: dict[str, Any], options: argparse.Namespace) -> None:
    """Write the figures of a subject into the files that the options name."""
    if options.json is not None:
        path = Path(options.json)
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        path.write_text(json.dumps(keep(known, [result], facts), indent=2) + "\n", encoding="utf-8")
    if options.keep:
        keep_in_page([result], facts)


def _read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m campaign",
        description=(__doc__ or "").partition("\n")[0],
        epilog="\n".join(f"{name:12} {load_subject(name).about}" for name in NAMES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "subjects", nargs="*", default="all", choices=("all", *NAMES), metavar="SUBJECT",
        help="any of: all (default), " + ", ".join(NAMES),
    )  # fmt: skip
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--count", type=int, metavar="N", help="run N cases of each subject")
    amount.add_argument("--minutes", type=float, metavar="M", help="run each subject M minutes")
    amount.add_argument(
        "--long", action="store_true", help="run as many as docs/reliability.md states"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="(default: the time)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin at case N")
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes (default: 2)"
    )
    parser.add_argument("--json", metavar="FILE", help="add the results to this file")
    parser.add_argument(
        "--keep", action="store_true", help="write the figures into docs/reliability.md"
    )
    options = parser.parse_args(arguments)
    for name in ("count", "minutes", "workers"):
        value = getattr(options, name)
        if value is not None and value <= 0:
            parser.error(f"--{name} is more than 0")
    if options.first < 0:
        parser.error("--first starts at 0")
    if options.seed is None:
        options.seed = int(time.time())
    return options


def _run(subject: Subject, options: argparse.Namespace) -> Result:
    count = options.count
    if options.minutes is None and count is None:
        count = subject.long if options.long else subject.quick
    wanted = Wanted(
        seed=options.seed,
        first=options.first,
        count=count,
        seconds=None if options.minutes is None else 60 * options.minutes,
        workers=options.workers * (2 if subject.waits else 1),
    )
    print(f"{subject.name}: {subject.about}. Seed {wanted.seed}.", flush=True)
    result = run_subject(subject, wanted, watch=_make_watch(count))
    print(f"\r{_progress(result, count)}", flush=True)
    return result


def _make_watch(count: int | None) -> Callable[[Result], None]:
    shown, told = time.monotonic(), 0

    def watch(result: Result) -> None:
        nonlocal shown, told
        for finding in result.findings[told:]:
            print("\n" + write_finding(finding), flush=True)
        told = len(result.findings)
        if time.monotonic() - shown > _PROGRESS_SECONDS:
            shown = time.monotonic()
            print(_progress(result, count), flush=True)

    return watch


def _progress(result: Result, count: int | None) -> str:
    of = "" if count is None else f" of {count:,}"
    rate = result.cases / result.seconds if result.seconds else 0
    return (
        f"  {result.cases:,}{of} {result.unit}, {len(result.findings)} findings,"
        f" {result.seconds:.0f} s, {rate:,.1f} a second"
    )


def write_finding(finding: Finding) -> str:
    """Write a finding with the command that shows it again."""
    body = "\n".join(f"  {line}" for line in finding.text.splitlines())
    return f"FINDING in case {finding.number} of {finding.subject}\n{body}\n  {finding.command}"


if __name__ == "__main__":
    sys.exit(main())
