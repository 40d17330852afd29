"""A campaign finds what it is there to find: each is shown a program that is broken on purpose."""

import base64
import random
from collections import Counter
from types import SimpleNamespace

import pytest

from campaign import browser, secrecy
from campaign.__main__ import NAMES, load_subject, main, write_finding
from campaign.browsers import Answer, WebTable
from campaign.case import FindingError, make_case
from campaign.entries import Text
from campaign.figures import keep, write_summary, write_table
from campaign.fuzz import read_one
from campaign.keys import list_statuses
from campaign.mutation import choose_text
from campaign.running import Finding, Result
from upcard import Rules
from upcard.core.errors import BlackjackError, NotationError
from upcard.fair.seeds import shoe_key
from upcard.store.bankroll import deposit
from upcard.store.database import open_in_memory
from upcard.store.kept_table import KeptTable
from upcard.table import side_stakes


def play_case(number, tmp_path, *, draws=False):
    case = make_case("secrecy", seed=1, number=number, folder=tmp_path)
    secrecy.compare_tables(case, draws=draws)
    return case


def passes(number, tmp_path):
    try:
        play_case(number, tmp_path)
    except FindingError:
        return False
    return True


def test_a_round_that_hides_its_cards_passes(tmp_path):
    case = play_case(1, tmp_path, draws=True)
    assert case.counts == Counter({"rounds at the table, drawn": 1})


def test_a_view_that_shows_the_hole_card_is_found(tmp_path, monkeypatch):
    def view_of_a_cheat(table):
        return SimpleNamespace(dealer=table.state.dealer)

    monkeypatch.setattr("upcard.table.rounds.Table.view", view_of_a_cheat)
    leaks = [number for number in range(20) if not passes(number, tmp_path)]
    assert leaks  # not every number: some rules deal no hole card


def test_a_table_that_shows_the_next_card_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "upcard.table.rounds.Table.view", lambda table: table.shoe.cards[table.shoe.position]
    )
    with pytest.raises(FindingError, match="a hidden card shows"):
        play_case(1, tmp_path)


def test_a_side_bet_that_is_settled_by_the_hole_card_is_found(tmp_path, monkeypatch):
    real = side_stakes._look

    def look_under(state, *others):
        seen = real(state, *others)
        hole = state.dealer[1 - state.setup.up_index] if len(state.dealer) > 1 else None
        known = "upcard" in seen.cards and hole is not None
        return seen._replace(cards={**seen.cards, "upcard": hole}) if known else seen

    monkeypatch.setattr(side_stakes, "_look", look_under)
    assert [number for number in range(30) if not passes(number, tmp_path)]


@pytest.fixture
def left():
    """A saved hand in play: its store, what is known of its table, and the dealer's hidden card."""
    with open_in_memory() as store:
        deposit(store, 100)
        table = KeptTable.sit_down(store, Rules.parse("1D"))  # no card is there twice
        while not table.is_playing:
            table.start([1])
        hidden = table.state.dealer[1]
        table.close()
        yield store, WebTable(f"/t/s{table.session.id}"), hidden


def send(table, text):
    body = f'{{"version": 10000, "text": "{text}"}}'.encode()
    return [(table.path, Answer(200, b"HTTP/1.1 200 OK\r\n\r\n" + body, body))]


@pytest.mark.parametrize("write", [bytes.hex, lambda key: base64.b64encode(key).decode()])
def test_a_page_with_the_key_of_a_shoe_in_play_is_found(left, write):
    store, table, _ = left
    ((seed, player_seed),) = store.rows("SELECT server_seed, player_seed FROM shoes")
    browser.search_seeds(store, send(table, "the commitment"))
    with pytest.raises(FindingError, match="the key of shoe 1, which is in play, was sent"):
        browser.search_seeds(store, send(table, write(shoe_key(bytes.fromhex(seed), player_seed))))
    with pytest.raises(FindingError, match="the server seed of shoe 1"):
        browser.search_seeds(store, send(table, write(bytes.fromhex(seed))))


def test_a_page_with_a_card_that_is_face_down_is_found(left):
    store, table, hidden = left
    assert browser.search_cards(store, table, send(table, "nothing")) > 0
    for text in (hidden.in_words, f'","{hidden}"'):
        with pytest.raises(FindingError, match=f"{hidden}, which is face down or undealt"):
            browser.search_cards(store, table, send(table, text))


def find_in_cuts(disk, tmp_path, *, cases=40):
    found = set()
    for number in range(cases):
        try:
            disk.cut(make_case("disk", seed=1, number=number, folder=tmp_path))
        except (FindingError, BlackjackError) as error:
            found.add(str(error))
    return "; ".join(found)


@pytest.mark.slow
def test_a_run_that_does_not_wait_for_its_bytes_is_found(tmp_path, monkeypatch):
    from campaign.disk_runs import RunDisk
    from upcard.simulation import run_state

    def save(path, document):
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(run_state.format_document(document), encoding="utf-8")
        fresh.replace(path)
        run_state.sync_folder(path.parent)

    monkeypatch.setattr(run_state, "save_document", save)
    assert "a run cannot be resumed" in find_in_cuts(RunDisk(tmp_path), tmp_path)


@pytest.mark.slow
def test_a_run_that_does_not_wait_for_its_name_is_found(tmp_path, monkeypatch):
    from campaign.disk_runs import RunDisk
    from upcard.simulation import run_state

    monkeypatch.setattr(run_state, "sync_folder", lambda folder: None)
    found = find_in_cuts(RunDisk(tmp_path), tmp_path)
    assert "a run that had begun is gone" in found
    assert "chunks that were kept are lost" in found


@pytest.mark.slow
def test_a_store_that_does_not_wait_for_the_disk_is_found(tmp_path, monkeypatch):
    from campaign.disk_store import StoreDisk

    monkeypatch.setattr("upcard.store.database._SYNC_ALL", "PRAGMA synchronous = OFF")
    with StoreDisk(tmp_path) as disk:
        assert "deposits were told, 0 are kept" in find_in_cuts(disk, tmp_path)


def reader(text):
    if not text:
        return None
    if text.isdigit():
        msg = f"{text!r} is refused"
        raise NotationError(msg)
    return {}[text]


def read_many(text):
    for number in range(200):
        read_one(random.Random(number), text, "x.reader")


def test_a_reader_that_answers_with_a_traceback_is_found():
    text = Text(examples=("1", "2", "33"), readers={"x.reader": reader})
    with pytest.raises(FindingError, match="KeyError"):
        read_many(text)


def test_mutations_follow_from_the_seed_and_differ():
    def make():
        return [
            choose_text(random.Random(number), ("6D H17 LS", "european")) for number in range(99)
        ]

    assert make() == make()
    assert len(set(make())) > 60


def make_result(**fields):
    return Result(subject="fuzz", unit="inputs", seed=7, cases=3, seconds=2.0, **fields)


def test_findings_of_one_kind_are_reported_once_with_their_number():
    result = make_result()
    for number in (4, 5):
        finding = Finding(subject="fuzz", seed=7, number=number, text=f"{number}\nKeyError at y:3")
        result.note(finding)
    assert [(one.number, one.times) for one in result.findings] == [(4, 2)]
    assert result.findings[0].command in write_finding(result.findings[0])
    assert "python -m campaign fuzz --seed 7 --first 4 --count 1" in write_summary([result])


def test_figures_are_kept_by_subject():
    facts = {"command": "make campaign", "commit": "abc", "date": "d", "python": "3", "cores": 2}
    figures = keep({"kills": {"old": 1}}, [make_result(counts=Counter({"texts": 3}))], facts)
    assert set(figures) == {"kills", "fuzz"}
    table = write_table({"fuzz": figures["fuzz"]})
    assert "| fuzz | **3 inputs**: 3 texts | 0 | 0 min | 7 | `abc` |" in table


@pytest.mark.parametrize("name", NAMES)
def test_every_campaign_says_what_it_does(name):
    subject = load_subject(name)
    assert subject.name == name
    assert subject.quick < subject.long


def test_a_count_of_nothing_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        main(["kills", "--count", "0"])
    assert end.value.code == 2
    assert "--count is more than 0" in capsys.readouterr().err


def test_a_signal_may_end_a_program_that_is_ending_by_a_key():
    assert list_statuses(1, was_alive=False, has_left=True) == (0,)
    assert list_statuses(1, was_alive=True, has_left=False) == (129, 0)
    assert list_statuses(1, was_alive=True, has_left=True) == (129, 0, -1)
