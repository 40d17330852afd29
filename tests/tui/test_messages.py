"""What the table says ends when it is no longer true."""

from __future__ import annotations

from upcard.tui.felt_screen import Messages, Until


def test_each_message_ends_at_its_moment():  # F11
    messages = Messages()
    messages.add("You bring 100 chips.", Until.NEXT_BET)
    messages.add("Basic hits.", Until.SETTLED)
    messages.add("Cannot split.", Until.KEY)
    assert messages.notice == "Cannot split."
    assert messages.story == ["You bring 100 chips.", "Basic hits."]
    assert messages.end(Until.KEY)
    assert messages.notice == ""
    assert not messages.end(Until.KEY)
    messages.end(Until.SETTLED)
    assert messages.story == ["You bring 100 chips."]
    messages.end(Until.NEXT_BET)
    assert messages.story == []


def test_all_that_was_said_can_be_read_again():
    messages = Messages()
    for words in ("one", "two", "two"):
        messages.add(words, Until.NEXT_BET)
    messages.add("three", Until.KEY)
    messages.add("four", Until.KEY)
    assert messages.notice == "four"
    assert list(messages) == ["one", "two", "three", "four"]
