"""Every house has a recorded playthrough, and every one of them still goes as recorded."""

from __future__ import annotations

import pytest
import record

import upcard

FILES = record.files()


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_playthrough_goes_as_recorded(file) -> None:
    recorded = file.read_text(encoding="utf-8")
    assert record.record(recorded).splitlines() == recorded.splitlines()


@pytest.mark.parametrize("house", upcard.house_names())
def test_house_has_a_playthrough(house) -> None:
    texts = [file.read_text(encoding="utf-8") for file in FILES]
    arguments = [record.read_parts(text)[0] for text in texts]
    assert any(["play", "--house", house] == words[:3] for words in arguments)
