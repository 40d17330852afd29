"""All figures of a plan in the order in which they are shown, and their words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Final

from upcard.analysis import figures as formulas
from upcard.analysis.bet_terms import BetTerms, read_terms
from upcard.analysis.count_rows import CountedRun, gather_rare, read_document
from upcard.analysis.figures import FormulaValue, Kind, Measurement, compute, state
from upcard.analysis.ramp_plan import RampPlan, RampQuestion, make_plans
from upcard.core import figure, numbers
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import FieldClashError, list_fields, read_asked, refuse_fields
from upcard.core.figure import AnswerTable, Displayed, Pictured, make_table
from upcard.simulation.run_state import Run, make_document
from upcard.store.money import load_pace
from upcard.strategy.ramp import BetRamp

RISKS: Final = (0.05, 0.01)
"""Risks of ruin for which the required bank is shown by default."""
HUNDRED: Final = 100.0
_PER_HOUR: Final = ("ev_per_hour", "sd_per_hour")
_MAIN: Final = ("score", "ev_per_hour", "sd_per_hour", "n0", "risk_of_ruin", "risk_in_time")
_DOUBTFUL: Final = 3
_OFF: Final = 1.1
"""Ratio to the requested risk from which the difference is worth a note."""
_WHOLE: Final = 10
"""Bets of this many units and more are written without decimals."""
_TABLE_DIGITS: Final = 3
_THOUSANDS: Final = 10_000
_SUM: Final = "sum over counts of frequency"
_units: Final = partial(figure.real, digits=5, unit="units")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountFigures:
    """The rounds that began at a count, with one unit bet on every spot; in units."""

    count: Annotated[int, figure.number()]
    label: str
    """The count, or `<= -10` and `>= 10` for the ends, which include more."""
    rounds: Annotated[int, figure.number(is_shown=False)]
    """Rounds dealt at this count, including those sat out."""
    rounds_played: Annotated[int, figure.number(is_shown=False)]
    frequency: Annotated[float, figure.share(title="rounds", error="frequency_standard_error")]
    """Share of the rounds dealt."""
    frequency_standard_error: Annotated[float, figure.share(title="±", is_shown=False)]
    ev_all_spots: Annotated[float, _units(title="EV")]
    """Of a round over all spots, not of one bet."""
    ev_all_spots_standard_error: Annotated[float, _units(title="±")]
    variance_all_spots: Annotated[float, _units(title="variance")]
    added_all_spots: Annotated[float, _units(title="added")]
    """Mean that doubles, splits and insurance add to the bets."""


def list_figures(plan: RampPlan, question: RampQuestion) -> list[FormulaValue]:
    """Compute every figure for the question."""
    figures = [*_returns(plan, question), *_worth(plan, question)]
    if math.isfinite(plan.bankroll):
        figures += _risks(plan, question)
    return figures


def _is_by_design(question: RampQuestion) -> bool:
    """Whether the risk of ruin is the one asked for: the bets are sized to the bank, or it to them.

    Then only the bets and the bank as they are printed have a risk that can be off.
    """
    return question.bankroll is None or question.unit is None


def _returns(plan: RampPlan, question: RampQuestion) -> Iterator[FormulaValue]:
    betting, pace = plan.betting, question.rounds_per_hour
    amount, share = Kind.AMOUNT, Kind.SHARE
    ev = Measurement(betting.ev, betting.standard_error)
    variance = Measurement(betting.variance, numbers.finite(math.sqrt(betting.covariance[2])))
    square = f"{_SUM} * bet^2 * (SD^2 + EV^2), less (EV a round seen)^2"
    bet_when_played = f"({_SUM} * bet) / ({_SUM} of those with a bet)"
    all_bets = f"{_SUM} * bet * (spots + units added by doubling, splitting and insurance)"
    per_bet = "(EV a round seen) / (first bets a round seen)"
    per_action = "(EV a round seen) / (action a round seen)"
    yield state("played", "Rounds played", share, betting.played, f"{_SUM} of those with a bet")
    title = "Average bet, when playing"
    yield state("average_bet", title, amount, betting.average_bet, bet_when_played)
    yield state("ev", "EV a round seen", amount, ev, f"{_SUM} * bet * EV")
    yield compute("sd_per_round", betting, name="sd", title="SD a round seen", kind=amount)
    yield state("variance", "Variance a round seen", Kind.SQUARE, variance, square)
    an_hour = " (an hour)" if pace == HUNDRED else ""
    paces = ("100", f"100 rounds{an_hour}", HUNDRED), ("hour", "an hour", pace)
    for when, title, rounds in paces:
        for what, law in (("ev", "expected_win"), ("sd", "sd_of_rounds")):
            name, title_of = f"{what}_per_{when}", f"{what.upper()} {title}"
            yield compute(law, betting, name=name, title=title_of, kind=amount, rounds=rounds)
    title = "First bets a round seen"
    yield state("initial", title, amount, betting.initial, f"{_SUM} * bet * spots")
    yield state("action", "Action a round seen", amount, betting.action, all_bets)
    yield state("ev_per_bet", "EV per first bet", share, betting.ev_per_bet, per_bet)
    yield state("ev_per_action", "EV per action", share, betting.ev_per_action, per_action)


def _worth(plan: RampPlan, question: RampQuestion) -> Iterator[FormulaValue]:
    # These are the same for any unit, and where the ramp is the best one they do not move with it.
    betting = plan.given
    yield compute("score", betting, name="score", title="SCORE", kind=Kind.NUMBER)
    yield compute("desirability_index", betting, name="di", title="DI", kind=Kind.NUMBER)
    n0 = compute("n0", betting, name="n0", title="N0", kind=Kind.ROUNDS)
    yield n0
    betting = plan.given if _is_by_design(question) else plan.betting
    for risk in RISKS if question.risk is None else (question.risk,):
        law, name = "bankroll_for_risk", f"bankroll_for_{100 * risk:g}_percent"
        title = f"Bank for a risk of {100 * risk:.4g}%"
        yield compute(law, betting, name=name, title=title, kind=Kind.AMOUNT, risk=risk)
    if math.isfinite(plan.bankroll):
        pace = question.rounds_per_hour
        equivalent = compute(
            "certainty_equivalent",
            plan.betting,
            name="certainty_equivalent_per_hour",
            title="Certainty equivalent an hour",
            kind=Kind.AMOUNT,
            bankroll=plan.bankroll,
            kelly=plan.kelly,
            rounds=pace,
        )
        law, title, bank = "rounds_to_double", "Rounds to double the bank", plan.bankroll
        double = compute(law, plan.betting, name=law, title=title, kind=Kind.ROUNDS, bankroll=bank)
        if question.bankroll is None:  # the bank moves too: half of EV is left, and N0 / kelly
            error = n0.standard_error
            equivalent = equivalent.with_error(pace * plan.betting.standard_error / 2)
            double = double.with_error(None if error is None else error / plan.kelly)
        yield equivalent
        yield double


def _risks(plan: RampPlan, question: RampQuestion) -> list[FormulaValue]:
    goal, hours = question.goal, question.hours
    fixed = {"bankroll": plan.bankroll}
    asked = [("risk_of_ruin", "Risk of ruin, playing on for ever")]
    if goal is not None:
        fixed["goal"] = goal
        asked.append(("risk_before_goal", f"Ruin before {goal:,.10g} is won"))
    if hours is not None:
        fixed["rounds"] = hours * question.rounds_per_hour
        asked.append(("risk_in_time", f"Ruin within {hours:,.10g} hours"))
        asked.append(("chance_ahead", f"Ahead after {hours:,.10g} hours"))
    if goal is not None and hours is not None:
        asked.append(("risk_before_goal_in_time", "Ruin before both"))
        asked.append(("chance_of_goal_in_time", "Goal before ruin, in time"))
    betting = plan.given if _is_by_design(question) else plan.betting
    return [
        compute(formula, betting, name=formula, title=title, kind=Kind.SHARE, **fixed)
        for formula, title in asked
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """A ramp with its figures; amounts are in the unit of the question."""

    title: str
    ramp: str
    """The bets by count in units of `unit`, as fields and options take them."""
    choice: str
    """How the ramp was chosen, and where it plays, in words."""
    words: str
    """The bets by count in words, rounded: in money, if any is known."""
    unit: float
    """Value of a unit of the ramp, never of a chip."""
    unit_text: str
    """The unit with its error, as text."""
    plays_from: int | None
    """Lowest count at which it plays; None if it plays at all counts."""
    bankroll: float
    """The bankroll; infinite if none is enough."""
    bankroll_text: str
    """The bankroll with its error, as text."""
    kelly: float
    """The fraction of Kelly."""
    kelly_text: str
    """The fraction of Kelly and its risk of ruin, in words."""
    bets: tuple[float, ...]
    """The bet at each count of the run, from the lowest."""
    figures: dict[str, FormulaValue]
    shown: tuple[str, ...]
    """Names of the figures for people, in order."""
    main: tuple[str, ...]
    """Names of the figures to show first."""

    def text(self, name: str) -> str:
        """Return a figure as text; a dash if this ramp has none of that name."""
        return self.figures[name].text if name in self.figures else "–"


def _tell_plan(run: CountedRun, plan: RampPlan, question: RampQuestion) -> PlanAnswer:
    figures = {one.name: one for one in list_figures(plan, question)}
    # An hour of 100 rounds is the same as 100 rounds.
    same = question.rounds_per_hour == HUNDRED
    main = (name.replace("_per_hour", "_per_100") if same else name for name in _MAIN)
    return PlanAnswer(
        **numbers.fields_of(plan, "title", "unit", "bankroll", "kelly"),
        ramp=write_ramp(plan),
        choice=_word_choice(run, plan, question),
        words=describe_ramp(plan, question),
        unit_text=write_unit(plan),
        plays_from=run.game.rows[plan.first].count if plan.first else None,
        bankroll_text=write_bank(plan, question),
        kelly_text=name_kelly(plan.kelly),
        bets=tuple(plan.betting.bets),
        figures=figures,
        shown=tuple(name for name in figures if not (same and name in _PER_HOUR)),
        main=tuple(name for name in main if name in figures),
    )


def _word_choice(run: CountedRun, plan: RampPlan, question: RampQuestion) -> str:
    """Say how a ramp was chosen: `best for a spread of 1-8, played at 2 and more`."""
    words = "as given"
    if question.ramp is None:
        words = f"best for a spread of 1-{question.spread:g}"
        if question.levels is not None:
            words += f" with at most {numbers.count_of(question.levels, 'bet')}"
        if plan.title == "whole chips":
            words += f" in chips of {question.chip:,.10g}"
    return words + (f", played at {run.game.rows[plan.first].count} and more" if plan.first else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class RampAnswer(Displayed, Pictured):
    """The question about a run, with all results."""

    run: CountedRun
    question: RampQuestion
    plans: tuple[RampPlan, ...]
    plan_answers: tuple[PlanAnswer, ...]
    """Each plan with its figures and words; amounts are in the unit of the question."""
    json_keys = """
        rules=run.job.rules system=run.system.name seed=run.job.seed spots=run.job.spots
        rounds=run.game.seen rounds_played=run.game.played shoes=run.game.shoes
        version=run.job.version house_edge house_edge_standard_error=run.game.flat_error
        rounds_per_hour=question.rounds_per_hour by_count plans=plan_answers notes=all_notes
    """

    def notes(self) -> list[str]:
        """Return the warnings."""
        notes = []
        for plan in self.plans:
            betting = plan.betting
            if betting.ev <= 0:
                notes.append(
                    f"The ramp {plan.title} loses, so ruin is certain with any bank: the risk of"
                    " ruin is 100%, and only a limit of time (hours) makes it less."
                )
            elif betting.ev < _DOUBTFUL * betting.standard_error:
                notes.append(
                    f"The EV of the ramp {plan.title} is less than {_DOUBTFUL} standard errors"
                    " over 0: whether it wins is not settled. Simulate more rounds."
                )
            notes += self._note_risk(plan)
        return notes

    def all_notes(self) -> list[str]:
        """Return the warnings, for whom the index plays are made, and what the errors count."""
        job = self.run.job
        note = "" if job.deviations is None else job.deviations.note_game(job.rules)
        return [*([note] if note else []), *self.notes(), *self.note_errors()]

    def note_errors(self) -> list[str]:
        """Note what the errors count, where the bets were found from the rounds themselves."""
        plan, question = self.plans[-1], self.question
        if plan.betting is plan.given:
            return []
        found = [] if question.ramp is not None else ["ramp"]
        if question.unit is None and question.bankroll is not None:
            found.append("size of the bets" if plan.title == "whole chips" else "unit")
        pace = question.rounds_per_hour
        ev = numbers.with_error(pace * plan.given.ev, pace * plan.given.standard_error)
        words = (
            f"± counts that the {' and the '.join(found)} were found from the same rounds. The same"
            f" bets, given as they are, have an EV of {ev} in {write_hour(pace)}"
        )
        if len(found) == 1:
            words = words.replace("were found", "was found")
        if _is_by_design(question):
            words += "; that is also how ± of a risk and of a bank is meant"
        if question.wong == "best":
            words += ". It leaves out that the count from which it plays was found"
        return [f"{words}."]

    def _note_risk(self, plan: RampPlan) -> list[str]:
        """Note if chips are too large for the requested risk."""
        if self.question.unit is not None or self.question.chip is None:
            return []
        betting, asked = plan.betting, formulas.risk_of_kelly(kelly=plan.kelly)
        moments = {"ev": betting.ev, "variance": betting.variance}
        risk = formulas.risk_of_ruin(**moments, bankroll=plan.bankroll)
        if risk <= _OFF * asked:
            return []
        note = (
            f"No ramp in {plan.title} has just the risk of ruin asked for. The one that is worth"
            f" most has {100 * risk:.3g}%, not {100 * asked:.3g}%: smaller chips come nearer."
        )
        return [note]

    def table(self) -> figure.AnswerTable:
        """Return the counts of a run with the bets of the ramp, a row per count."""
        money = ", money" if has_money(self.question) else ""
        job = self.run.job
        bets = {"bet": self.plans[0].betting.bets}
        if len(self.plans) > 1:
            bets["bet_in_chips"] = self.plans[1].betting.bets
        columns = figure.columns_of(CountFigures)
        bets_of = (figure.real(name, f"{name.replace('_', ' ')}{money}", digits=2) for name in bets)
        return figure.AnswerTable(
            title="By count before the deal",
            columns=(*columns.values(), *bets_of),
            rows=tuple(
                (
                    *(numbers.finite(getattr(row, name)) for name in columns),
                    *(float(each[place]) for each in bets.values()),
                )
                for place, row in enumerate(self.by_count)
            ),
            caption=figure.caption(job.rules, count=self.run.system.name, seed=job.seed),
        )

    @property
    def house_edge(self) -> float:
        """The house's win per initial bet, of flat bets in every round dealt."""
        return -self.run.game.flat_ev

    @property
    def by_count(self) -> tuple[CountFigures, ...]:
        """The rounds by count, with the figures of one unit on every spot."""
        game = self.run.game
        return tuple(
            CountFigures(
                **numbers.fields_of(row, "count", "label"),
                rounds=row.seen,
                rounds_played=row.rounds,
                frequency=game.frequency(row),
                frequency_standard_error=game.frequency_error(row),
                ev_all_spots=row.ev,
                ev_all_spots_standard_error=row.standard_error,
                variance_all_spots=row.variance,
                added_all_spots=row.added,
            )
            for row in game.rows
        )


def answer_ramp(run: CountedRun, terms: BetTerms) -> RampAnswer:
    """Return what bets win and risk, from one run.

    Raises: AnalysisError for terms that clash, or bets that cannot be; NotationError, RulesError.
    """
    question = settle(terms, run.choose_bets(terms))
    plans = tuple(make_plans(run.game, question))
    told = tuple(_tell_plan(run, plan, question) for plan in plans)
    return RampAnswer(run=run, question=question, plans=plans, plan_answers=told)


def analyse_ramp(run: Run, ramp: str | BetRamp | None = None, **terms: Any) -> RampAnswer:
    """Return what bets win and risk, as `Run.ramp` says; shares and counts may be texts."""
    return answer_ramp(read_document(make_document(run)), read_terms(ramp=ramp, **terms))


def settle(terms: BetTerms, bets: Mapping[str, Any]) -> RampQuestion:
    """Return the question of terms with these bets: the ramp as read, or a spread.

    An hour has the rounds that `upcard money` saved, by default. Raises: AnalysisError.
    """
    pace = {"rounds_per_hour": float(load_pace().hands_per_hour)}
    return RampQuestion(**{**pace, **terms.given(), **bets})


FIELDS: Final = list_fields(BetTerms)
"""The fields of the question."""


def ask_ramp(run: CountedRun, texts: Mapping[str, str]) -> RampAnswer:
    """Answer the question of a form, by the texts of its fields.

    Raises: FieldFaultsError with a sentence for each faulty field; as `answer_ramp` does.
    """
    values, faults = read_asked(FIELDS, texts)
    try:
        if values.get("ramp") is not None:
            run.parse_ramp(values["ramp"])
    except BlackjackError as error:
        faults["ramp"] = as_sentence(str(error))
    try:
        # A faulty text stands there too: it may clash with what it does not go with.
        terms = BetTerms(**{**dict.fromkeys(faults, ""), **values})
    except FieldClashError as error:
        faults["ramp"] = as_sentence(str(error))
    if faults:
        raise refuse_fields(faults)
    return answer_ramp(run, terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampCount:
    """One count: how often, what a unit wins there, what is bet."""

    label: str
    share: float
    """Share of the rounds, 0 to 1."""
    share_error: float
    """Standard error of the share."""
    ev: float | None
    """EV of a unit; None for fewer than 100 rounds."""
    standard_error: float | None
    bet: float
    """The bet in money."""
    other_bet: float | None
    """The bet of the second question; None without one."""


def list_counts(answer: RampAnswer, other: RampAnswer | None) -> tuple[RampCount, ...]:
    """Return the counts with the bets of the last ramp, and those of another question's."""
    from upcard.charts.plot_data import FEWEST_ROUNDS, typeset_count

    game, bets = answer.run.game, [plan.betting.bets for plan in answer.plans]
    others = [] if other is None else [plan.betting.bets for plan in other.plans]
    return tuple(
        RampCount(
            label=typeset_count(row.label),
            share=game.frequency(row),
            share_error=game.frequency_error(row),
            ev=row.ev if row.rounds >= FEWEST_ROUNDS else None,
            standard_error=row.standard_error if row.rounds >= FEWEST_ROUNDS else None,
            bet=bets[-1][place],
            other_bet=others[-1][place] if others else None,
        )
        for place, row in gather_rare(game, [*bets, *others])
    )


def tabulate_counts(answer: RampAnswer, other: RampAnswer | None = None) -> AnswerTable:
    """Return the EV of a unit and the bets by count, with the bets of another ramp if given.

    EV and SD are of a unit on every spot; counts too rare to tell are merged at both ends.
    """
    game, (plan, *in_chips) = answer.run.game, answer.plans
    bets = plan.betting.bets
    many = answer.run.job.spots > 1
    where = f"a unit on each of {answer.run.job.spots} spots" if many else "at one unit a spot"
    error = "± a standard error" if many else "± is one standard error"
    # Of a unit, over all spots: `upcard simulate` shows percent of a bet.
    of = ", all spots" if many else ""
    columns = [("share", "rounds %"), ("ev", f"EV %{of}"), ("sd", f"SD{of}")]
    columns.append(("bet", "bet"))
    # Cents do not matter for bets of thousands, and a terminal is 80 columns wide.
    decimals = 2 if max(bets) < _THOUSANDS else 0
    others = [("in_chips", "money in chips", one.betting.bets) for one in in_chips]
    if other is not None:
        others.append(("pinned", "pinned", other.plans[-1].betting.bets))
    if plan.unit != 1:
        columns.append(("money", "money"))
    columns += [(name, title) for name, title, _ in others]
    rows = []
    for place, row in gather_rare(game, [bets, *(found for _, _, found in others)]):
        share, its_error = 100 * game.frequency(row), 100 * game.frequency_error(row)
        ev = numbers.with_error(100 * row.ev, 100 * row.standard_error, most=_TABLE_DIGITS)
        cells = [row.label, numbers.with_error(share, its_error, most=_TABLE_DIGITS)]
        cells += [ev, f"{row.sd:.3f}"] if row.rounds else ["-", "-"]
        cells.append(f"{bets[place] / plan.unit:.4g}")
        if plan.unit != 1:
            cells.append(f"{bets[place]:,.{decimals}f}")
        rows.append((*cells, *(f"{found[place]:,.10g}" for _, _, found in others)))
    shown = (figure.text("count"), *(figure.label(*column) for column in columns))
    return make_table(f"By count before the deal, {where} ({error})", shown, rows)


def tabulate_figures(answer: RampAnswer) -> AnswerTable:
    """Return the figures of each ramp as text, a row for each."""
    plan = answer.plan_answers[0]
    titles = (figure.label(one.title.replace(" ", "_"), one.title) for one in answer.plan_answers)
    rows = (
        (plan.figures[name].title, *(one.text(name) for one in answer.plan_answers))
        for name in plan.shown
    )
    columns = (figure.text("figure", ""), *titles)
    return make_table("Results of the ramp (± is one standard error)", columns, rows)


def name_kelly(kelly: float) -> str:
    """Write a Kelly fraction and its risk of ruin."""
    fraction = "full Kelly" if kelly == 1 else f"{kelly:.4g} of full Kelly"
    return f"{fraction}: a risk of ruin of {100 * formulas.risk_of_kelly(kelly=kelly):.4g}%"


def write_ramp(plan: RampPlan) -> str:
    """Write a ramp as `--ramp` reads it, in decimals where they are exact."""
    main = " ".join(f"{count}:{_write_bet(bet)}" for count, bet in _list_steps(plan))
    return "; ".join((main, *map(str, plan.ramp.side)))


def describe_ramp(plan: RampPlan, question: RampQuestion) -> str:
    """Say a ramp in money, or in units where no money is known.

    That is `up to 0: 25; +1: 55; +2 and more: 200`, or `up to 0: 1 unit; +1: 3.9; ...`.
    """
    is_money = has_money(question)
    steps = _list_steps(plan)
    words = []
    for place, (count, bet) in enumerate(steps):
        last = steps[place + 1][0] - 1 if place + 1 < len(steps) else None
        where = numbers.signed(count)
        if not place:
            where = "at every count" if last is None else f"up to {numbers.signed(last)}"
        elif last is None:
            where += " and more"
        elif count != last:
            where += f" to {numbers.signed(last)}"
        if is_money:
            words.append(f"{where}: {write_money(float(bet) * plan.unit)}")
            continue
        units = "" if place else f" unit{'' if bet == 1 else 's'}"
        digits = 1 if bet < _WHOLE and bet.denominator > 1 else 0
        words.append(f"{where}: {float(bet):.{digits}f}{units}")
    for one in plan.ramp.side:
        side = str(one)
        if is_money:
            amounts = (
                write_money(float(bet) * plan.unit) + ("" if start is None else f" from {start}")
                for start, bet in one.steps
            )
            side = f"{one.code} {', '.join(amounts)}"
        words.append(f"side bet {side}")
    return "; ".join(words)


def has_money(question: RampQuestion) -> bool:
    """Whether amounts are money: a unit or a bankroll is given."""
    return question.unit is not None or question.bankroll is not None


def write_hour(pace: float) -> str:
    """Write the length of an hour: `an hour of 100 rounds`."""
    return f"an hour of {pace:,.10g} rounds"


def write_money(amount: float) -> str:
    """Write an amount of money, with cents where there are some."""
    text = f"{amount:,.2f}"
    return text.removesuffix(".00")


def _list_steps(plan: RampPlan) -> list[tuple[int, Fraction]]:
    """Return the counts at which the bet changes, each with its bet in units."""
    ramp = plan.ramp
    steps = [(ramp.least, ramp.bets[0])]
    for count, bet in enumerate(ramp.bets[1:], start=ramp.least + 1):
        if bet != steps[-1][1]:
            steps.append((count, bet))
    return steps


def _write_bet(bet: Fraction) -> str:
    text = f"{float(bet):.10g}"
    return text if float(text) == bet or 1000 % bet.denominator == 0 else str(bet)


def write_unit(plan: RampPlan) -> str:
    """Write the value of a unit, with its error if it follows from the bank."""
    if plan.unit_error:
        return numbers.with_error(plan.unit, plan.unit_error)
    return f"{plan.unit:,.10g}"


def write_bank(plan: RampPlan, question: RampQuestion) -> str:
    """Write the bank, with its error if it follows from the bets."""
    if question.bankroll is not None:
        return f"{plan.bankroll:,.10g}"
    terms = {"kelly": plan.kelly}
    betting, law = plan.betting, "kelly_bankroll"
    return compute(law, betting, name=law, title="Bank", kind=Kind.AMOUNT, **terms).text
