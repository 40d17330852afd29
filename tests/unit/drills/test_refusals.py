"""Why a key is no answer to a question of a drill."""

from upcard.answers.question import explain_refusal
from upcard.core.actions import Action
from upcard.drills.drill import Prompt
from upcard.rules.model import Rules


def test_insurance_is_refused_as_taking_it():
    """The drills still said `cannot insurance`: they worded the action themselves."""
    prompt = Prompt(item="count")
    reason = explain_refusal(Action.INSURANCE, prompt, rules=Rules())
    assert reason.startswith(f"cannot {Action.INSURANCE.verb}: ")
