"""`make site`: links fit the pages of the site, and its check finds what Zensical lets pass."""

import pytest
import site_check
from build_site import BROUGHT, LAST_GROUP, ROOT, list_groups, turn_links, write_sources
from site_check import SitePage, find_faults

from upcard.web.learn import find_documents, render_document

FRAME = "<!doctype html><title>x</title><article>{}</article>"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A site of three documents without a fault: as under /learn/, without their links."""
    documents = {name: find_documents()[name] for name in ("play", "web", "exact")}
    monkeypatch.setattr(site_check, "find_documents", lambda: documents)
    for name in documents:
        page = tmp_path / f"{name}.html"
        html = render_document(name).html.replace(" href=", " data-href=")
        page.write_text(FRAME.format(html), encoding="utf-8")
    return tmp_path


def add(site, html, name="play.html"):
    page = site / name
    page.write_text(page.read_text(encoding="utf-8") + html, encoding="utf-8")


def test_a_site_without_a_fault_passes(site):
    assert find_faults(site) == []


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="nowhere.html">', "play.html: nothing is at nowhere.html"),
        ('<a href="../outside.html">', "play.html: nothing is at ../outside.html"),
        ('<img src="img/none.png">', "play.html: nothing is at img/none.png"),
        ('<source srcset="a.png 1x, web.html 2x">', "play.html: nothing is at a.png"),
        ('<a href="web.html#no-such">', "play.html: web.html#no-such names no part of that page"),
        ('<a href="#no-such">', "play.html: #no-such names no part of that page"),
        (
            '<script src="https://cdn.example/x.js">',
            "play.html: loads https://cdn.example/x.js from another server",
        ),
        (
            '<link rel="preconnect" href="//fonts.example">',
            "play.html: loads //fonts.example from another server",
        ),
        (
            '<p style="background: url(https://cdn.example/x.png)">',
            "play.html: loads https://cdn.example/x.png from another server",
        ),
        ("<article><li>", "play.html: 13 <li>, and 12 under /learn/"),
    ],
)
def test_a_fault_of_a_page_is_found(site, html, fault):
    items = SitePage((site / "play.html").read_text(encoding="utf-8")).parts["li"]
    add(site, html)
    fault = fault.replace("13 <li>, and 12", f"{items + 1} <li>, and {items}")
    assert find_faults(site) == [fault]


def test_links_that_lead_somewhere_are_no_fault(site):
    heading = render_document("web").headings[0][0]
    add(
        site,
        f'<a href="web.html#{heading}"><a href="https://elsewhere.example/"><a href="web.html">',
    )
    assert find_faults(site) == []


def test_a_style_sheet_that_loads_from_elsewhere_a_lost_anchor_and_a_lost_page_are_found(site):
    (site / "x.css").write_text("@import 'https://fonts.example/x.css'; a {background: url(y.png)}")
    (site / "web.html").write_text(FRAME.format("<h1 id=x>"), encoding="utf-8")
    (site / "exact.html").unlink()
    faults = find_faults(site)
    assert "x.css: loads https://fonts.example/x.css" in faults
    assert any(fault.startswith("web.html: no part has the anchors ") for fault in faults)
    assert "exact.md is not a page of the site" in faults


def test_links_are_turned_to_the_places_that_pages_have_on_the_site():
    assert turn_links("[a](../CHANGELOG.md#x) [b](why.md) [c](#d)", "docs/api.md") == (
        "[a](changelog.md#x) [b](why.md) [c](#d)"
    )
    assert (
        turn_links("[a](docs/play.md) [b](LICENSE)", "README.md") == "[a](play.md) [b](licence.txt)"
    )
    assert turn_links('<img src="docs/img/x.svg">', "README.md") == '<img src="img/x.svg">'
    assert turn_links("[a](../web.md)", "docs/decisions/0001.md") == "[a](../web.md)"
    code = "```\n[a](../CHANGELOG.md)\n```\n"
    assert turn_links(code, "docs/api.md") == code
    assert turn_links("[a](https://x.example/docs/)", "README.md") == "[a](https://x.example/docs/)"


def test_the_navigation_has_the_groups_of_the_index_and_every_page_once(tmp_path):
    write_sources(tmp_path)
    groups = dict(list_groups((tmp_path / "docs" / "index.md").read_text(encoding="utf-8")))
    assert list(groups)[:2] == ["If you play", "If you learn"]
    assert list(groups)[-2:] == ["Decisions", LAST_GROUP[0]]
    listed = sorted(page for pages in groups.values() for page in pages)
    laid_out = sorted(
        page.relative_to(tmp_path / "docs").as_posix() for page in (tmp_path / "docs").rglob("*.md")
    )
    assert ["index.md", *listed] == ["index.md", *(one for one in laid_out if one != "index.md")]
    settings = (tmp_path / "zensical.toml").read_text(encoding="utf-8")
    assert all(f'"{page}"' in settings for page in listed)


def test_what_pages_link_to_outside_of_docs_is_brought_along():
    assert [source for source in BROUGHT if not (ROOT / source).is_file()] == []
