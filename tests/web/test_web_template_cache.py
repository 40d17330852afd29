"""Compiled templates are saved beside the templates, as Python saves compiled modules."""

import sys

import pytest
from jinja2 import Environment, FileSystemLoader

from upcard.web.showing import TemplateCache


class CountingEnvironment(Environment):
    compiled = 0

    def compile(self, *arguments, **options):
        self.compiled += 1
        return super().compile(*arguments, **options)


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start again: render the template, and say what it says and whether it was compiled."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "compiled"))
    folder = tmp_path / "templates"
    folder.mkdir()

    def render(source="Hit {{ hand }}.\n", **options):
        (folder / "page.html").write_text(source)
        environment = CountingEnvironment(
            loader=FileSystemLoader(folder), bytecode_cache=TemplateCache(), **options
        )
        words = environment.get_template("page.html").render(hand="16")
        return words, environment.compiled

    return render


def saved(tmp_path):
    return [file for file in (tmp_path / "compiled").rglob("*") if file.is_file()]


def test_a_template_is_compiled_at_the_first_start_only(start, tmp_path):
    assert start() == ("Hit 16.", 1)
    assert start() == ("Hit 16.", 0)
    assert len(saved(tmp_path)) == 1


def test_a_changed_template_or_option_is_compiled_again(start):
    assert start("{% if hand %}\nHit.\n{% endif %}\n") == ("\nHit.\n", 1)
    assert start("{% if hand %}\nHit.\n{% endif %}\n", trim_blocks=True) == ("Hit.\n", 1)
    assert start("Stand.") == ("Stand.", 1)


@pytest.mark.parametrize("share", [0, 5, 20, 60, -1])
def test_a_damaged_copy_of_a_template_is_compiled_again(start, tmp_path, share):
    start()
    (file,) = saved(tmp_path)
    file.write_bytes(file.read_bytes()[:share])
    assert start() == ("Hit 16.", 1)
    assert start() == ("Hit 16.", 0)


def test_where_nothing_may_be_written_a_template_is_compiled_each_time(
    start, monkeypatch, tmp_path
):
    (tmp_path / "compiled").write_text("no folder")
    assert [start(), start()] == [("Hit 16.", 1)] * 2
    (tmp_path / "compiled").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [start(), start()] == [("Hit 16.", 1)] * 2
    assert not (tmp_path / "compiled").exists()
