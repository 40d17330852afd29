"""One message for each event: its kind, whose it is, a sentence, and data."""

from __future__ import annotations

from upcard import Action, Rules
from upcard.core.wager import read_wager
from upcard.session.narration import Narrator
from upcard.table.events import Event, Shuffled
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe


def narrate(cards: str, answers: str, rules: str = "6D", bets=(10,), **options):
    """Return the messages of a round, and the narrator."""
    table, messages = Table(Rules.parse(rules), ScriptedShoe(cards)), []
    narrator = Narrator(table.rules, **options)
    table.listeners.append(lambda event: messages.append(narrator.hear(event)))
    table.start(bets)
    for answer in filter(None, answers.split(", ")):
        table.act(Action(answer))
    return messages, narrator


def test_a_round_is_told_in_sentences():
    messages, narrator = narrate("T A 6 T", "insurance")
    assert [message.text for message in messages] == [
        "A round begins, bets 10.",
        "You get T: 10.",
        "The dealer gets A: 11.",
        "You get 6: 16.",
        "The dealer gets a card face down.",
        "You take insurance.",
        "The dealer looks at the hole card: a natural.",
        "The dealer turns up A T: 21.",
        "Insurance wins 10.",
        "You lose 10, the dealer has a natural.",
        "The round is over, net 0.",
    ]
    assert narrator.board.dealer_total == 21


def test_each_message_has_its_kind_seat_and_data():
    messages, _ = narrate("T 9 6 8 T", "hit")
    dealt = next(message for message in messages if message.kind == "dealt")
    assert (dealt.seat, dealt.spot, dealt.brief) == ("hand 1", 0, "gets T: 10")
    assert dealt.data == {"hand": 0, "card": "T", "total": 10}
    assert dealt.to_json() == {"type": "dealt", "hand": 0, "card": "T", "total": 10}
    assert {message.kind for message in messages} >= {"acted", "settled", "round_ended"}
    assert {message.seat for message in messages} == {"table", "dealer", "hand 1"}


def test_hands_of_a_split_are_numbered_and_end_in_the_third_person():
    messages, _ = narrate("8 T 8 6 T 9 T", "split, stand, stand")
    said = [message.text for message in messages]
    assert "Hand 1 stands." in said
    assert said[-3:] == [
        "Hand 1 wins 10, the dealer is bust.",
        "Hand 2 wins 10, the dealer is bust.",
        "The round is over, net +20.",
    ]
    assert "The dealer busts with 26." in said


def test_company_has_names_and_the_hands_between_them_are_yours():
    messages, _ = narrate(
        "8 T 9 6 8 T 9 T T 9 T",
        "split, stand, stand, stand, stand",
        bets=(10, 10, 10),
        company=("mimic", None, None),
        write_card=lambda card: f"<{card}>",
    )
    said = [message.text for message in messages]
    assert "mimic gets <8>: 16." in said
    assert [text for text in said if "stand" in text and "dealer" not in text] == [
        "mimic stands.",
        "mimic (2) stands.",
        "Hand 1 stands.",
        "Hand 2 stands.",
    ]


def test_every_kind_of_event_has_a_message():
    kinds = {Narrator(Rules()).hear(Shuffled(52)).kind}
    for cards, answers, rules, bet in (
        ("T A 6 T", "insurance", "6D", "10"),
        ("T 6 8 5 T", "stand", "6D", "10"),
        ("7D 6S 7H TC 9C", "stand", "6D +S7(5000/500/100/50/3)", "10 s7 1"),
        ("7D TS 7H AC 9C", "stand", "6D +S7(5000/500/100/50/3)", "10 s7 1"),
    ):
        is_over = "AC" in cards
        kinds |= {
            message.kind
            for message in narrate(cards, "" if is_over else answers, rules, [read_wager(bet)])[0]
        }
    assert len(kinds) == len(Event.__args__)
