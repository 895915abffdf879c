"""Moods: whether a clause states, weighs or takes back what it says."""

from companion.language.claims.grammar import Grammar
from companion.values.claims import Mood


def mood_of(text: str, grammar: Grammar) -> Mood:
    """Return the mood of a clause or a sentence: what others say is going to happen is tentative
    until it has.
    """
    if grammar.says("mood.retracted", text):
        return "retracted"
    if grammar.says("mood.settled", text):
        return "confirmed"
    if grammar.says("mood.tentative", text):
        return "tentative"
    if grammar.says("mood.reported", text) and grammar.says("mood.future", text):
        return "tentative"
    return "confirmed"


def takes_back(text: str, grammar: Grammar) -> bool:
    """Tell whether *text* takes back what was said before and says nothing else ("scratch
    that").
    """
    return grammar.says("mood.bare_retraction", text)


def is_change(text: str, grammar: Grammar) -> bool:
    """Tell whether *text* has the words of a change: "now", "no longer", "as of"."""
    return grammar.says("change.words", text)
