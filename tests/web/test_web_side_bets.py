"""Side bets in the browser: placed beside the main bet, shown at their hand, priced on a page."""

import pytest
from html_check import find_faults
from played_rounds import sit_down
from table_client import HTML, JSON, TableClient, run_site

from upcard import Action, Rules
from upcard.store.bankroll import deposit
from upcard.store.database import open_store

RULES = "6D +21+3(9) +BUST(2/2/4/12/50/250)"


def test_side_bets_are_placed_and_shown_as_they_are_settled():
    with run_site(cards="8S TH 9D 6C 3H 5D TS") as client:
        player = TableClient(client, rules=RULES)
        fields = {one["code"]: one for one in player.view["between"]["side"]}
        assert [fields[code]["chips"] for code in ("21+3", "bust")] == ["0", "0"]
        assert fields["21+3"]["price"].startswith("The house has 3.2386% of the bet")
        page = player.check_page().text
        assert 'name="side.21+3"' in page
        player.move("bet", bet="10", **{"side.21+3": "2", "side.bust": "1.0"})
        (hand,) = player.session["hands"]
        shown = {one["code"]: (one["chips"], one["row"]) for one in hand["side"]}
        assert shown == {"bust": ("1", ""), "21+3": ("2", "straight")}
        assert find_faults(player.check_page().text) == []
        player.act("stand")
        view = player.view["between"]
        assert [one["chips"] for one in view["side"]] == ["2", "1"], "the same bets again"
        (hand,) = player.session["hands"]
        assert {one["code"]: one["row"] for one in hand["side"]}["bust"] == "lost"


def test_every_amount_that_is_typed_on_a_side_bet_is_placed_and_only_nothing_is_none():
    typed = {str(chips): str(chips) for chips in (*range(1, 11), 15, 50, 55, 100, 500)}
    typed |= {" 5 ": "5", "05": "5", "5.0": "5", "005.00": "5"}
    typed |= dict.fromkeys(("", " ", "0", "00", "0.0", " 0 "))
    with run_site(seed=1) as client:
        player = TableClient(client, rules=RULES, chips="10000")
        for written, placed in typed.items():
            player.move("bet", bet="10", **{"side.21+3": written})
            side = player.session["hands"][0].get("side", ())
            assert [one["chips"] for one in side] == ([] if placed is None else [placed]), written
            while player.asked:
                asked = {str(one).lower(): one for one in player.asked}
                player.act(next(asked[one] for one in ("stand", "no insurance") if one in asked))


def test_a_bet_of_a_file_of_yours_is_placed_like_one_that_ships(tmp_path):
    """The form has a field for each bet of the house, and every field that has chips counts."""
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "player2"]\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    with run_site(cards="8S TH 8D 6C 3H 5D TS") as client:
        player = TableClient(client, rules=f"6D +{file} +21+3(9)")
        codes = [one["code"] for one in player.view["between"]["side"]]
        assert codes == ["third", "21+3"]
        page = player.check_page().text
        assert all(f'name="side.{code}"' in page for code in codes)
        player.move("bet", bet="10", **{f"side.{code}": "2" for code in codes})
        (hand,) = player.session["hands"]
        assert {one["code"]: one["chips"] for one in hand["side"]} == dict.fromkeys(codes, "2")


def test_what_cannot_be_placed_is_refused_and_nothing_changes():
    with run_site(cards="8S TH 9D 6C") as client:
        player = TableClient(client, rules=RULES)
        answer = player.post("bet", bet="10", **{"side.21+3": "200"})
        assert "210 in all" in answer.json()["problem"]
        player.look()
        answer = player.post("bet", bet="10", **{"side.21+3": "1 bust 5"})
        assert "Side bet 21+3 '1 bust 5': write a number over 0" in answer.json()["problem"]
        player.look()
        assert player.session["hands"] == []


def test_a_page_prices_a_bet_in_any_shoe():
    with run_site() as client:
        found = client.get("/ask/sidebet?r=6D&bet=over-13&shoe=6D+less+T+T+T", headers=JSON).json()
        titles = [table["title"] for table in found["answer"]["tables"]]
        assert titles[0] == "What it pays"
        assert "In a fresh shoe the house edge is 6.5545%." in found["answer"]["findings"]
        found = client.get("/ask/sidebet?r=6D+CSM&bet=over-13", headers=JSON).json()["answer"]
        titles = [table["title"] for table in found["tables"]]
        assert "Change of the player's EV when one card leaves" in titles
        assert any("count" in one for one in found["sentences"]), "why it has no count"
        # JSON waits for the prices of the list; a page is shown before they are all computed.
        client.get("/ask/sidebet?r=6D", headers=JSON)
        page = client.get("/ask/sidebet?r=6D", headers=HTML).text
        assert find_faults(page) == []
        assert "Lucky Ladies" in page
        page = client.get("/ask/sidebet?r=6D&bet=PP(25/12/6)", headers=HTML).text
        assert "<option selected>PP(25/12/6)</option>" in page, "a token stays in the form"
        wrong = client.get("/ask/sidebet?r=6D&bet=nope", headers=JSON).json()
        assert "No side bet is called 'nope'" in str(wrong["fields"])


@pytest.mark.parametrize(
    ("typed", "codes"), [(None, ["pp"]), ("", []), (" ", []), ("buster", ["bust"])]
)
def test_the_side_bets_of_the_form_are_those_of_the_table_none_included(typed, codes):
    """Without the field they are those of the rules, as for a program that does not know it."""
    form = {} if typed is None else {"side_bets": typed}
    with run_site(cards="8S TH 9D 6C") as client:
        player = TableClient(client, rules="6D +PP(25/12/6)", **form)
        assert [one["code"] for one in player.view["between"]["side"]] == codes


def test_the_start_page_adds_side_bets_and_refuses_others():
    with run_site(cards="8S TH 9D 6C") as client:
        player = TableClient(client, rules="6D", side_bets="+PP(25/12/6) buster")
        assert [one["code"] for one in player.view["between"]["side"]] == ["pp", "bust"]
        answer = client.post("/tables", data={"rules": "6D", "side_bets": "nope"}, headers=JSON)
        assert answer.status_code == 422
        assert "No side bet is called" in answer.text


def test_a_saved_round_shows_its_side_bets_wherever_its_net_is_shown(tmp_path):
    rules = Rules.parse(RULES)
    with open_store(tmp_path / "upcard.db") as store:
        deposit(store, 10_000)
        table = sit_down(store, rules, seed=3)
        state = table.start(("10 21+3 2 bust 1",))
        while not state.is_over:
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
        table.close()
        with run_site(store=store) as client:
            (row,) = client.get("/history", headers=JSON).json()["rounds"]
            assert row["bet"] == "10+3"
            (hand,) = client.get("/history/1", headers=JSON).json()["hands"]
            shown = {one["code"]: one["chips"] for one in hand["side"]}
            assert shown == {"21+3": "2", "bust": "1"}
            page = client.get("/history/1", headers=HTML).text
            assert 'class="side-spots" aria-label="Side bets of' in page
            assert find_faults(page) == []
            client.site.store = None  # its maker closes it
