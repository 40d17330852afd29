"""The table of all texts that upcard takes from outside: what reads each, with valid examples.

A test keeps it complete: it fails for an option or argument of a command, or a function that reads
a text, which is not here. `TEXTS` has the kinds of text; `campaign.entry_points` says of which kind
the options and arguments are, and why a function that looks like a reader takes no text from
outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from campaign.text_examples import (
    AMOUNTS,
    ANSWERS,
    BETTINGS,
    CARDS,
    CHIPS,
    CHOICES,
    CLASSES,
    COMPANIES,
    COUNTS,
    DRILLS,
    INDICES,
    NAMES,
    PLAYERS,
    PLAYS,
    RAMPS,
    RULES,
    SEEDS,
    SHARES,
    SHOES,
    SIDE_BETS,
    SPLITS,
    WORDS,
    chart_text,
    data_texts,
    house_texts,
    side_bet_texts,
)
from campaign.text_readers import (
    call,
    call_with_file,
    call_with_object,
    default_rules,
    direct,
    hi_lo,
    read_computer,
    read_reveal,
    read_rule_tokens,
    read_rules,
    read_run_file,
    read_saved_value,
    run_verify_shuffle,
    run_verify_shuffle_rules,
    run_verify_shuffle_seed,
    type_on_start_screen,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A kind of text."""

    examples: tuple[str, ...]
    """Valid ones."""
    readers: dict[str, Callable[[str], object]]
    """What reads it, by the dotted name below `upcard`; empty where only commands do."""


TEXTS: Final[dict[str, Text]] = {
    "rules": Text(
        examples=RULES,
        readers={
            "rules.model.Rules.parse": read_rules,
            "rules.notation.parse_rules": call("rules.notation.parse_rules"),
            "rules.tokens.read_tokens": read_rule_tokens,
            "rules.bonuses.Bonuses.parse": call("rules.bonuses.Bonuses.parse"),
            "fair.verify_shuffle.read_rules": run_verify_shuffle_rules,
            "store.sessions.read_rules": call("store.sessions.read_rules", ""),
            "answers.rules.read_rules": call("answers.rules.read_rules"),
        },
    ),
    "house file": Text(
        examples=house_texts(),
        readers={
            "rules.house.read_house": call("rules.house.read_house", name="x", where="x"),
            "core.user_files.parse_toml": call("core.user_files.parse_toml", "x"),
        },
    ),
    "house": Text(examples=NAMES, readers=direct("rules.house.load_house")),
    "cards": Text(
        examples=CARDS, readers=direct("core.cards.parse_cards", "store.records.read_cards")
    ),
    "answers": Text(
        examples=ANSWERS,
        readers=direct(
            "core.actions.parse_action",
            "core.actions.parse_answers",
            "answers.bench.read_answer",
            "store.records.read_actions",
        ),
    ),
    "lines of answers": Text(
        examples=(
            '{"id": "T6 v 9", "answer": "I would hit."}',
            '{"id": "88 v T", "answer": "P"}\n{"id": "88 v T", "answer": null}\nx',
        ),
        readers={
            "answers.bench.read_score": call("answers.bench.read_score", default_rules, name="x")
        },
    ),
    "bench words": Text(examples=("score", "answers.jsonl", "-", "x.jsonl"), readers={}),
    "hand": Text(
        examples=("T6", "A 7", "8 5 3", "88", "AA", "T 6 v 9", "10 10"),
        readers=direct(
            "exact.composition.read_hand",
            "exact.composition.read_hand_cards",
            "exact.composition.read_total",
            "exact.solve.read_dealt_hand",
            "answers.hand.read_dealt",
            "core.cards.read_rank",
            "strategy.chart.read_row",
        ),
    ),
    "shoe": Text(
        examples=SHOES,
        readers={
            f"exact.composition.{name}": call(f"exact.composition.{name}", default_rules)
            for name in ("read_shoe", "read_card_shoe")
        },
    ),
    "side bet": Text(
        examples=SIDE_BETS,
        readers=direct("rules.side_bet_files.load_side_bet"),
    ),
    "side bet file": Text(
        examples=side_bet_texts(),
        readers={
            "rules.side_bet_files.read_side_bet": call(
                "rules.side_bet_files.read_side_bet", name="x", where="x"
            )
        },
    ),
    "penetration": Text(examples=("75%", "3/4", "0.8", "100%"), readers={}),
    "split play": Text(
        examples=SPLITS,
        readers=direct("exact.solve.read_split_play", "answers.questions.read_quick_splits"),
    ),
    "chart": Text(
        examples=(chart_text(),),
        readers=direct("strategy.chart.Strategy.parse"),
    ),
    "chart file": Text(
        examples=("chart.tsv", "./chart.tsv"), readers=direct("strategy.chart.load_strategy")
    ),
    "index plays": Text(
        examples=data_texts("deviation_sets"),
        readers={
            "strategy.deviations.Deviations.parse": call("strategy.deviations.Deviations.parse"),
            "strategy.deviations.read_settings": call(
                "strategy.deviations.read_settings", name="x"
            ),
        },
    ),
    "indices": Text(examples=INDICES, readers=direct("strategy.deviations.load_deviations")),
    "counting system": Text(
        examples=data_texts("systems"),
        readers={
            "strategy.count_system.read_system": call("strategy.count_system.read_system"),
        },
    ),
    "count": Text(examples=COUNTS, readers=direct("strategy.count_system.load_system")),
    "count question": Text(
        examples=(*COUNTS, "hi-lo:5", "ko:1", "hi-lo:0", "zen:x"),
        readers=direct("session.count_check.read_ask_count"),
    ),
    "count typed": Text(
        examples=("3", "-2", "+1", "0", "1/2", "-0.5"),
        readers=direct("strategy.count_system.read_count"),
    ),
    "ramp": Text(
        examples=RAMPS,
        readers={
            "strategy.ramp.read_pairs": call("strategy.ramp.read_pairs"),
            "strategy.ramp.read_side_ramp": call("strategy.ramp.read_side_ramp"),
            "strategy.ramp.parse_ramp": call("strategy.ramp.parse_ramp", hi_lo, decks=6),
        },
    ),
    "file to read": Text(
        examples=("house.toml", "ramp.txt", "nothing.txt", "x/../ramp.txt", "~/ramp.txt"),
        readers=direct("core.user_files.read_user_file"),
    ),
    "plays": Text(
        examples=PLAYS,
        readers=direct("analysis.indices.plays.read_wanted"),
    ),
    "method": Text(
        examples=("both", "exact", "simulation"),
        readers=direct("analysis.indices.search.read_method"),
    ),
    "executor": Text(
        examples=("threads", "processes"),
        readers=direct("simulation.executors.read_executor_kind"),
    ),
    "chips": Text(
        examples=CHIPS,
        readers={
            "core.wager.read_bet": call("core.wager.read_bet"),
            "core.wager.read_wager": call("core.wager.read_wager"),
            "core.wager.type_wager": call("core.wager.type_wager", ("21+3", "pp")),
            "core.wager.read_record": call("core.wager.read_record"),
            "core.number_texts.read_chips": call("core.number_texts.read_chips"),
            "store.records.read_amount": call("store.records.read_amount"),
            "store.records.read_bets": call("store.records.read_bets"),
            "store.records.read_entries": call("store.records.read_entries"),
            "store.records.read_numbers": call("store.records.read_numbers"),
        },
    ),
    "money": Text(
        examples=("5000", "2.5", "1,000", "10"),
        readers=direct("store.money.read_pace") | direct("core.number_texts.read_number"),
    ),
    "rounds": Text(examples=AMOUNTS, readers=direct("core.number_texts.read_rounds")),
    "share": Text(
        examples=SHARES,
        readers=direct("core.number_texts.read_error") | direct("core.number_texts.read_share"),
    ),
    "company": Text(examples=COMPANIES, readers=direct("session.plan.read_company")),
    "player": Text(
        examples=PLAYERS,
        readers={
            "simulation.registry.make_player": call(
                "simulation.registry.make_player", default_rules
            ),
            "simulation.registry.load_player": call("simulation.registry.load_player"),
            "simulation.registry.read_included": call("simulation.registry.read_included"),
            "documents.roanoke.read_probability": read_computer("probability"),
            "documents.roanoke.read_highest": read_computer("highest"),
        },
    ),
    "betting": Text(examples=BETTINGS, readers=direct("players.betting_systems.make_betting")),
    # The examples of the next three are made when a worker starts, by `campaign.material`.
    "code": Text(
        examples=(),
        readers=direct("store.round_codes.decode_round"),
    ),
    "reveal file": Text(
        examples=(),
        readers={
            "store.history.check_reveal": read_reveal,
            "fair.verify_shuffle.main": run_verify_shuffle,
        },
    ),
    "run file": Text(
        examples=(),
        readers={
            "core.user_files.parse_json": call("core.user_files.parse_json", "x"),
            "simulation.run_state.load_run_document": call_with_file(
                "simulation.run_state.load_run_document"
            ),
            "analysis.count_rows.read_run": read_run_file,
            "simulation.run_state.load_run": read_run_file,
        },
    ),
    "server seed": Text(
        examples=SEEDS,
        readers={
            "fair.seeds.read_hex": call("fair.seeds.read_hex", 32, "seed"),
            "fair.seeds.Commitment.parse": call("fair.seeds.Commitment.parse"),
            "fair.verify_shuffle.read_seed": run_verify_shuffle_seed,
        },
    ),
    "player seed": Text(examples=WORDS, readers=direct("fair.seeds.read_player_seed")),
    "drill": Text(examples=DRILLS, readers=direct("drills.catalogue.read_name")),
    "drill classes": Text(examples=CLASSES, readers=direct("drills.drill.read_class")),
    "kept setting": Text(
        examples=CHOICES,
        readers={
            "session.choice.read_plan": call_with_object("session.choice.read_plan"),
            "tui.appearance.read_look": call_with_object("tui.appearance.read_look"),
            "store.records.read_object": call("store.records.read_object", "a setting"),
        },
    ),
    "saved value": Text(
        examples=(
            '{"value": -0.0046}',
            '{"value": [-0.0046, 0.0, {"stand": 0.5}]}',
            '{"refusal": ["EmptyShoeError", "no card is left"]}',
            '{"refusal": ["UnsupportedRuleError", "solver", "SPINF", "no limit"]}',
        ),
        readers={"cache.entry.read_content": read_saved_value},
    ),
    "device": Text(
        examples=("cpu", "cuda", "CUDA"), readers=direct("simulation.executors.read_device")
    ),
    "start screen": Text(
        examples=(*RULES, *CHIPS, *COMPANIES, *COUNTS, "2", "3"),
        readers={"session.choice.read_row": type_on_start_screen},
    ),
    # Read by commands only.
    "probability": Text(
        examples=("4/13", "0.3", "1/2", "0.25"), readers=direct("documents.mdp.read_probability")
    ),
    "spread": Text(
        examples=("1-12", "1-8", "2-4", "1/2-3"), readers=direct("core.number_texts.read_spread")
    ),
    "bets": Text(examples=("4", "2", "8"), readers=direct("core.number_texts.read_whole")),
    "lowest count": Text(
        examples=("-1", "best", "2", "0"), readers=direct("analysis.bet_terms.read_wong")
    ),
    "goal": Text(
        examples=("0.1%", "0.1% by friday", "1% by 2099-12-24"),
        readers=direct("drills.learned.read_goal"),
    ),
    "clock": Text(examples=("3", "5", "8", "rising"), readers={}),
    "sweep": Text(
        examples=("pen=60..85", "spread=8,12,16", "pen=75 spread=8"),
        readers=direct("answers.games.sweep.read_sweep"),
    ),
    "choice": Text(
        examples=("Las Vegas", "6", "hits", "3:2", "yes", "elsewhere", "growth"), readers={}
    ),
    "coach": Text(examples=("silent", "After", "before", "fresh", "seen"), readers={}),
    "rounding": Text(examples=("floor", "Round", "truncate", "half", "whole"), readers={}),
    "tokens": Text(examples=("H17", "6:5", "RSA HSA", "LS"), readers={}),
    "format": Text(examples=("text", "svg", "html", "json", "tsv", "md"), readers={}),
    "numbers": Text(examples=("ev", "cost", "none", "both"), readers={}),
    "address": Text(examples=("tcp://127.0.0.1:1", "127.0.0.1:1", "x"), readers={}),
    "file to write": Text(
        examples=("out.txt", "out.csv", "out.svg", "out.json", "sub/out.txt", "-", "out.html"),
        readers={},
    ),
    "source": Text(examples=("1", "2", "RUN.json", "reveal.json", "99", "x.json"), readers={}),
    "hand words": Text(examples=("T6", "v", "9", "A7", "88", "T", "8 5 3"), readers={}),
    # Typed line by line into a game or a drill.
    "line game": Text(
        examples=(
            *("h", "s", "d", "p", "r", "y", "n", "10", "", "?", "hit", "stand", "yes", "no", "2.5"),
            *("b 100", "seed my words", "u", "w", "k", "c", "f", "1", "2", "q", "leave", "rules"),
        ),
        readers={},
    ),
    "drill answers": Text(
        examples=("h", "s", "d", "p", "1", "-2", "0", "1/2", "3.5", "?", "yes", "no", "hit", "q"),
        readers={},
    ),
}
