"""Read a question for what is not so: "What can't Priya eat?", "Was mag Mats nicht?"

It is asked like "What can Priya eat?", of what was denied alone: whatever was said to be so answers
nothing there, and one claim does, since nothing follows from two denials. What a question begins
with denies nothing that it asks for: "Can't you tell me what Priya eats?", "No meeting on Monday?".
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
_AROUND = "?!,;:"  # "no." is a number


class Plainly(NamedTuple):
    """A question without its denial."""

    question: str
    denied: bool  # it asks for what is not so


def without_denial(question: str) -> Plainly:
    """Return *question* as it asks for what is so, and whether it had a denial."""
    words = question.split()
    bare = [
        word if at and _may_be_name(word) else _plain_verb(word)
        for at, word in enumerate(words)
    ]
    language = question_language(split_words(" ".join(bare)))
    denials = read_question_data()[language]["words"]["denials"].split()
    kept = bare[:1]
    for word in bare[1:]:
        if _may_be_name(word) or plain(word.strip(_AROUND)) not in denials:
            kept.append(word)
    denied = bare[1:] != words[1:] or len(kept) < len(words)
    return Plainly(" ".join(kept), denied)


def _plain_verb(word: str) -> str:
    """Return the verb alone of a *word* that denies it: "can" of "can't"."""
    return _NOT.sub(r"\1", _WILL_NOT.sub("will", _CANNOT.sub("can", word)))


def _may_be_name(word: str) -> bool:
    """Tell whether *word* has one capital, in front: "Doctor No", not "What can she NOT eat"."""
    return word[:1].isupper() and not word.isupper()
