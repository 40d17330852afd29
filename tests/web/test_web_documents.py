"""The documents under /learn/: all of them, with links and anchors that exist."""

import re

import pytest
from html_check import Page

from upcard.web.documents import find_documents, render_document, search_documents


def test_every_document_is_rendered_with_one_title():
    assert {"index", "play", "exact", "web"} <= set(find_documents())
    for name in find_documents():
        document = render_document(name)
        assert document.html.count("<h1") == 1, name
        assert document.title
        assert "<img" not in document.html


def test_every_link_inside_leads_to_a_section_that_exists():
    ids = {
        ("/learn/" if name == "index" else f"/learn/{name}"): set(
            Page(render_document(name).html).ids
        )
        for name in find_documents()
    }
    dead = []
    for name in find_documents():
        here = "/learn/" if name == "index" else f"/learn/{name}"
        for link in Page(render_document(name).html).links:
            page, _, anchor = link.partition("#")
            if link.startswith("http"):
                continue
            if (page or here) not in ids or (anchor and anchor not in ids[page or here]):
                dead.append((name, link))
    assert dead == []


def test_html_in_a_document_is_shown_not_carried_out():
    from upcard.web.documents import _parser

    assert "<script>" not in _parser().render("a <script>alert(1)</script> b")


@pytest.mark.parametrize("query", ["hole card", "HOLE CARD", "Griffin"])
def test_a_search_finds_pages_with_all_the_words(query):
    found = list(search_documents(query))
    assert found
    for name, title, line in found:
        assert name in find_documents()
        assert re.search(query.split()[0], f"{title} {line}", re.IGNORECASE)


def test_a_search_for_what_is_nowhere_finds_nothing():
    assert list(search_documents("zyzzyva")) == []
