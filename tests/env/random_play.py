"""Random play in an environment: rules, questions and answers from a seeded generator."""

import random

import gymnasium
from random_rules import choose_rules

import upcard.env  # noqa: F401 (registers the environments)
from upcard.core.errors import RulesError

ID = "upcard/Blackjack-v1"


def make(rules="6D", **options):
    """Make an environment without Gymnasium's wrappers."""
    return gymnasium.make(ID, rules=rules, **options).unwrapped


def draw_rules(seed):
    """Draw valid rules, none twice likely."""
    rng = random.Random(seed)
    while True:
        try:
            rules = choose_rules(rng.choice)
            return rules if rng.random() < 0.9 else add_switch(rules)
        except RulesError:
            continue


def add_switch(rules):
    """Return rules with a swap, if they allow one."""
    return rules.replace(switch=True, max_spots=2, insurance="none", even_money="never")


def draw_cards(rng, number=60):
    """Draw a script of cards with suits, with many aces and pairs."""
    faces = rng.choices("A23456789TJQK", k=number)
    few = rng.sample("A23456789TJQK", 4)
    return " ".join(rng.choice((face, rng.choice(few))) + rng.choice("CDHS") for face in faces)


def answer(rng, mask):
    """Choose one of the legal actions."""
    return rng.choice([code for code, legal in enumerate(mask) if legal])


def play(env, rng, **reset):
    """Play an episode; yield each observation, info, action and what it led to."""
    observation, info = env.reset(**reset)
    is_over = False
    while not is_over:
        action = answer(rng, info["action_mask"])
        before = observation, info
        observation, reward, is_over, truncated, info = env.step(action)
        assert truncated is False
        yield (*before, action, observation, reward, is_over, info)
