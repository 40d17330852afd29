"""When the coach can speak and what they can go by, in the words of forms."""

from __future__ import annotations

from typing import Final

from upcard.coach.seen_cards import Knowledge
from upcard.session.coaching import CoachVoice

VOICES: Final = {
    CoachVoice.BEFORE: "before you answer",
    CoachVoice.AFTER: "after the hand",
    CoachVoice.SILENT: "not at all",
}
KNOWN: Final = {Knowledge.FRESH: "a fresh shoe", Knowledge.SEEN: "the cards seen"}
