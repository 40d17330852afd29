"""The memory of `upcard web` while hands are played at a saved table with the coach.

python -m benchmarks.web_memory HANDS
    plays through the pages' own addresses; prints the resident memory every 250 hands (Linux)
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.web_client import WebClient, WebServer, serve

_STEP: Final = 250


def measure_server(hands: int, step: int = _STEP) -> dict[int, float]:
    """Play hands; return the MB of the server by the number of hands."""
    with tempfile.TemporaryDirectory() as folder, serve(folder) as server:
        client, rng, found = WebClient(server), random.Random(1), {0: _megabytes(server)}
        form = {"rules": "6D", "bet": "10", "coach": "before", "keep": "saved", "chips": "1000000"}
        path = client.post("/tables", **form).headers["location"]
        view, played = client.get(path).json(), 0
        while True:
            asked = view["session"]["asked"]
            if asked is None and played and played % step == 0:
                found[played] = _megabytes(server)
            if asked is None and played == hands:
                return found
            if asked is None:
                reply = client.post(f"{path}/bet", v=view["version"], bet="10")
                played += 1
            else:
                do = rng.choice(list(asked["answers"]))
                reply = client.post(f"{path}/act", v=view["version"], do=do)
            view = reply.json()


def _megabytes(server: WebServer) -> float:
    pages = int(Path(f"/proc/{server.process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


if __name__ == "__main__":
    for hands, megabytes in measure_server(int(sys.argv[1])).items():
        print(f"{hands:>6} hands {megabytes:7.1f} MB")
