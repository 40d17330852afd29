"""`upcard verify`: check a shoe against its commitment."""

import json
import textwrap
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from typing import Any

import click

from upcard.cli import options, output
from upcard.core import errors, user_files
from upcard.core.numbers import count_of
from upcard.fair import fair_shoe, seeds
from upcard.rules.model import Rules
from upcard.store import database, history, round_codes, sessions

_DOES_NOT_FIT = 1
_WHAT = "reveal file"


@click.command(
    "verify",
    epilog="\b\nExamples:\n  upcard verify\n  upcard verify --shoe 3 --export reveal.json\n"
    "  upcard verify reveal.json\n"
    "  upcard verify --server-seed HEX --player-seed luck --commitment HEX --rules 6D\n"
    "  upcard verify --script > verify_shuffle.py",
)
@click.argument("source", metavar="[FILE | CODE]", required=False)
@options.positive_option("--shoe", callback=options.read_row, help="Check this shoe of yours.")
@options.file_option("--export", help="With --shoe: write its reveal file; or -.")
@options.value("--commitment", "HEX", "Commitment shown before the shoe.")
@options.value("--server-seed", "HEX", "Server seed revealed after it.")
@options.value("--player-seed", "TEXT", "The seed that the player added.")
@options.value("--number", "N", "Shoe of the commitment (default: 1).", callback=options.any_whole)
@options.value("--house", "NAME", "With --server-seed: the house that dealt.")
@options.value("--rules", "TEXT", "With --server-seed: its rules in notation.")
@options.place_option("--shuffle", help="Number of the shuffle, from 0 (default: 0).")
@options.flag("--script", "Print a program that checks a shoe without upcard.")
@options.json_option
def verify_command(  # noqa: PLR0913 (one parameter an option)
    source: str | None,
    *,
    shoe: int | None,
    export: str | None,
    house: str | None,
    rules: str | None,
    shuffle: int | None,
    script: bool,
    as_json: bool,
    **seed_options: Any,
) -> None:
    """Check that cards were dealt in the order committed to.

    Checks all the shoes that you have finished (default), a reveal FILE, a round's CODE with the
    seeds of its shoe, or seeds alone, which prints the order of the cards. The exit code is 1 if a
    check fails. The method is described in docs/fair-shuffle.md.
    """
    commitment = seed_options["commitment"]
    seeds = {name.replace("_", "-"): value for name, value in seed_options.items()}
    dealt = {"house": house, "rules": rules, "shuffle": shuffle}
    if script:
        beside = seeds | dealt | {"shoe": shoe, "export": export, "json": as_json or None}
        _refuse_beside("--script", source, beside)
        file = resources.files("upcard.fair") / "verify_shuffle.py"
        click.echo(file.read_text(encoding="utf-8"), nl=False)
    elif shoe is not None:
        _refuse_beside("--shoe", source, seeds | dealt)
        if as_json and export == "-":
            msg = "--export - with --json: only one of them can have standard output"
            raise click.UsageError(msg)
        _report(lambda: _check_shoe(shoe, export), as_json=as_json)
    elif export is not None:
        raise click.UsageError("--export: say which shoe with --shoe N")
    elif source is not None and (source == "-" or user_files.could_be_file(source, ".json")):
        _refuse_beside(source, None, seeds | dealt)
        _report(lambda: _check_file(source), as_json=as_json)
    elif source is not None:
        _refuse_beside("a code", None, dealt)
        reveal = _read_reveal("a code has the key of its shoe only", **seed_options)
        _report(lambda: _check_code(source, reveal, commitment), as_json=as_json)
    elif any(value is not None for value in (seeds | dealt).values()):
        reveal = _read_reveal("nothing can be checked", **seed_options)
        dealt_by = options.choose_rules(house, rules)
        _report(lambda: _check_seeds(reveal, commitment, dealt_by, shuffle or 0), as_json=as_json)
    else:
        _report(_check_all, as_json=as_json)


def _refuse_beside(what: str, source: str | None, others: dict[str, Any]) -> None:
    extra = [f"--{name}" for name, value in others.items() if value is not None]
    if source is not None:
        extra.insert(0, source)
    if extra:
        raise click.UsageError(f"{what} with {', '.join(extra)}: give one or the other")


def _report(check: Callable[[], dict[str, Any]], *, as_json: bool) -> None:
    """Write the result of a check; a failure ends with exit code 1."""
    try:
        found = check()
    except seeds.FairnessError as error:
        found = {"fits": False, "reason": str(error), "text": f"DOES NOT FIT: {error}"}
    text = found.pop("text")
    if as_json:
        output.echo_json(found)
    elif text:
        click.echo(text)
    if not found["fits"]:
        click.get_current_context().exit(_DOES_NOT_FIT)


def _read_reveal(
    why: str, *, server_seed: str | None, player_seed: str | None, number: int | None, **_: Any
) -> seeds.Reveal:
    """Read the reveal; the committed rules are added later."""
    if server_seed is None:
        raise click.UsageError(f"{why}: give --server-seed, and --player-seed if there was one")
    return seeds.Reveal(
        server_seed=seeds.read_hex(server_seed, seeds.SERVER_SEED_BYTES, "server seed"),
        player_seed=seeds.read_player_seed(player_seed or ""),
        number=seeds.read_shoe_number(1 if number is None else number),
    )


def _check_commitment(reveal: seeds.Reveal, commitment: str | None) -> dict[str, Any]:
    text = f"The commitment to compare with the one shown: {reveal.commitment}"
    if commitment is not None:
        reveal.check(seeds.Commitment.parse(commitment))
        text = "The server seed fits the commitment."
    is_checked, written = commitment is not None, str(reveal.commitment)
    return {"fits": True, "commitment": written, "is_commitment_checked": is_checked, "text": text}


def _check_seeds(
    reveal: seeds.Reveal, commitment: str | None, dealt: Rules, shuffle: int
) -> dict[str, Any]:
    if dealt.is_infinite:
        raise errors.NotationError("an infinite deck has no order to print: check its reveal file")
    reveal = replace(reveal, rules=sessions.write_rules(dealt))
    found = _check_commitment(reveal, commitment)
    shoe = fair_shoe.KeyedShoe(dealt, reveal.key, fair_shoe.Place(shuffle, 0))
    shoe.start_round()
    cards = " ".join(str(shoe.draw()) for _ in range(shoe.cards_left or 0))
    return found | {"cards": cards, "text": f"{found['text']}\n\n{textwrap.fill(cards, 79)}"}


def _check_code(code: str, reveal: seeds.Reveal, commitment: str | None) -> dict[str, Any]:
    record = round_codes.decode_round(code)
    source = record.source
    if not isinstance(source, fair_shoe.KeyedCards):
        msg = "this code lists its cards and has no shoe: it was made while the shoe was in play"
        raise errors.NotationError(msg)
    record.play()
    reveal = replace(reveal, rules=sessions.write_rules(record.rules))
    found = _check_commitment(reveal, commitment)
    if source.key != reveal.key:
        given = f"the seeds give {reveal.key.hex()}"
        raise seeds.FairnessError(f"the code was dealt with the key {source.key.hex()}, {given}")
    return found | {"text": f"{found['text']}\nThe round of the code was dealt from these seeds."}


def _check_file(path: str) -> dict[str, Any]:
    rounds = history.check_reveal(
        user_files.parse_json(user_files.read_input(path, _WHAT), path, _WHAT)
    )
    return {"fits": True, "rounds": rounds, "text": f"Everything fits: {_say(rounds)}."}


def _say(rounds: int) -> str:
    return f"the commitment and the cards of {count_of(rounds, 'round')}"


def _check_shoe(number: int, export: str | None) -> dict[str, Any]:
    with database.open_for_reading() as store:
        shoe = history.read_shoe(store, number)
        document = history.make_reveal(shoe, history.read_rounds_of_shoe(store, number))
    rounds = history.check_reveal(document)
    written = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if export is not None:
        output.write_file(export, written)
    text = "" if export == "-" else f"Shoe {number} fits: {_say(rounds)}."
    return {"fits": True, "shoe": number, "rounds": rounds, "text": text}


def _check_all() -> dict[str, Any]:
    checked: list[dict[str, Any]] = []
    lines = []
    open_shoes = 0
    with database.open_for_reading() as store:
        for shoe in history.read_shoes(store):
            if shoe.reveal is None:
                open_shoes += 1
                continue
            row: dict[str, Any] = {"shoe": shoe.id, "commitment": str(shoe.commitment)}
            try:
                dealt = history.read_rounds_of_shoe(store, shoe.id)
                rounds = history.check_reveal(history.make_reveal(shoe, dealt))
            except seeds.FairnessError as error:
                row |= {"fits": False, "reason": str(error)}
                lines.append(f"Shoe {shoe.id} DOES NOT FIT: {error}")
            else:
                row |= {"fits": True, "rounds": rounds}
            checked.append(row)
    fitting = sum(row["fits"] for row in checked)
    total = _say(sum(row.get("rounds", 0) for row in checked))
    fit = f"{fitting} of {len(checked)} shoes fit: {total}."
    lines.append(fit if checked else "No shoe has been played to its end yet.")
    if open_shoes:
        lines.append(f"In play, to be revealed at the end: {open_shoes}.")
    fits, text = fitting == len(checked), "\n".join(lines)
    return {"fits": fits, "shoes": checked, "in_play": open_shoes, "text": text}
