"""Install pip into a virtual environment made without it: scripts/get_pip.py PYTHON

Debian's Python cannot copy pip into new environments without its package python3-venv. The wheel
comes from the package index that pip is configured for, by an environment variable or a file, and
must have the hash in requirements/pip.txt. Runs outside of the environment, with the standard
library and, where there is one, the pip of the interpreter.
"""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urljoin, urlsplit

LOCK = Path(__file__).resolve().parent.parent / "requirements" / "pip.txt"
SECONDS = 60  # without an answer


class GetPipError(Exception):
    """Why there is no pip, as a sentence."""


class Links(HTMLParser):
    """The addresses that a page links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [text for name, text in attrs if tag == "a" and name == "href" and text]


def read_lock() -> tuple[str, set[str]]:
    """Return the name of pip's wheel, and the hashes that are right."""
    text = LOCK.read_text(encoding="utf-8")
    (version,) = re.findall(r"^pip==(\S+)", text, re.MULTILINE)
    return f"pip-{version}-py3-none-any.whl", set(re.findall(r"sha256:([0-9a-f]{64})", text))


def find_indexes() -> list[str]:
    """Return the indexes that pip is configured for, in the order in which pip asks them."""
    found: dict[str, str] = {}
    home = Path.home()
    files = (
        *(
            Path(folder) / "pip"
            for folder in os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")
        ),
        Path("/etc"),
        home / ".pip",
        Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "pip",
    )
    own = os.environ.get("PIP_CONFIG_FILE")
    for file in (*(folder / "pip.conf" for folder in files), *((Path(own),) if own else ())):
        parser = configparser.RawConfigParser()
        parser.read(file, encoding="utf-8")
        for section in ("global", "install"):
            if parser.has_section(section):
                found |= dict(parser[section])
    names = ("index-url", "extra-index-url")
    texts = (
        os.environ.get(f"PIP_{name.replace('-', '_').upper()}", found.get(name, ""))
        for name in names
    )
    return [index for text in texts for index in text.split()]


def fetch_wheel(folder: Path) -> Path:
    """Save pip's wheel in a folder. Raises: GetPipError."""
    name, hashes = read_lock()
    reasons = []
    for index in find_indexes():
        page = f"{index.rstrip('/')}/pip/"
        try:
            links = Links(open_address(page).decode(errors="replace")).found
            here = [link for link in links if urlsplit(link).path.rpartition("/")[2] == name]
            content = open_address(urljoin(page, here[0])) if here else b""
        except (OSError, ValueError) as error:
            reasons.append(f"{index}: {error}")
            if isinstance(error, urllib.error.HTTPError):
                error.close()  # it is the answer, too
            continue
        if hashlib.sha256(content).hexdigest() in hashes:
            wheel = folder / name
            wheel.write_bytes(content)
            return wheel
        reasons.append(f"{index}: its {name} has another hash" if here else f"{index}: no {name}")
    raise GetPipError("; ".join(reasons) or "no package index is configured for pip")


def open_address(address: str) -> bytes:
    """Return what is at an address. Raises: OSError, ValueError."""
    if urlsplit(address).scheme not in ("http", "https", "file"):
        msg = f"{address} is no address of an index"
        raise ValueError(msg)
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:  # noqa: S310 (just looked at)
        found: bytes = answer.read()
        return found


def install(python: str) -> None:
    """Install pip by the interpreter's own, or else by the wheel itself. Raises: GetPipError."""
    pinned = (
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "-r",
        str(LOCK),
    )
    if find_spec("pip"):
        command = [sys.executable, "-m", "pip", "--python", python, *pinned]
        if subprocess.run(command, check=False).returncode == 0:
            return
    with tempfile.TemporaryDirectory(prefix="upcard-pip-") as folder:
        wheel = fetch_wheel(Path(folder))
        place = ("--no-index", "--find-links", folder)
        command = [python, f"{wheel}/pip", *pinned, *place]
        if subprocess.run(command, check=False).returncode:
            msg = f"{wheel.name} did not install itself"
            raise GetPipError(msg)


if __name__ == "__main__":
    try:
        install(sys.argv[1])
    except GetPipError as error:
        sys.exit(f"upcard: no pip for the virtual environment: {error}.")
