"""Choose the matters that a page may state as facts: those that are certainly understood.

A claim that says nothing to anybody costs an answer nothing; a line in a page is read by its owner.
Pure.
"""

import re
from collections.abc import Sequence

from companion.values.claims import Assertion

# keys of the first person; several sources that say "I" are several people
_FIRST_PERSON = ("me", "us")
# the key of a copula alone: "I am", "the sky was"
_BEING = "is"
_NUMBER = re.compile(r"\d")


def is_certain(told: Sequence[tuple[Assertion, str]]) -> bool:
    """Tell whether what was *told* of one key, each with its object's words, may stand as facts.

    "I" and "we" are nobody known where several sources say so.
    What somebody merely is ("doing well", "good") is a mood or a fragment: only a name or a number
    says who or what.
    """
    assertions = [assertion for assertion, _ in told]
    subject, predicate = assertions[0].key
    sources = {assertion.source for assertion in assertions}
    if subject in _FIRST_PERSON and len(sources) > 1:
        return False
    if predicate != _BEING:
        return True
    return all(
        _states_change(assertion) or _is_name(object)
        for assertion, object in told
    )


def _states_change(assertion: Assertion) -> bool:
    """Tell whether a text says that it became so, and when."""
    return assertion.change and assertion.stated


def _is_name(object: str) -> bool:
    """Tell whether words begin as a name does, or hold a number."""
    return object[:1].isupper() or bool(_NUMBER.search(object))
