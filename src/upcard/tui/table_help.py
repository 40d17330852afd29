"""The help page of the table."""

from __future__ import annotations

from typing import Final

HELP: Final = (
    "H hit   S stand   D double   P split   R surrender",
    "I insurance or even money   N no   Y yes, to an offer",
    "The keys at the bottom are the legal ones; any other key says why not.",
    "",
    "Enter, Space    deal with the same bet; during the deal, show all cards",
    "+ -             raise or lower the bet;  digits type one, Esc forgets it",
    "Digits, + -     answer the count question (--ask-count); Esc skips it",
    "B               bring 100 chips when the smallest bet is not covered",
    "U               undo the last answer (in practice, alone at the table)",
    "",
    "C               the coach: silent, after the hand, before you act",
    "W               why: values, chances, the dealer's totals, what changes it",
    "V               view all messages in full, the newest first",
    "K               the coach goes by a fresh shoe, or by the cards seen",
    "F               the fair shuffle: commitment, your seed, what was revealed",
    "",
    "T theme   L letters for suits   A cards one by one, or at once",
    "Q, Esc          leave: a saved hand goes on at the next start",
    "Ctrl-C          end the program; nothing settled is lost, nor is the hand",
    "Ctrl-P          the command palette; Ctrl-Z suspends until fg in the shell",
)
