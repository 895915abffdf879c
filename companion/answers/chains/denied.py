"""Read a question for what is not so: "What can't Priya eat?", "Was mag Mats nicht?"

It is asked like "What can Priya eat?", of what was denied alone: whatever was said to be so answers
nothing there, and one claim does, since nothing follows from two denials.
"""

from companion.answers.question import plain
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.patterns import lazy
from companion.tuples import NamedTuple
from companion.values.claims import split_words

_CANNOT = lazy(r"(?i)\bcan(?:['\u2019]t|not)\b")
_WILL_NOT = lazy(r"(?i)\bwon['\u2019]t\b")
_NOT = lazy(r"(?i)\b(\w+)n['\u2019]t\b")
_AROUND = "?!.,;:"


class Plainly(NamedTuple):
    """A question without its denial."""

    question: str
    denied: bool  # it asks for what is not so


def without_denial(question: str) -> Plainly:
    """Return *question* as it asks for what is so, and whether it had a denial."""
    bare = _NOT.sub(r"\1", _WILL_NOT.sub("will", _CANNOT.sub("can", question)))
    language = question_language(split_words(bare))
    denials = read_question_data()[language]["words"]["denials"].split()
    words = bare.split()
    kept = [word for word in words if plain(word.strip(_AROUND)) not in denials]
    if bare == question and len(kept) == len(words):
        return Plainly(question, denied=False)
    return Plainly(" ".join(kept), denied=True)
