"""A short, seeded slice of every campaign: `make campaign` runs as many as you like."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLICES = {
    "kills": 12,
    "disk": 30,
    "keys": 6,
    "damage": 24,
    "fuzz": 4000,
    "processes": 2,
    "browser": 8,
    "crowd": 1,
    "visits": 2,
    "secrecy": 800,
    "independent": 12,
    "values": 400,
    "environments": 3,
    "lockstep": 16,
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="campaigns need fork and signals")
@pytest.mark.parametrize("name", SLICES)
def test_a_slice_of_a_campaign_finds_nothing(name):
    words = [name, "--seed", "1", "--count", str(SLICES[name]), "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "campaign", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
