"""A disk that knows what was synced: which folders a power cut could leave, of all that was done.

Until a file is synced, each of its writes may be on the disk, in part or not at all, in any order;
until its folder is synced, so may a new name, another name, or the end of a name.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

_SECTOR: Final = 512
_SHARES: Final = (0.0, 0.0, 0.5, 0.9, 1.0)
"""Shares of what was not synced that are on the disk after all; one is drawn for each cut."""


class Written(NamedTuple):
    """Bytes written into a file."""

    file: int
    offset: int
    data: bytes


class Truncated(NamedTuple):
    """A file that got this length."""

    file: int
    size: int


class Synced(NamedTuple):
    """A file whose content the disk was made to write."""

    file: int


class Named(NamedTuple):
    """Names that changed together: each with its file, or None where the name is gone."""

    names: tuple[tuple[Path, int | None], ...]


class FolderSynced(NamedTuple):
    """A folder whose names the disk was made to write."""

    folder: Path


class Said(NamedTuple):
    """A promise made to the user at this moment."""

    words: tuple[str, ...]


Event = Written | Truncated | Synced | Named | FolderSynced | Said


@dataclass(slots=True)
class _File:
    """A file: what the disk has of it for certain, and what was done to it since."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Written | Truncated] = field(default_factory=list)

    def sync(self) -> None:
        for event in self.pending:
            _apply(self.durable, event)
        self.pending.clear()


def _apply(content: bytearray, event: Written | Truncated) -> None:
    """Change the content of a file by an event."""
    end = event.size if isinstance(event, Truncated) else event.offset
    content.extend(bytes(max(end - len(content), 0)))
    if isinstance(event, Truncated):
        del content[event.size :]
    else:
        content[event.offset : event.offset + len(event.data)] = event.data


class Tape:
    """What was done to the files below a folder, in order, from a first state that is durable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.live: dict[Path, int] = {}
        """The file that has each name now."""
        self._first: list[bytes] = []
        for place in sorted(folder.rglob("*")):
            if place.is_file():
                self.live[place] = len(self._first)
                self._first.append(place.read_bytes())
        self._names = dict(self.live)
        self._files = len(self._first)

    def create(self, place: Path) -> None:
        """Note a new, empty file, if there is none with the name."""
        if place not in self.live:
            self.live[place] = self._files
            self.events.append(Named(((place, self._files),)))
            self._files += 1

    def rename(self, old: Path, new: Path) -> None:
        """Note that a file has another name; one that had it is gone."""
        self.live[new] = self.live.pop(old)
        self.events.append(Named(((old, None), (new, self.live[new]))))

    def unlink(self, place: Path) -> None:
        """Note that a name is gone."""
        if self.live.pop(place, None) is not None:
            self.events.append(Named(((place, None),)))

    def said(self, until: int) -> list[tuple[str, ...]]:
        """Return the promises made before a moment."""
        return [event.words for event in self.events[:until] if isinstance(event, Said)]

    def cut(self, until: int, rng: random.Random, folder: Path) -> int:
        """Write into an empty folder what a power cut may leave; return how much it forgot.

        `until` is the number of events before it. Whole and torn writes, new lengths and names
        count as one each.
        """
        files, names, pending = self._play(until)
        shares = {"data": rng.choice(_SHARES), "names": rng.choice(_SHARES)}
        tears = rng.random() < 0.5
        forgotten = 0
        for named in pending:
            if rng.random() < shares["names"]:
                _rename(names, named)
            else:
                forgotten += 1
        for place, number in names.items():
            content = files[number].durable
            for event in files[number].pending:
                if rng.random() < shares["data"]:
                    _apply(content, event)
                    continue
                forgotten += 1
                if tears and isinstance(event, Written):
                    _tear(content, event, rng)
            target = folder / place.relative_to(self.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(0o600)
        return forgotten

    def find_risky(self) -> list[int]:
        """Return the moments at which a power cut could forget something."""
        found, unsynced, names = [], set[int](), list[Named]()
        for until, event in enumerate(self.events, 1):
            match event:
                case Written() | Truncated():
                    unsynced.add(event.file)
                case Synced():
                    unsynced.discard(event.file)
                case Named():
                    names.append(event)
                case FolderSynced():
                    names = _not_in(event.folder, names)
            if unsynced or names:
                found.append(until)
        return found

    def _play(self, until: int) -> tuple[list[_File], dict[Path, int], list[Named]]:
        """Return files, durable names and pending changes of names at a moment."""
        files = [_File(bytearray(content)) for content in self._first]
        files += [_File() for _ in range(self._files - len(files))]
        names, pending = dict(self._names), list[Named]()
        for event in self.events[:until]:
            match event:
                case Written() | Truncated():
                    files[event.file].pending.append(event)
                case Synced():
                    files[event.file].sync()
                case Named():
                    pending.append(event)
                case FolderSynced():
                    for named in pending:
                        if named.names[0][0].parent == event.folder:
                            _rename(names, named)
                    pending = _not_in(event.folder, pending)
                case Said():
                    pass
        return files, names, pending


def _not_in(folder: Path, changes: list[Named]) -> list[Named]:
    return [named for named in changes if named.names[0][0].parent != folder]


def _rename(names: dict[Path, int], named: Named) -> None:
    for place, number in named.names:
        if number is None:
            names.pop(place, None)
        else:
            names[place] = number


def _tear(content: bytearray, event: Written, rng: random.Random) -> None:
    """Write the first sectors only; a file that grew may have the rest of its length in zeros."""
    end = max(event.offset + len(event.data), len(content))
    kept = rng.randrange(len(event.data) // _SECTOR + 1) * _SECTOR
    _apply(content, event._replace(data=event.data[:kept]))
    if rng.random() < 0.3:
        content.extend(bytes(end - len(content)))
