"""The documents under /learn/: all of them, with links and anchors that exist."""

import re

import pytest
from html_check import Page

from upcard.web.learn import (
    describe_pictures,
    find_documents,
    list_pages,
    render_document,
    search_documents,
)


def test_every_document_is_rendered_with_one_title():
    assert {"index", "play", "exact", "web"} <= set(find_documents())
    for name in find_documents():
        document = render_document(name)
        assert document.html.count("<h1") == 1, name
        assert document.title
        assert "<img" not in document.html
        assert not re.search(r"<[^>]*\sstyle=", document.html), name


def test_columns_of_numbers_end_at_the_right_without_an_inline_style():
    html = render_document("rl").html
    assert '<th class="number">regret</th>' in html
    assert '<td class="number">5.428%</td>' in html


def test_html_in_a_document_is_shown_not_carried_out():
    from upcard.web.learn import _parser

    assert "<script>" not in _parser().render("a <script>alert(1)</script> b")


@pytest.mark.parametrize("query", ["hole card", "HOLE CARD", "Griffin"])
def test_a_search_finds_pages_with_all_the_words(query):
    found = list(search_documents(query))
    assert found
    for one in found:
        assert one.page in find_documents()
        assert re.search(query.split()[0], f"{one.title} {one.line}", re.IGNORECASE)


def test_a_search_for_what_is_nowhere_finds_nothing():
    assert list(search_documents("zyzzyva")) == []


@pytest.mark.parametrize(
    ("block", "pages"),
    [
        (
            '$ upcard solve 88 v T --rules "6D H17 LS" --shoe "6D less T T 5" --json',
            [("8 8 v T, 6D H17 LS", "/hand?r=6D+H17+LS&c=8.8&u=T&less=T.T.5")],
        ),
        ("upcard solve T6 v 9", [("T 6 v 9, 6D", "/hand?r=6D&c=T.6&u=9")]),
        ("upcard solve soft 18 v 9", [("A 7 v 9, 6D", "/hand?r=6D&c=A.7&u=9")]),
        ("upcard solve 16 v 9", []),
        (
            "$ upcard edge --compare S17 6:5\nHouse edge\n  upcard chart -o chart.html",
            [
                ("the rules 6D", "/rules?r=6D"),
                ("the chart of 6D", "/rules/chart.html?r=6D&show=1"),
            ],
        ),
        (
            'upcard play --rules "6D H17" --coach after',
            [("a table, 6D H17", "/?r=6D+H17&coach=after")],
        ),
        (
            "upcard train\nupcard train strategy --house european",
            [
                ("the drills, 6D", "/drills?r=6D"),
                ("drill strategy, european", "/drills?r=european"),
            ],
        ),
        ("upcard stats --chart", [("where your mistakes are", "/stats#map")]),
        ("upcard basics --play", [("your first hands", "/first-hands")]),
        (
            "upcard dealer --house european",
            [("How the dealer ends, european", "/ask/dealer?r=european")],
        ),
        (
            'upcard find --place "las vegas" --soft-17 hits',
            [("Find your game", "/ask/find?place=las+vegas&soft_17=hits")],
        ),
        (
            'upcard compare "6D LS" downtown 2D --count hi-lo',
            [
                (
                    "Which game to play, 6D LS",
                    "/ask/compare?r=6D+LS&games=downtown%2C+2D&count=hi-lo",
                )
            ],
        ),
        (
            "upcard counts\nupcard counts ko --rules 8D --json\nupcard counts mine.toml",
            [
                ("Counting systems, 6D", "/ask/counts?r=6D"),
                ("Counting systems, 8D", "/ask/counts?r=8D&count=ko"),
            ],
        ),
        ("upcard sidebet over-13", [("Side bets, 6D", "/ask/sidebet?bet=over-13&r=6D")]),
        (
            "upcard best-count growth",
            [("The best tags for a count, 6D", "/ask/best-count?goal=growth&r=6D")],
        ),
        ("upcard edge 6D", []),
        ("$ upcard policy 0.2 --ev -o P.txt", [("BlackJack(p)", "/ask/policy?ev=yes&p=0.2")]),
        ("$ upcard policy 1.5", []),
        (
            "upcard sidebet any-pair --decks 6\nupcard sidebet any-pair --rules 2D",
            [("Side bets, 2D", "/ask/sidebet?r=2D&bet=any-pair")],
        ),
        (
            "upcard sessions --betting flat --betting waiting:2 --ascii",
            [
                (
                    "What a betting system does, 6D",
                    "/ask/sessions?betting=flat%3B+waiting%3A2&r=6D",
                )
            ],
        ),
        ("upcard sessions --sessions 2000", []),  # a page has no minutes
        ("upcard play --seed 7", []),
        ("upcard stats --json", [("your results", "/stats")]),
        ("upcard rules european LS", [("the rules european LS", "/rules?r=european+LS")]),
        (
            "$ upcard simulate --rounds 1M --count hi-lo --ramp 1-8 -o RUN.json",
            [("a run of 6D, hi-lo", "/lab?rounds=1M&count=hi-lo&ramp=1-8&r=6D")],
        ),
        ("$ upcard edge --strategy mine.tsv", []),
        ("$ upcard rules my-house.toml", []),
        ('$ upcard solve 88 v T --shoe "2D less T"', []),
        ("$ upcard simulate --resume RUN.json", []),
        ("upcard simulate --rounds 1M --player mine.py:Mine", []),  # a page runs no file
        ("upcard simulate --rounds 1e12\nupcard simulate --rounds 1M --count mine.toml", []),
        ("upcard bankroll RUN.json --bankroll 500\nupcard league players", []),  # nor reads one
        ("upcard ramp RUN.json --spread 1-8", []),
        ("upcard ramp --spread 1-8", [("Bets by the count", "/lab")]),
        ("Usage: upcard solve [OPTIONS] HAND v UPCARD\nupcard solve HAND v UPCARD", []),
        ("$ upcard stats\n# upcard edge", [("your results", "/stats")]),
    ],
)
def test_a_command_leads_to_the_page_that_answers_it(block, pages):
    assert [tuple(page) for page in list_pages(block)] == pages


@pytest.mark.slow
def test_every_page_that_a_document_lets_you_try_answers(client):
    addresses = {
        link
        for name in find_documents()
        for link in Page(render_document(name).html).links
        if not link.startswith(("#", "http", "/learn/"))
    }
    pages = {re.split(r"[?#]", address)[0] for address in addresses}
    assert {"/hand", "/lab", "/rules", "/rules/chart.html", "/drills", "/first-hands"} < pages
    for address in sorted(addresses):
        answer = client.get(address, headers={"Accept": "application/json"})
        assert (address, answer.status_code) == (address, 200)
        if answer.headers["content-type"] == "application/json":
            assert answer.json().get("ready", True), address


def test_a_picture_in_two_schemes_is_described_once():
    text = (
        '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="dark.png">\n'
        '  <img src="light.png" alt="A table">\n</picture>\n\nAnother paragraph.'
    )
    assert describe_pictures(text).split("\n\n") == [
        "  ![A table](picture)",
        "Another paragraph.",
    ]


def test_a_line_that_a_search_found_is_shown_without_marks():
    lines = " ".join(page.line for page in search_documents("split"))
    assert not re.search(r"\]\(|`|\*\*| \| ", lines)
