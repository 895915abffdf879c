"""Refuse a chain that covers all words of a question and still says something else (LED-13).

"Jon works hard" has the words of "What is Jon working on?", and answers it with nothing.
"""

from collections.abc import Sequence

from companion.answers.chains.covers import (
    Chain,
    Sense,
    Step,
    is_identity,
    read_sense,
)
from companion.answers.question import Question, Slot
from companion.answers.words import Words
from companion.values.claims import split_words

# ends of the names of rules that read a verb
VERB = "/verb"
_VERBS = (VERB, "/is")
_GERUND = "ing"
_WHOSE = ("whose", "wessen")


def asks_for_reason(asked: Question, words: Words) -> bool:
    """Tell whether the question asks why: a claim says that something is so, and not why."""
    return any(word in words.reasons for word in asked.said[:1])


def says_something_else(chain: Chain, asked: Question, words: Words) -> bool:
    """Tell whether *chain* has the words of the question and says something else."""
    last = chain.steps[-1]
    if _lacks_preposition(last, asked, words):
        return True
    if asked.said[0] in _WHOSE and not _says_whose(chain, asked, words):
        return True
    if _value_is_spoken_of(chain, asked, words):
        return True
    if _is_done_to_subject(last, asked, words):
        return True
    if _tells_only_what_it_is(chain, asked, words):
        return True
    if _does_what_nobody_asks(last, asked, words):
        return True
    return _tells_what_thing_does(last, asked, words)


def _says_whose(chain: Chain, asked: Question, words: Words) -> bool:
    """Tell whether *chain* may say whose a thing is: not by what the van is, and not by what else
    we borrowed.
    """
    if is_identity(chain.steps[-1], words):
        return False
    thing = [slot for slot in asked.slots if slot.at == 1]
    said = split_words(chain.steps[-1].value)
    return all(slot.at in chain.covered or slot.word in said for slot in thing)


def _tells_only_what_it_is(chain: Chain, asked: Question, words: Words) -> bool:
    """Tell whether *chain* ends with what somebody is, where the question asks what was done: whom
    an offer was sent to, who "was great", is not what we offered them.
    """
    if len(chain.steps) < 2 or not is_identity(chain.steps[-1], words):
        return False
    return any(word in words.dos for word in asked.said[1:2])


def _is_done_to_subject(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question asks what somebody does, and it is done to them: who "was offered"
    a thing has not offered it.
    """
    if not last.rule.endswith(VERB):
        return False
    first, *rest = split_words(last.predicate)
    is_done_to = bool(rest) and first in words.identity
    return is_done_to and any(word in words.dos for word in asked.said[1:2])


def _does_what_nobody_asks(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question speaks of the value only, and not of what its subject does: who
    "hates the school bus" has not told how he gets to school.
    """
    if asked.kinds or last.inverse or not last.rule.endswith(VERB):
        return False
    if any(word in asked.said for word in split_words(last.predicate)):
        return False  # "In welchem Saal ist der Kurs?", who moved "in" one
    sense = read_sense(last, words)
    return bool(sense.concepts) and not any(
        _is_about(sense, slot, words) for slot in asked.slots
    )


def _is_about(sense: Sense, slot: Slot, words: Words) -> bool:
    """Tell whether *slot* means what a step does, or asks for a value of its kind."""
    if any(means & slot.means for means in sense.concepts):
        return True
    return bool(slot.kinds) and words.covers(sense.kinds, slot.kinds)


# -- a preposition at the end ----------------------------------------------------------------------


def _lacks_preposition(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question ends its verb with a preposition that the step lacks: whom Jon
    "works with" is not how he "works".
    """
    if not last.rule.endswith(_VERBS):
        return False
    told = (*split_words(last.predicate), *split_words(last.key[1]))
    said = {*told, *split_words(last.value)}
    stems = {words.stem(word) for word in told}
    named = {word for name, _, _ in asked.names for word in name.split()}
    for at in _stranded_places(asked, words):
        if asked.said[at] in said:
            continue
        before = _verb_before(at, asked, words)
        if words.stem(before) in stems:
            return True
        if before in named and asked.said[at] not in words.inside:
            return True  # "Where is Rosa from?"
    return False


def _verb_before(at: int, asked: Question, words: Words) -> str:
    """Return the last word before the place *at* that says something: of "take away from" it is
    "take".
    """
    said = [word for word in asked.said[:at] if word not in words.stop]
    return said[-1] if said else ""


def _stranded_places(asked: Question, words: Words) -> list[int]:
    """Return the places of prepositions that nothing follows which they could belong to."""
    return [
        at
        for at, word in enumerate(asked.said)
        if at > 1
        and word in words.stranded
        and _nothing_follows(asked, at + 1, words)
    ]


def _nothing_follows(asked: Question, at: int, words: Words) -> bool:
    """Tell whether the question ends at the place *at*, or another clause begins there."""
    if at == len(asked.said):
        return True
    word = asked.said[at]
    return word in words.stranded or word.endswith(_GERUND)


# -- what the question speaks of -------------------------------------------------------------------


def _value_is_spoken_of(chain: Chain, asked: Question, words: Words) -> bool:
    """Tell whether the value of the last step has words of the question that it may not have.

    Nobody is the "yoga class" of whom "Who goes to yoga?" asks, and what "Melanie's kids" like is
    not told where Melanie liked something "as a kid".
    """
    last = chain.steps[-1]
    if is_identity(last, words) or _tells_when_one_has(last, asked, words):
        return False
    spoken_of = _only_in_value(chain, asked, words)
    if asked.kinds == {"agent"} and spoken_of:
        return True
    verb = _place_of_verb(asked, words)
    return any(
        slot.at == verb or slot.at - 1 in asked.owners for slot in spoken_of
    )


def _tells_when_one_has(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether it is asked when something of somebody is, and the step has the day: "Ines has
    a test on 12 March".
    """
    if asked.kinds != {"time"} or last.when is None or last.inverse:
        return False
    return all(word in words.has for word in split_words(last.predicate))


def _place_of_verb(asked: Question, words: Words) -> int | None:
    """Return the place of the verb of "what did Anna take …"; None where no "did" stands there."""
    if not any(word in words.dos for word in asked.said[1:2]):
        return None
    places = (slot.at for slot in asked.slots if slot.owed)
    return next((at for at in places if at > 1 and at not in asked.named), None)


def _only_in_value(chain: Chain, asked: Question, words: Words) -> list[Slot]:
    """Return what of the question no step says, but for the value of the last."""
    said: set[str] = set()
    for step in chain.steps:
        said.update(*read_sense(step, words).concepts)
    *earlier, last = chain.steps
    named = {word for step in earlier for word in split_words(step.value)}
    value = set(split_words(last.value)) - named
    return [
        slot
        for slot in asked.slots
        if slot.owed and slot.word in value and not slot.means & said
    ]


# -- what a thing does -----------------------------------------------------------------------------


def _tells_what_thing_does(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question asks what something of somebody is, and the step says what that
    does: "relationships feel".
    """
    if not last.rule.endswith(VERB) or last.inverse or asked.kinds:
        return False
    if not _asks_what_is(asked, words):
        return False
    thing, verb = _part_predicate(last, words)
    if not thing or verb in words.identity:
        return False
    if any(word in words.between for word in thing):
        return False  # "works in the field of"
    stems = {words.stem(word) for word in asked.said}
    return words.stem(verb) not in stems


def _asks_what_is(asked: Question, words: Words) -> bool:
    """Tell whether the question begins with "what is"."""
    opening = asked.said[:2]
    return (
        len(opening) == 2
        and opening[0] in words.which
        and opening[1] in words.identity
    )


def _part_predicate(step: Step, words: Words) -> tuple[Sequence[str], str]:
    """Return what does it, and the verb, of a predicate: "landlord" and "lives" of "landlord lives
    in".
    """
    said = split_words(step.predicate)
    while len(said) > 1 and said[-1] in words.between:
        said = said[:-1]
    return said[:-1], said[-1]
