"""Seeded faults: each breaks one line in the style of a tired developer, and names who must notice.

`mutations` runs them. When a line that is named here changes, break the new line in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mutation:
    """One fault, in the style of a tired developer."""

    name: str
    files: str
    """Pattern of the files, one of which has `old`, once: files move, and packages stay."""
    old: str
    new: str
    tests: str
    """What pytest runs, separated by blanks; as little as takes seconds."""
    is_compiled: bool = True
    """Whether machine code is compiled; else kernels are run as plain Python, for tests of few
    rounds, and none is."""

    def find(self, root: Path) -> Path:
        """Return the file that has the text. Raises: LookupError unless it is there once."""
        found = [path for path in sorted(root.glob(self.files)) for _ in range(count(path, self))]
        if len(found) != 1:
            names = ", ".join(str(path.relative_to(root)) for path in found) or "no file"
            raise LookupError(f"{self.name}: {self.files} must have its text once, not in {names}")
        return found[0]


def count(path: Path, mutation: Mutation) -> int:
    return path.read_text(encoding="utf-8").count(mutation.old)


STORE: Final = "src/upcard/store/*.py"
CACHE: Final = "src/upcard/cache/*.py"
GATE: Final = "src/upcard/web/**/*.py"
ENV: Final = "src/upcard/env/*.py"
VECTOR: Final = "src/upcard/env/kernels/*.py"
LOCKSTEP: Final = "src/upcard/simulation/kernels/lockstep/*.py"
SIMULATION: Final = "src/upcard/simulation/*.py"
ANALYSIS: Final = "src/upcard/analysis/*.py"
RULES: Final = "src/upcard/rules/*.py"
TABLE: Final = "src/upcard/table/*.py"
ROUNDS: Final = "src/upcard/simulation/kernels/*.py"
STRATEGY: Final = "src/upcard/strategy/*.py"
EXACT: Final = "src/upcard/exact/**/*.py"
DRILLS: Final = "src/upcard/drills/*.py"
ANSWERS: Final = "src/upcard/answers/**/*.py"

MUTATIONS: Final = (
    # Those that no test of version 0.1 noticed.
    Mutation(
        "the key of the shoe is sent as the player's next seed",
        GATE,
        '**fields_of(shoe, "number", "player_seed", "next_player_seed"),',
        '**fields_of(shoe, "number", "player_seed"), next_player_seed=shoe.key.hex(),',
        "tests/web/test_web_secrecy.py::test_a_saved_table_sends_no_secret_of_a_shoe_before_its_end",
    ),
    Mutation(
        "the environment never counts an unturned hole card",
        ENV,
        "            one.finish_round(state.dealer)\n",
        "            pass\n",
        "tests/env/test_one_table.py::test_a_hole_card_that_was_not_turned_is_counted_when_the_round_is_over",
    ),
    Mutation(
        "a run's file gets its name before its bytes are on the disk",
        SIMULATION,
        "            os.fsync(file.fileno())\n        shared_files.replace(fresh, path)\n",
        "        shared_files.replace(fresh, path)\n",
        "tests/unit/simulation/test_run_state.py::test_a_run_outlasts_a_power_cut_at_every_moment",
    ),
    Mutation(
        "the cut card of the lockstep comes one card late",
        LOCKSTEP,
        "(1 if game.is_fresh else game.cut)",
        "(1 if game.is_fresh else game.cut + 1)",
        "tests/unit/simulation/test_whole_shoes.py::test_a_counters_rounds_side_by_side_are_those_of_the_direct_loop",
    ),
    Mutation(
        "EV per action counts one spot",
        ANALYSIS,
        "_quotient(game, bets, [spots + row.added for row in game.rows], both)",
        "_quotient(game, bets, [1 + row.added for row in game.rows], both)",
        "tests/unit/analysis/test_count_rows.py::test_bets_on_two_spots_are_reported_by_spot",
    ),
    Mutation(
        "the variance of a sample is that of a population",
        SIMULATION,
        "        spread = spread * count / (count - 1)\n",
        "        spread = spread * 1\n",
        "tests/unit/simulation/test_estimates.py::test_the_error_of_few_rounds_is_that_of_a_sample",
    ),
    Mutation(
        "the key of a saved value lacks a setting",
        CACHE,
        'for name in RULE_NAMES if name != "side_bets"]',
        'for name in RULE_NAMES if name not in ("side_bets", "resplit_aces")]',
        "tests/unit/cache/test_recall.py::test_rules_that_differ_in_one_setting_have_different_keys",
    ),
    # The store.
    Mutation(
        "the company's chips are at risk",
        STORE,
        "sum((bets[spot].total for spot in player_spots if has_bets), start=Fraction(0))",
        "sum((bet.total for bet in bets if has_bets), start=Fraction(0))",
        "tests/unit/store/test_company.py::test_an_unfinished_round_has_its_own_spots_and_its_company_again",
    ),
    Mutation(
        "chips on a table can be taken away",
        STORE,
        "        free = free_chips_of(store)\n        if chips < 0",
        "        free = bankroll_of(store)\n        if chips < 0",
        "tests/unit/store/test_kept_table.py::test_chips_on_a_table_cannot_be_taken_away",
    ),
    Mutation(
        "free chips are counted before the change that takes them",
        STORE,
        "    with store.change():\n        free = free_chips_of(store)\n",
        "    free = free_chips_of(store)\n    with store.change():\n",
        "tests/unit/store/test_kept_table.py::test_free_chips_are_counted_and_laid_in_one_transaction",
    ),
    Mutation(
        "a bet of all free chips is refused",
        STORE,
        "        if at_risk > free:\n",
        "        if at_risk >= free:\n",
        "tests/unit/store/test_kept_table.py::test_all_free_chips_can_be_bet_and_no_more",
    ),
    Mutation(
        "judgements of a void round stay",
        STORE,
        "                store.run(statement, number, row[0])\n",
        "",
        "tests/unit/store/test_results.py::test_judgements_of_a_void_round_are_not_those_of_the_next",
    ),
    Mutation(
        "words for the next shuffle are not saved",
        STORE,
        "        store.run(statement, state.next_player_seed, last[0])\n",
        "        store.run(statement, state.player_seed, last[0])\n",
        "tests/unit/store/test_kept_table.py::test_words_for_the_next_shuffle_outlast_the_process",
    ),
    Mutation(
        "a hand that another terminal plays is offered",
        STORE,
        "        if not lock.take():\n            continue\n",
        "        lock.take()\n",
        "tests/unit/store/test_kept_table.py::test_a_round_of_another_terminal_is_not_found",
    ),
    Mutation(
        "an answer is carried out before it is saved",
        STORE,
        "        self._save_answer(action, extra)\n        return self._carry_out(action)\n",
        "        state = self._carry_out(action)\n"
        "        self._save_answer(action, extra)\n"
        "        return state\n",
        "tests/unit/store/test_reported_when_saved.py::test_a_result_is_booked_before_it_is_reported",
    ),
    Mutation(
        "a result is reported before it is booked",
        STORE,
        "        if self.is_owed:\n            self.last_round",
        "        self._tell_listeners()\n        if self.is_owed:\n            self.last_round",
        "tests/unit/store/test_reported_when_saved.py::test_a_result_is_booked_before_it_is_reported",
    ),
    Mutation(
        "what the disk did not write counts as written",
        STORE,
        "            except OSError as error:\n                shared.is_behind = True\n",
        "            except OSError as error:\n",
        "tests/unit/store/test_sync.py::test_a_disk_that_does_not_write_is_reported_until_it_does",
    ),
    Mutation(
        "mistakes of the company are the person's",
        STORE,
        "\"(own = '' OR instr(",
        '"(1 OR instr(',
        "tests/unit/store/test_company.py::test_statistics_are_of_own_bets_nets_and_decisions",
    ),
    # The gate.
    Mutation(
        "of two hosts the first counts",
        GATE,
        "len(hosts) != 1 or hosts[0] not in",
        "not hosts or hosts[0] not in",
        "tests/web/test_web_gate.py::test_two_hosts_are_refused",
    ),
    Mutation(
        "of two origins the first counts",
        GATE,
        "len(origins) == 1 and origins[0] in",
        "bool(origins) and origins[0] in",
        "tests/web/test_web_gate.py::test_a_change_with_two_origins_is_refused",
    ),
    Mutation(
        "a form of just the most bytes is refused",
        GATE,
        "length > MOST_BODY_BYTES",
        "length >= MOST_BODY_BYTES",
        "tests/web/test_web_gate.py::test_a_form_has_limits",
    ),
    Mutation(
        "a request that is refused stays counted",
        GATE,
        "        known = self.count_connections()\n"
        "        if known > self.most_connections - _NEWCOMERS:\n",
        "        self.requests += 1\n        known = self.count_connections()\n"
        "        if known > self.most_connections - _NEWCOMERS:\n",
        "tests/web/test_web_traffic.py::test_too_many_connections_are_refused_with_a_sentence",
    ),
    Mutation(
        "a connection is let in before its key is read",
        GATE,
        "            self._check_key(headers)\n"
        '            if let_in := scope.get("state", {}).get(LET_IN):\n'
        "                let_in()\n",
        '            if let_in := scope.get("state", {}).get(LET_IN):\n'
        "                let_in()\n"
        "            self._check_key(headers)\n",
        "tests/web/test_web_traffic.py::test_a_connection_with_a_wrong_key_stays_one_without",
    ),
    Mutation(
        "the cookie is the key",
        GATE,
        "answer.set_cookie(self.door.cookie, self.door.day_pass,",
        "answer.set_cookie(self.door.cookie, self.door.key,",
        "tests/web/test_web_gate.py::test_the_link_gives_a_cookie_that_scripts_and_other_sites_cannot_use",
    ),
    # The cache.
    Mutation(
        "a key lacks the cards before the deal",
        CACHE,
        '"shoe": solver.read_cards,',
        '"shoe": lambda *_: None,',
        "tests/unit/cache/test_recall.py::test_the_cards_before_the_deal_are_in_every_key_that_depends_on_them",
    ),
    Mutation(
        "a saved value gets its name before its bytes",
        CACHE,
        "stream.write(data)\n                replace(part, self._place(name))\n",
        "replace(part, self._place(name))\n                    stream.write(data)\n",
        "tests/unit/cache/test_cache_folder.py::test_a_value_has_its_bytes_before_its_name",
    ),
    Mutation(
        "the first answer has other types than later ones",
        CACHE,
        "            outcome = entry.read_content(question, content)  # as a later caller has it\n",
        "",
        "tests/unit/cache/test_recall.py::test_who_asks_first_gets_what_who_asks_later_gets",
    ),
    Mutation(
        "the value of another question is read",
        CACHE,
        " or key != question.key:",
        " or not key:",
        "tests/unit/cache/test_cache_folder.py::test_the_value_of_another_question_in_its_place_is_not_read",
    ),
    # The environments.
    Mutation(
        "counts have no least value",
        ENV,
        "return min(max(count, least), most), left / self.count.system.deck_size",
        "return min(count, most), left / self.count.system.deck_size",
        "tests/env/test_one_table.py::test_counts_beyond_those_that_are_distinguished_are_the_last_of_them",
    ),
    Mutation(
        "the regret of a round includes that of the last",
        ENV,
        '            info["round_regret"] = float(self._lost)\n            self._lost = 0.0\n',
        '            info["round_regret"] = float(self._lost)\n',
        "tests/env/test_oracle.py::test_the_regret_of_a_round_of_the_shoe_is_its_own",
    ),
    Mutation(
        "a mask is the caller's array",
        ENV,
        "    return np.array(mask)\n",
        "    return np.asarray(mask)\n",
        "tests/env/test_vector.py::test_a_reset_of_some_tables_touches_no_other",
    ),
    Mutation(
        "the tables shuffle one card after the cut card",
        VECTOR,
        "(position > 0 if is_fresh else position >= cut)",
        "(position > 0 if is_fresh else position > cut)",
        "tests/env/test_vector.py::test_a_shoe_ends_where_that_of_a_single_table_does",
    ),
    Mutation(
        "cards that were taken back count as seen",
        VECTOR,
        "(0 if has_run_out else terms.seen[table * RANKS + rank])",
        "terms.seen[table * RANKS + rank]",
        "tests/env/test_vector.py::"
        "test_the_unseen_cards_are_those_of_a_shoe_that_took_its_discards_back",
    ),
    # The lockstep.
    Mutation(
        "a round that is played again keeps the count of the first try",
        LOCKSTEP,
        "                words[mine + RUNNING] = words[mine + BEFORE]\n",
        "",
        "tests/unit/simulation/test_whole_shoes.py::test_a_seat_that_waits_a_hole_card_and_split_hands_are_the_same_in_lockstep",
    ),
    Mutation(
        "a fresh shoe's generator plays one round more",
        LOCKSTEP,
        "rounds_here[lane] < ROUNDS_A_FRESH_SHOE",
        "rounds_here[lane] <= ROUNDS_A_FRESH_SHOE",
        "tests/unit/simulation/test_whole_shoes.py::test_play_that_gives_every_answer_is_the_same_in_lockstep",
    ),
    # Statistics and analysis.
    Mutation(
        "the error of an EV at several spots is that of one",
        SIMULATION,
        "deviation / math.sqrt(count) / spots if",
        "deviation / math.sqrt(count) if",
        "tests/unit/simulation/test_estimates.py::test_the_error_of_few_rounds_is_that_of_a_sample",
    ),
    Mutation(
        "bets are cut off to a thousandth",
        ANALYSIS,
        "round(bet * FINENESS) / FINENESS for",
        "int(bet * FINENESS) / FINENESS for",
        "tests/unit/analysis/test_analysis_optimum.py::test_a_bet_is_rounded_to_the_nearest_thousandth",
    ),
    # Those that no test noticed while side bets and the rules of single houses came.
    Mutation(
        "first cards of side bets are noted again after a split",
        TABLE,
        "    if not side.opening:\n",
        "    if len(side.opening) != len(state.hands):\n",
        "tests/unit/table/test_side_stakes.py::test_bets_are_settled_by_the_cards_as_they_were_dealt_though_hands_are_split",
    ),
    Mutation(
        "a card turned up for a bet is not counted",
        ROUNDS,
        "            running += game.tags[at(kinds[at(position)])]\n        position += 1\n",
        "            pass\n        position += 1\n",
        "tests/differential/test_simulator_and_table.py::test_a_card_turned_up_for_a_side_bet_is_counted_as_at_the_table",
        is_compiled=False,
    ),
    Mutation(
        "side bets of the company are in the statistics",
        STORE,
        "if not own or one.spot in own]",
        "]",
        "tests/unit/store/test_side_bet_statistics.py::test_side_bets_of_the_company_are_in_no_sum_of_the_persons",
    ),
    Mutation(
        "the worth of side bets of the company is in the luck",
        STORE,
        "(one for wager in mine for one in wager.side)",
        "(one for wager in placed for one in wager.side)",
        "tests/unit/store/test_side_bet_statistics.py::test_side_bets_of_the_company_are_in_no_sum_of_the_persons",
    ),
    Mutation(
        "insurance of the company is booked",
        STORE,
        "sum((side_bets[spot] for spot in player_spots), start=Fraction(0))",
        "sum(side_bets, start=Fraction(0))",
        "tests/unit/store/test_company.py::test_insurance_and_side_bets_of_the_company_are_not_booked",
    ),
    Mutation(
        "any ten takes the ten that a later rank asks for",
        RULES,
        'face if face in left else ANY_TEN if face in FACES[TEN - 1 :] else ""',
        "ANY_TEN if face in FACES[TEN - 1 :] and ANY_TEN in left else face",
        "tests/unit/rules/test_side_bets.py::test_ranks_fit_in_whatever_order_they_and_the_cards_are_written",
    ),
    Mutation(
        "a whole side bet is unpacked without a limit",
        RULES,
        ".decompress(packed, side_bets.MOST_WRITTEN)",
        ".decompress(packed)",
        "tests/unit/rules/test_side_bets.py::test_a_token_is_unpacked_no_further_than_a_bet_can_be_long",
    ),
    Mutation(
        "a code is unpacked without a limit",
        STORE,
        "inflate.decompress(data, _LONGEST_TEXT + _WHOLE_BETS)",
        "inflate.decompress(data)",
        "tests/unit/store/test_codes.py::test_a_code_unpacks_to_no_more_than_a_round_can_have",
    ),
    Mutation(
        "a side bet of 5 chips that is typed in the browser is dropped",
        "src/upcard/services/*.py",
        'chips.strip("0. ")',
        'chips.strip("05. ")',
        "tests/web/test_web_side_bets.py::test_every_amount_that_is_typed_on_a_side_bet_is_placed_and_only_nothing_is_none",
    ),
    # Rules, the table and players.
    Mutation(
        "a bet that pays differently keeps the published figures",
        RULES,
        'rows=rows, game="", published=()\n',
        'rows=rows, game=""\n',
        "tests/unit/rules/test_side_bets.py::test_figures_that_were_published_are_of_no_bet_that_pays_differently",
    ),
    Mutation(
        "a bonus with one good and one bad payment is read",
        RULES,
        " or len(read) != len(pays):",
        ":",
        "tests/unit/rules/test_bonuses.py::test_text_in_another_form_is_not_read",
    ),
    Mutation(
        "a bet on a card between two does not tell a king from a ten",
        RULES,
        'self._has("same_rank", "run", "between", "exact")',
        'self._has("same_rank", "run", "exact")',
        "tests/unit/exact/test_side_bet_values.py::test_every_word_alone_has_the_value_of_its_cards",
    ),
    Mutation(
        "smallest and largest bets are those of the main bet",
        TABLE,
        "for bet in (wager.main, *(chips for _, chips in wager.side)):",
        "for bet in (wager.main,):",
        "tests/unit/table/test_bet_limits.py::test_each_bet_of_a_hand_is_held_to_the_smallest_and_the_largest",
    ),
    Mutation(
        "the first card that a hand draws is that of another spot",
        TABLE,
        "(spot := state.hands[target].spot) not in",
        "(spot := target) not in",
        "tests/unit/table/test_side_stakes.py::test_the_card_that_a_spot_draws_first_is_its_own_whatever_hands_it_has",
    ),
    Mutation(
        "chips on side bets are free",
        "src/upcard/players/*.py",
        "(bet or 0) + view.side.placed(spot)",
        "(bet or 0)",
        "tests/unit/players/test_playing_rounds.py::test_chips_on_side_bets_cannot_be_bet_again",
    ),
    # Strategy and the exact solvers.
    Mutation(
        "side bets are placed in rounds that are sat out",
        STRATEGY,
        "if not self.side or not self.bet(count):",
        "if not self.side:",
        "tests/unit/strategy/test_ramp.py::test_side_bets_are_placed_at_their_counts_in_rounds_that_are_played",
    ),
    Mutation(
        "a ramp ends where its first side bet begins",
        STRATEGY,
        "return min([self.least, *(count - 1 for count in steps)])",
        "return min([self.least, *steps])",
        "tests/unit/strategy/test_ramp.py::test_side_bets_are_placed_at_their_counts_in_rounds_that_are_played",
    ),
    Mutation(
        "indices are for a count that starts elsewhere",
        STRATEGY,
        'attrgetter("tags", "red_7", "by", "start_per_deck", "start_constant")',
        'attrgetter("tags", "red_7", "by")',
        "tests/unit/strategy/test_deviations.py::test_indices_are_for_a_count_that_counts_the_same_whatever_its_name_and_rounding",
    ),
    Mutation(
        "index plays act on hands that were doubled",
        STRATEGY,
        "        if doubles:\n            return ()\n",
        "",
        "tests/unit/strategy/test_deviations.py::test_no_play_acts_on_a_hand_that_was_doubled",
    ),
    Mutation(
        "a chart keeps a natural as 21 of two cards",
        EXACT,
        "chart.worth(hand, up, natural_pays=pays)",
        "chart.worth(hand, up)",
        "tests/unit/exact/test_switch.py::test_the_solver_swaps_what_a_player_by_the_chart_swaps_at_the_table",
    ),
    Mutation(
        "a natural after a look loses as any hand",
        EXACT,
        "lost = natural * (-natural_ev(self.rules, 1.0) if is_natural else 1.0)",
        "lost = natural",
        "tests/unit/exact/test_insurance.py::test_every_hand_even_a_natural_is_worth_the_same_to_the_solver_for_odd_houses",
    ),
    Mutation(
        "effects of removal are averaged over suits that are gone",
        EXACT,
        "fsum(self.numbers[place] * (self.cards[place] or 0.0) for place in places)",
        "cards * fsum(self.cards[place] or 0.0 for place in places) / len(places)",
        "tests/unit/exact/test_side_bet_values.py::test_the_mean_over_cards_as_they_are_left_changes_nothing",
    ),
    Mutation(
        "insurance is offered to a natural beside even money",
        EXACT,
        "if is_first and taking is Taking.BEST and insured > offered:",
        "if taking is Taking.BEST and insured > offered:",
        "tests/unit/exact/test_insurance.py::test_a_natural_takes_the_best_of_what_the_house_offers_and_nothing_else",
    ),
    # Analysis, drills, the coach and answers.
    Mutation(
        "the key of an insurance table lacks the hand",
        ANALYSIS,
        'asked = (program_stamp(("analysis",)), repr(system), " ".join(map(str, cards)))',
        'asked = (program_stamp(("analysis",)), repr(system))',
        "tests/unit/analysis/test_insurance_counts.py::test_a_saved_answer_is_of_the_same_count_decks_and_hand",
    ),
    Mutation(
        "the effects on insurance are those of 2:1",
        ANALYSIS,
        "won = full.counts[TEN], full.size - 1, (1 + float(rules.insurance_pays)) / 2",
        "won = full.counts[TEN], full.size - 1, 1.5",
        "tests/unit/analysis/test_efficiencies.py::test_the_effects_on_insurance_are_those_of_what_it_pays",
    ),
    Mutation(
        "a session of other index plays is resumed",
        DRILLS,
        "{system} {deviations.name} {ramp}",
        "{system} {ramp}",
        "tests/unit/drills/test_ready.py::test_every_part_of_a_plan_makes_it_another_session",
    ),
    Mutation(
        "a play below its index is weighed above it",
        DRILLS,
        "past = 2 if play is None or play.at_or_above else -3",
        "past = 2",
        "tests/unit/drills/test_drills.py::test_a_play_is_weighed_by_what_it_gains_on_its_own_side_of_the_index",
    ),
    Mutation(
        "insurance that is not paid is thought to pay 2:1",
        DRILLS,
        "dealt.net - dealt.insurance_net - dealt.insurance",
        "dealt.net - 3 * dealt.insurance",
        "tests/unit/drills/test_dealer_drill.py::test_insurance_that_is_not_paid_costs_what_the_house_pays_for_it",
    ),
    Mutation(
        "insurance breaks even at a third in every house",
        "src/upcard/coach/*.py",
        "break_even = 1 / (1 + float(question.rules.insurance_pays))",
        "break_even = 1 / 3",
        "tests/unit/coach/test_explanation.py::test_insurance_breaks_even_where_its_own_payment_does",
    ),
    Mutation(
        "a count that wins less is shown as winning more",
        ANSWERS,
        "Measurement(measured.value - own.value, error)",
        "Measurement(own.value - measured.value, error)",
        "tests/unit/answers/test_best_count.py::test_what_another_count_wins_less_is_above_0_and_what_it_wins_more_below",
    ),
    Mutation(
        "the list of side bets has every one in six decks",
        ANSWERS,
        "    game = bet_values.choose_game(bet)\n    return ListedSideBet(",
        '    game = bet_values.choose_game(bet, "6D")\n    return ListedSideBet(',
        "tests/cli/test_sidebet.py::"
        "test_the_list_has_the_exact_edge_in_the_game_of_the_pay_table_or_in_six_decks",
    ),
    Mutation(
        "faults of a kind in a league are one",
        ANSWERS,
        "lost = sum(len(places) for _, places in self.faults.values() if places[0])",
        "lost = len(self.faults)",
        "tests/unit/answers/test_league.py::test_every_round_with_a_fault_is_counted_and_loses_its_bet",
    ),
    # More of the store, the environments, simulation and front-ends.
    Mutation(
        "mistakes are compared with nets that include side bets",
        STORE,
        "won = _read_amount(net) - _worth(placed, rules[session_id])",
        "won = _read_amount(net)",
        "tests/unit/store/test_side_bet_statistics.py::test_luck_is_what_is_left_of_each_round_after_its_bets_and_its_mistakes",
    ),
    Mutation(
        "a table of the history has side bets of the company",
        STORE,
        "            for one in stored.own_side",
        "            for one in stored.side",
        "tests/unit/store/test_company.py::test_insurance_and_side_bets_of_the_company_are_not_booked",
    ),
    Mutation(
        "a bet without a value that nobody placed hides the luck",
        STORE,
        "return bool(unknown) and any(",
        "return bool(unknown) or any(",
        "tests/unit/store/test_side_bet_statistics.py::test_a_curve_has_no_luck_only_after_a_bet_without_a_value_was_placed",
    ),
    Mutation(
        "a sum has a value where one of its bets has none",
        STORE,
        "expected=float(sum(known, _NOTHING)) if len(known) == len(expected) else None",
        "expected=float(sum(known, _NOTHING))",
        "tests/unit/store/test_side_bet_statistics.py::test_a_sum_has_a_value_only_if_every_bet_in_it_has_one",
    ),
    Mutation(
        "side bets are part of one kind of regret",
        ENV,
        'if rewards != "net" and any(wager.side for wager in read):',
        'if rewards == "regret" and any(wager.side for wager in read):',
        "tests/env/test_side_bets_in_environments.py::test_what_cannot_be_is_refused",
    ),
    Mutation(
        "the fresh shoe has the card that was split off",
        ENV,
        "known = [*hand.cards, *hand.cards[: int(hand.is_split)], *asked.view.dealer]",
        "known = [*hand.cards, *asked.view.dealer]",
        "tests/env/test_exact_rewards.py::test_the_fresh_shoe_is_that_without_the_hand_the_dealers_card_and_what_was_split_off",
    ),
    Mutation(
        "a part of a run is subtracted without its side bets",
        SIMULATION,
        "side = None if part.side is None else -part.side",
        "side = part.side",
        "tests/unit/simulation/test_tally.py::test_what_was_added_can_be_subtracted_to_the_last_integer",
    ),
    Mutation(
        "a side bet of one's own file is not placed in the browser",
        GATE,
        "names = dict.fromkeys((*own, *SIDE_BETS.names()))",
        "names = dict.fromkeys(SIDE_BETS.names())",
        "tests/web/test_web_side_bets.py::test_a_bet_of_a_file_of_yours_is_placed_like_one_that_ships",
    ),
    Mutation(
        "a run's seat is overruled by an option",
        ANSWERS,
        "refuse_given(words, **numbers.fields_of(seat))",
        'refuse_given(words, **numbers.fields_of(seat, "count", "indices", "spots", "enter"))',
        "tests/cli/test_bankroll_command.py::test_a_game_beside_a_run_is_refused",
    ),
    Mutation(
        "a count for a side bet is that of a full shoe",
        ANSWERS,
        "counted = bet.count(terms.shoe, rules, penetration=terms.pen)",
        "counted = bet.count(None, rules, penetration=terms.pen)",
        "tests/cli/test_sidebet.py::test_everything_about_a_bet_is_of_the_shoe_that_is_named",
    ),
    Mutation(
        "a rate an hour is shown after a few rounds",
        ANSWERS,
        "if statistics.why_no_rate(found.coached_rounds) else",
        "if not found.coached_rounds else",
        "tests/cli/test_stats_chart.py::test_there_is_a_rate_from_a_number_of_rounds_on",
    ),
    Mutation(
        "side bets stay where the chips cover the main bet only",
        TABLE,
        "    return Wager(fit_bet(wager.main, balance, hands=hands, unit=unit))",
        "    return wager._replace(main=fit_bet(wager.main, balance, hands=hands, unit=unit))",
        "tests/unit/table/test_bet_limits.py::test_where_chips_run_short_side_bets_go_before_the_main_bet_is_lower",
    ),
    Mutation(
        "a worst hand is named by its first mistake",
        "src/upcard/session/*.py",
        "return max(self.mistakes, key=lambda one: one.chips)",
        "return self.mistakes[0]",
        "tests/unit/session/test_report.py::test_a_worst_hand_is_named_by_its_costliest_answer_whenever_that_came",
    ),
    Mutation(
        "before a swap the fresh shoe has the other hand",
        ENV,
        "                known += asked.view.hands[1].cards\n",
        "                pass\n",
        "tests/env/test_exact_rewards.py::test_the_fresh_shoe_is_that_without_the_hand_the_dealers_card_and_what_was_split_off",
    ),
    Mutation(
        "side bets that are taken out of the form stay",
        GATE,
        "if typed is None or not (typed or rules.side_bets):",
        "if not typed:",
        "tests/web/test_web_side_bets.py::test_the_side_bets_of_the_form_are_those_of_the_table_none_included",
    ),
)
