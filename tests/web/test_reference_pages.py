"""The pages that are whole only where they are built: in a clone, on the site, in the packages."""

import re
import subprocess

import gendocs
import pytest
from build_site import write_sources
from gendocs import REFERENCE_PAGES, ROOT, write_reference_page
from html_check import Page
from plain_english import find_phrases
from reference import REFERENCE, complete, fill

from upcard.rules import engines
from upcard.web import learn, showing


@pytest.fixture(params=["in a fresh clone", "where they were written"])
def reference(request, tmp_path, monkeypatch):
    """The folder of the whole pages under /learn/, empty or full; whether it is full."""
    is_full = request.param == "where they were written"
    for name in REFERENCE if is_full else ():
        (tmp_path / f"{name}.md").write_text(write_reference_page(name), encoding="utf-8")
    monkeypatch.setattr(learn, "REFERENCE_FOLDER", tmp_path)
    caches = (learn.find_documents, learn.render_document, learn._read)
    for one in caches:
        one.cache_clear()
    yield is_full
    for one in caches:
        one.cache_clear()


def test_every_link_inside_leads_to_a_page_and_to_a_section_where_the_page_is_whole(reference):
    pages = {
        "/learn/" if name == "index" else f"/learn/{name}": Page(learn.render_document(name).html)
        for name in learn.find_documents()
    }
    ids = {address: set(page.ids) for address, page in pages.items()}
    short = () if reference else [f"/learn/{name}" for name in REFERENCE]
    dead = [
        (here, link)
        for here, page in pages.items()
        for link in page.links
        if link.startswith(("#", "/learn"))
        for address, _, anchor in [link.partition("#")]
        if (target := address or here) not in ids
        or (anchor and anchor not in ids[target] and target not in short)
    ]
    assert dead == []


@pytest.mark.parametrize("name", REFERENCE)
def test_a_page_has_one_title_and_its_rest_only_where_it_was_written(name, reference):
    document = learn.render_document(name)
    assert document.html.count("<h1") == 1
    assert ("make docs" in document.html) is not reference
    assert (len(document.html) > 20_000) is reference


def test_a_search_finds_the_rest_where_it_was_written(reference):
    assert ("web-api" in {one.page for one in learn.search_documents("LearnView")}) is reference


def test_the_site_has_the_whole_pages(tmp_path):
    write_sources(tmp_path)
    for name in REFERENCE:
        assert (tmp_path / "docs" / f"{name}.md").read_text("utf-8") == write_reference_page(name)


@pytest.mark.parametrize("name", REFERENCE)
def test_git_has_the_beginning_of_a_page_and_what_makes_the_rest(name):
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert len(text) < 3_000
    assert "`make docs`" in text
    assert write_reference_page(name).startswith(
        f"<!-- Written by `make docs`; do not edit. -->\n\n{text.partition('<!-- in')[0]}"
    )
    if (ROOT / ".git").exists():
        for page in REFERENCE_PAGES:
            asked = ["git", "check-ignore", "--quiet", str(page)]
            assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("text", ["no marks\n", "<!-- in a clone -->\na\n<!-- end -->\nmore\n"])
def test_a_page_without_a_last_part_between_the_marks_is_refused(text):
    with pytest.raises(LookupError, match=r"docs/commands\.md does not end with"):
        complete("commands", text)


def test_a_stale_page_is_named_and_a_missing_one_is_not(tmp_path, monkeypatch):
    page = tmp_path / "commands.md"
    monkeypatch.setattr(gendocs, "ROOT", tmp_path)
    monkeypatch.setattr(gendocs, "PAGES", {})
    monkeypatch.setattr(gendocs, "hand_written_pages", list)
    monkeypatch.setattr(gendocs, "REFERENCE_PAGES", {page: lambda: "now\n"})
    assert list(gendocs.find_stale()) == []
    page.write_text("then\n", encoding="utf-8")
    assert list(gendocs.find_stale()) == ["commands.md is stale"]
    gendocs.write_reference_pages()
    assert list(gendocs.find_stale()) == []


def test_the_page_of_the_json_has_its_version_and_plain_english():
    page = write_reference_page("web-api")
    assert re.findall(r"the version of the JSON, now (\d+)", page) == [str(showing.API_VERSION)]
    assert find_phrases("docs/web-api.md", page) == []


def test_the_table_of_rules_and_engines_is_what_the_rows_say(monkeypatch):
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert fill(page) == page
    monkeypatch.setattr(engines, "ROWS", {**engines.ROWS, "soft_17": engines.ROWS["switch"]})
    assert fill(page) != page
