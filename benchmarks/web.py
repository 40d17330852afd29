"""`upcard web`: its first page, answers, edges and charts, sliders, the weight of pages, a crowd.

python -m benchmarks.web            all of it
python -m benchmarks.web --json     for a program
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Final
from unittest import mock

from benchmarks.timing import Figure, describe_machine, run_yardstick, time_once
from benchmarks.web_client import WebClient, serve
from benchmarks.web_paint import measure_paint

_PAGES: Final = 100
_DECISIONS: Final = 200
_SLIDES: Final = 60
_TABLES: Final = 100
_CROWD_SECONDS: Final = 20.0
_RUN: Final = {"r": "6D S17 DAS LS PEN75", "count": "hi-lo", "rounds": "2M", "seed": "1"}
_HTML: Final = "text/html"
_FILE: Final = re.compile(r'(?:href|src|content)="(/static/[^"]+)"')
_IMPORT: Final = re.compile(r'(?:from|import)\s*\(?"\./([\w.-]+)"')


def measure_web(runs: int) -> dict[str, Figure]:
    """Measure everything but weights; the figures are in seconds."""
    yardstick = time_once(run_yardstick)
    taken: dict[str, list[float]] = {"start, to the first page": []}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder, serve(folder) as server:
            client = WebClient(server)
            client.get(f"/open?key={server.key}")
            client.get("/", accept=_HTML)
            taken["start, to the first page"].append(time.time() - server.started)
    figures = _medians(taken, yardstick)
    paints = [one for one in (measure_paint() for _ in range(runs)) if one is not None]
    if paints:
        figures |= _medians({"start, to the first paint in Chromium": paints}, yardstick)
    with tempfile.TemporaryDirectory() as folder, serve(folder) as server:
        client = WebClient(server)
        client.get("/rules?r=6D")  # the solver is loaded
        times: dict[str, list[float]] = {"page /": _time_pages(client)}
        times["an answer at a saved table, with the coach"] = _time_answers(client)
        times["the edge after a switch"], times["the chart after a switch"] = _time_switches(client)
        times["a ramp slider"] = _time_sliders(client)
        times["a saved edge"], times["a saved chart"] = _time_saved_switches()
        for name, all_of_it in times.items():
            figures |= _medians({name: all_of_it}, yardstick)
            slow = statistics.quantiles(all_of_it, n=20)[-1]
            figures[f"web: {name}, 95 of 100"] = Figure(slow, slow / yardstick)
    return figures


def _medians(taken: dict[str, list[float]], yardstick: float) -> dict[str, Figure]:
    medians = {f"web: {name}": statistics.median(times) for name, times in taken.items()}
    return {name: Figure(seconds, seconds / yardstick) for name, seconds in medians.items()}


def _time_pages(client: WebClient) -> list[float]:
    client.get("/", accept=_HTML)
    return [client.get("/", accept=_HTML).seconds for _ in range(_PAGES)]


def _time_answers(client: WebClient) -> list[float]:
    """Play at a saved table; the time of a decision lasts until the coach's values are there."""
    rng = random.Random(1)
    form = {"rules": "6D", "bet": "10", "coach": "before", "keep": "saved", "chips": "10000"}
    path = client.post("/tables", **form).headers["location"]
    view = client.get(path).json()
    taken: list[float] = []
    while len(taken) < _DECISIONS:
        asked = view["session"]["asked"]
        if asked is None:
            reply = client.post(f"{path}/bet", v=view["version"], bet="10")
        else:
            do = rng.choice(list(asked["answers"]))
            reply = client.post(f"{path}/act", v=view["version"], do=do)
        seconds, view = reply.seconds, reply.json()
        if view["coach"]["state"] == "thinking":
            later = client.get(f"{path}/coach?v={view['version']}")
            seconds, view = seconds + later.seconds, later.json()
        taken.append(seconds)
    client.post(f"{path}/leave", v=view["version"])
    return taken[10:]


def _time_switches(client: WebClient) -> tuple[list[float], list[float]]:
    """Turn every switch of the default game once; ask for the edge first, as the page does."""
    from urllib.parse import quote_plus

    from upcard.rules.model import Rules
    from upcard.web.reading import list_turned

    edges, charts = [], []
    for _, _, rules in list_turned(Rules.parse("6D")):
        address = f"/rules?r={quote_plus(str(rules))}"
        edges.append(client.get(address, accept=_HTML, parts="edge").seconds)
        charts.append(client.get(address, accept=_HTML, parts="chart").seconds)
    return edges, charts


def _time_saved_switches() -> tuple[list[float], list[float]]:
    """Turn the switches at a second server, which finds what the first one saved."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"UPCARD_CACHE": f"{folder}/values"}),
    ):
        for _ in range(2):
            with serve(folder) as server:
                times = _time_switches(WebClient(server))
    return times


def _time_sliders(client: WebClient) -> list[float]:
    """Move the slider of the bankroll, so that no question comes twice."""
    path = client.post("/runs", **_RUN).headers["location"]
    while client.get(path).json()["status"] in ("waiting", "running"):
        time.sleep(0.1)
    return [
        client.get(
            f"{path}/ramp?spread=1-{number % 15 + 2}&bankroll={10_000 + 100 * number}",
            accept=_HTML,
            parts="answer words plots table",
        ).seconds
        for number in range(_SLIDES)
    ]


def measure_crowd(tables: int = _TABLES, seconds: float = _CROWD_SECONDS) -> dict[str, float]:
    """Let a process play at many saved tables, a decision each every other second."""
    with tempfile.TemporaryDirectory() as folder, serve(folder) as server:
        WebClient(server).get("/rules?r=6D")
        before = server.cpu_seconds()
        command = [sys.executable, "-m", "benchmarks.web_load", str(tables), str(seconds)]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, input=server.link
        )
        found: dict[str, float] = json.loads(done.stdout)
        after = server.cpu_seconds()
        if before is not None and after is not None:
            found["cpu"] = after - before
    return found


def measure_weights() -> dict[str, float]:
    """Return what a browser with an empty cache loads for a page, packed, in kB."""
    with tempfile.TemporaryDirectory() as folder, serve(folder) as server:
        client = WebClient(server)
        table = client.post("/tables", rules="6D", bet="10", coach="before").headers["location"]
        run = client.post("/runs", **_RUN).headers["location"]
        while client.get(run).json()["status"] in ("waiting", "running"):
            time.sleep(0.1)
        pages = {
            "/": "/",
            "a table": table,
            "/rules": "/rules?r=6D",
            "/hand": "/hand?r=6D&c=8.8&u=T",
            "a ramp": f"{run}/ramp?spread=1-8",
        }
        for address in pages.values():
            client.get(address)  # everything is worked out
        return {
            f"web: {name}, all files packed": _weigh(client, address)
            for name, address in pages.items()
        }


def _weigh(client: WebClient, address: str) -> float:
    page = client.get(address, accept=_HTML)
    total = len(page.body)
    waiting = [*_FILE.findall(gzip.decompress(page.body).decode())]
    known: set[str] = set()
    while waiting:
        file = waiting.pop()
        if file in known:
            continue
        known.add(file)
        reply = client.get(file, accept="*/*")
        total += len(reply.body)
        packed = reply.headers.get("content-encoding") == "gzip"
        text = (gzip.decompress(reply.body) if packed else reply.body).decode()
        folder = file.rpartition("/")[0]
        waiting += [f"{folder}/{name}" for name in _IMPORT.findall(text)]
    return total / 1000


def write_crowd(found: dict[str, float]) -> str:
    """Write how a crowd was answered, in one line."""
    share = f", {found['cpu'] / found['seconds']:.0%} of a core" if "cpu" in found else ""
    return (
        f"{found['answers']:,.0f} answers, {found['refused']:.0f} refused,"
        f" median {found['median'] * 1e3:.1f} ms, 95 of 100 in {found['p95'] * 1e3:.1f} ms,"
        f" slowest {found['slowest'] * 1e3:.1f} ms{share}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what the browser waits for.")
    parser.add_argument("--runs", type=int, default=5, help="starts of the server (5)")
    parser.add_argument("--tables", type=int, default=_TABLES, help=f"of the crowd ({_TABLES})")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    options = parser.parse_args()
    if options.runs < 1 or options.tables < 1:
        parser.error("--runs and --tables start at 1")
    figures = measure_web(options.runs)
    weights = measure_weights()
    crowd = measure_crowd(options.tables)
    if options.json:
        document: dict[str, Any] = {name: figure._asdict() for name, figure in figures.items()}
        document |= {name: {"kilobytes": weight} for name, weight in weights.items()}
        print(json.dumps(document | {f"web: {options.tables} tables": crowd}, indent=2))
        return
    print(describe_machine())
    for name, figure in figures.items():
        print(f"{name:58}{figure.seconds * 1e3:9.1f} ms{figure.yardsticks:12.3g}")
    for name, weight in weights.items():
        print(f"{name:58}{weight:9.1f} kB")
    print(f"web: {options.tables} saved tables: {write_crowd(crowd)}")


if __name__ == "__main__":
    main()
