"""Exact values of decisions and games, computed without sampling.

Three solvers share a protocol, `solve.Solver`, and are chosen by the rules:

- an infinite deck: `infinite`, on the hands and splits of `infinite_hands`;
- a shoe with known cards: `finite`, on `finite_hands`, which reads its cards from `finite_shoe`;
  `finite_charts` finds and compares charts by totals, and `full_memory` values splits with every
  card seen;
- a house with a non-standard ace or dealer rule: `nonstandard`.

The rest belongs to all of them: the public functions (`solve`), the cards in a question
(`composition`), supported rules and split plays (`supported_rules`), results (`solver_results`),
insurance and even money (`insurance`), and a hand in the middle of a round (`position`).
"""
