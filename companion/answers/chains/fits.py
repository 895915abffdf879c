"""Decide which chain answers a question: one that covers all that matters, with a value of the kind
that is asked (LED-13, LED-14).
"""

from collections.abc import Callable, Collection, Sequence

from companion.annotations import Literal
from companion.answers.chains.context_rules import (
    Around,
    asked_besides,
    asked_thing,
    has_kind,
    has_other_number,
    is_amiss,
    is_open,
    repeats,
    says_nothing,
    tells_hour,
    unexcused_slots,
)
from companion.answers.chains.covers import (
    Chain,
    Step,
    covered_concepts,
    covers_slot,
    is_identity,
    known_concepts,
    read_sense,
)
from companion.answers.chains.mismatches import VERB, says_something_else
from companion.answers.question import ME, US, Question, Slot
from companion.answers.words import Words
from companion.values.claims import split_words

# what a preposition is worth to "where": who "studied" one thing "studied in" a place
_PLACED = 0.05
# what a preposition that the question lacks takes off: whoever "weighs 23 kg" also
# "weighs at" the vet's
_ADDED = 0.05
# what "when" takes off an hour: the day that is told beside it comes first
_HOUR = 0.02
_DAY = len("2026-05-01")
_CLOCK = 3  # letters of the words beside the hours: "and", "pm", "Uhr"
_AROUND = 0.5  # what a word counts that only the notes say

# what of a step fits the kind that is asked: its value, or since when it is so
_Fit = Literal["value", "time", "no"]
# name -> what stands of it, and of whom it is a value
Facts = Callable[[str], Sequence[Step]]


def accept_covering(
    chain: Chain, asked: Question, words: Words
) -> Chain | None:
    """Return *chain* if it answers: all that matters is covered, the asked word last, the value of
    the asked kind. None: it does not.
    """
    last = chain.steps[-1]
    if _uncovered_slots(chain, asked, words):
        return None
    if is_amiss(last.value, asked_thing(asked, words), words):
        return None
    if not _ends_with_head(last, asked, words):
        return None
    if asked.hourly and not tells_hour(last.value, words):
        return None
    fit = _fit_question(last, asked, words)
    if fit == "no" or says_something_else(chain, asked, words):
        return None
    return chain._replace(
        dated=fit == "time",
        hourly=fit == "value" and _lacks_day(last, asked, words),
        score=chain.score + _extra_worth(last, asked, words),
    )


def _extra_worth(last: Step, asked: Question, words: Words) -> float:
    """Return what the *last* step adds to a score by its preposition, or by being an hour."""
    if asked.kinds == {"place"} and len(split_words(last.predicate)) > 1:
        return _PLACED
    if not asked.kinds and _adds_preposition(last, asked, words):
        return -_ADDED
    if asked.kinds == {"time"} and not asked.head and _is_at_hour(last, words):
        return -_HOUR
    return 0.0


def _adds_preposition(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the step's verb has a preposition behind it that the question does not say."""
    said = split_words(last.predicate)
    if not last.rule.endswith(VERB) or len(said) < 2:
        return False
    return said[-1] in words.between and said[-1] not in asked.said


def _lacks_day(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question asks when, and the value is an hour of a day that was told, too."""
    if asked.kinds != {"time"} or last.when is None:
        return False
    if len(last.when) != _DAY:
        return False
    said = split_words(last.value)
    return not any(word in words.times or len(word) > _CLOCK for word in said)


def _fit_question(last: Step, asked: Question, words: Words) -> _Fit:
    """Return which part of the last step answers: of a kind that is asked, and nothing that the
    question says itself.
    """
    if _has_other_preposition(last, asked, words):
        return "no"
    fit = _fit_kinds(last, asked, words)
    if fit == "value" and _says_no_more(last, asked, words):
        return "no"
    return fit


def _says_no_more(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the value only repeats a question that asks for something new."""
    return is_open(asked, words) and repeats(last.value, asked)


def _has_other_preposition(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether "womit" or its like asks for another preposition than the last step has."""
    wanted = [
        words.prepositions[one]
        for one in asked.said
        if one in words.prepositions
    ]
    return bool(wanted) and _read_preposition(last) not in wanted


def accept_excused(
    chain: Chain, asked: Question, facts: Facts, words: Words, around: Around
) -> Chain | None:
    """Return *chain* if it answers but for words that were said *around* its claims; else None.

    Its last step must say what is asked for.
    """
    wanted = asked_thing(asked, words)
    if not wanted:
        return None
    last = chain.steps[-1]
    kinds = asked.kinds or wanted[-1].kinds & {"time"}
    fit = _fit_kinds(last, asked._replace(kinds=kinds), words)
    if fit == "no" or says_nothing(last.value, asked, words):
        return None
    if says_something_else(chain, asked, words):
        return None
    if is_amiss(last.value, wanted, words):
        return None
    if not _tells_wanted(chain, wanted, words):
        return None
    open_slots = _open_slots(chain, wanted, asked, words)
    said = around(chain.claim_ids())
    tied = _values_of_asker(asked, facts)
    unexcused = unexcused_slots(open_slots, said, tied, asked, words)
    if unexcused or _is_of_other_number(last, open_slots, said, asked):
        return None
    score = round(chain.score + _AROUND * len(open_slots), 6)
    return chain._replace(score=score, dated=fit == "time")


def _is_of_other_number(
    last: Step,
    open_slots: Sequence[Slot],
    said: Collection[str],
    asked: Question,
) -> bool:
    """Tell whether it stays open which of the numbers *said* is asked for."""
    return bool(open_slots) and has_other_number(last.value, said, asked)


def _open_slots(
    chain: Chain, wanted: Sequence[Slot], asked: Question, words: Words
) -> list[Slot]:
    """Return the uncovered slots but for the thing that is *wanted*, and what is asked besides."""
    besides = asked_besides(wanted, asked, words) | {wanted[-1].at}
    uncovered = _uncovered_slots(chain, asked, words)
    return [slot for slot in uncovered if slot.at not in besides]


def _uncovered_slots(chain: Chain, asked: Question, words: Words) -> list[Slot]:
    """Return the words of the question that an answer owes and *chain* does not cover."""
    concepts = covered_concepts(chain, words)
    uncovered: list[Slot] = []
    for slot in asked.slots:
        if (
            slot.owed
            and slot.at not in chain.covered
            and not slot.means & concepts
        ):
            uncovered.append(slot)
    return uncovered


def _values_of_asker(asked: Question, facts: Facts) -> list[str]:
    """Return the values of what was told of those who ask, where the question names them."""
    names = {name for name, _, _ in asked.names}
    values: list[str] = []
    for name in (ME, US):
        if name in names:
            values += (step.value for step in facts(name))
    return values


def _tells_wanted(chain: Chain, wanted: Sequence[Slot], words: Words) -> bool:
    """Tell whether the chain speaks of what is *wanted* in words of its own, and its last step of
    the thing itself.
    """
    concepts = covered_concepts(chain, words)
    spoken_of = {slot.at for slot in wanted if slot.means & concepts}
    last = chain.steps[-1]
    thing = wanted[-1]
    is_named = thing.at in chain.covered and thing.at not in spoken_of
    if thing.proper and is_named and is_identity(last, words):
        return True
    if not _speaks_of_half(wanted, spoken_of):
        return False
    return _tells_thing(last, wanted, words)


def _speaks_of_half(wanted: Sequence[Slot], spoken_of: set[int]) -> bool:
    """Tell whether a slot that is owed is spoken of, and half as many as there are common words."""
    owed = [slot for slot in wanted if slot.owed]
    own = sum(slot.at in spoken_of for slot in owed)
    common = sum(not slot.proper for slot in owed)
    return own > 0 and 2 * own >= common


def _tells_thing(last: Step, wanted: Sequence[Slot], words: Words) -> bool:
    """Tell whether the last step speaks of the thing *wanted*, or has a value of its kind."""
    thing = wanted[-1]
    sense = read_sense(last, words)
    if covers_slot(last, sense, thing, words):
        return True
    if not has_kind(last.value, thing, words):
        return False
    # a "desk phone" has a number, and is no number of the desk
    if "number" not in thing.kinds:
        return True
    return not _says_other(sense.concepts, wanted)


def _says_other(
    concepts: Sequence[frozenset[str]], wanted: Sequence[Slot]
) -> bool:
    """Tell whether a word with a known meaning is about none of what is *wanted*."""
    asked = frozenset().union(*(slot.means for slot in wanted))
    return any(
        known_concepts(means) and not means & asked for means in concepts
    )


def _ends_with_head(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the last step says the word by which the question names what it asks for."""
    if not asked.head or is_identity(last, words):
        return True
    head = [slot for slot in asked.slots if slot.at in asked.head]
    sense = read_sense(last, words)
    # of a "job title" the title: who says the job has not said it
    thing = head[-1]
    if thing.word in words.concepts and not thing.kinds:
        return covers_slot(last, sense, thing, words)
    if _asks_for_kind_only(head):
        return True
    return any(covers_slot(last, sense, slot, words) for slot in head)


def _asks_for_kind_only(head: Sequence[Slot]) -> bool:
    """Tell whether the kind is all that is asked: "which person …"."""
    return all(slot.kinds and not slot.owed for slot in head)


def _fit_kinds(last: Step, asked: Question, words: Words) -> _Fit:
    """Return which part of the last step is of a kind that is asked: value, time or none."""
    if _is_no_name(last, asked, words):
        return "no"
    if not asked.kinds:
        return "value"
    value = split_words(last.value)
    is_timely = _is_timely(last.value, words)
    if asked.kinds == {"time"}:
        tells_time = is_timely and not _names_place_by_number(value, words)
        if tells_time or _is_hour(last, value, words):
            return "value"
        return "no" if last.when is None else "time"
    if "frequency" in asked.kinds:
        fits = _says_how_often(value, words)
    elif "number" in asked.kinds:
        fits = is_timely or any(word in words.numbers for word in value)
    else:
        fits = not _has_other_kind(last, asked, is_timely, words)
    return "value" if fits else "no"


def _names_place_by_number(value: Sequence[str], words: Words) -> bool:
    """Tell whether all digits of *value* stand inside a word: "gate B12" is no time."""
    if any(word in words.times for word in value):
        return False
    return not any(word[0].isdigit() for word in value)


def _says_how_often(value: Sequence[str], words: Words) -> bool:
    """Tell whether *value* has a word of how often, or a plural of a day: "Thursdays"."""
    days = [word[:-1] for word in value if word.endswith("s")]
    return any(word in words.frequencies for word in value) or any(
        day in words.times for day in days
    )


def _is_no_name(last: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question asks how something is called, and the value is an amount: "three
    years old".
    """
    if asked.kinds & {"number", "time"}:
        return False
    if not any(word in words.naming for word in asked.said):
        return False
    first = split_words(last.value)[:1]
    says_name = any(
        word in words.naming for word in split_words(last.predicate)
    )
    return not says_name and any(word in words.numbers for word in first)


def _has_other_kind(
    last: Step, asked: Question, is_timely: bool, words: Words
) -> bool:
    """Tell whether the value is known to be of another kind than what is asked; a time is no place
    and nobody.
    """
    kinds = read_sense(last, words).kinds - {"time"}
    is_other = bool(kinds) and not words.covers(kinds, asked.kinds)
    if asked.kinds == {"place"}:
        if _is_no_place(last, words):
            return True
        if _may_be_place(last, is_timely, words):
            return is_other and _read_preposition(last) not in words.inside
    if is_timely and asked.kinds & {"agent", "place", "person"}:
        is_bare_time = not kinds or split_words(last.value)[0].isdigit()
        return is_other or is_bare_time
    return is_other


def _may_be_place(last: Step, is_timely: bool, words: Words) -> bool:
    if last.inverse:
        return False
    return not is_timely or _is_numbered_place(last, words)


def _is_no_place(last: Step, words: Words) -> bool:
    """Tell whether the step says as what somebody works, or that something is a person with a
    title: "is Dr. Moll".
    """
    if _read_preposition(last) in words.as_what:
        return True
    if _moves_elsewhere(last, words):
        return True
    first = split_words(last.value)[:1]
    return is_identity(last, words) and any(
        word in words.titles for word in first
    )


def _moves_elsewhere(last: Step, words: Words) -> bool:
    """Tell whether the step tells of a move that is none to a place: who "moved the sofa", or
    "moved to Fridays", "to a new job", "to Zoom lessons".
    """
    verbs = split_words(last.predicate)
    if last.inverse or "".join(verbs[:1]) not in words.moved:
        return False
    said = split_words(last.value)
    if len(verbs) == 1 or any(word in words.times for word in said):
        return True
    if last.capital or not words.homes.isdisjoint(said):
        return False
    first, *rest = said or [""]
    # of a plural alone nothing says what kind of thing it is: "stairs"
    return first in words.renewed or "".join(rest[-1:]).endswith("s")


def _is_timely(value: str, words: Words) -> bool:
    """Tell whether *value* has a digit, or a word that times are told with."""
    if any(char.isdigit() for char in value):
        return True
    return any(word in words.times for word in split_words(value))


def _is_hour(last: Step, said: Sequence[str], words: Words) -> bool:
    """Tell whether the value is an hour in words: "at nine"."""
    return _is_at_hour(last, words) and any(
        word in words.numbers for word in said[:1]
    )


def _is_at_hour(last: Step, words: Words) -> bool:
    """Tell whether the step says at which hour: "is at 8:15"."""
    return _read_preposition(last) in words.clock


def _read_preposition(last: Step) -> str:
    """Return the last word of the step's predicate, where it has its preposition."""
    return "".join(split_words(last.predicate)[-1:])


def _is_numbered_place(last: Step, words: Words) -> bool:
    """Tell whether the value is a numbered place: "is at pier 7", "is in room 12"."""
    said = split_words(last.value)
    if len(said) != 2 or not said[1].isdigit() or not said[0].isalpha():
        return False
    return said[0] not in words.times and said[0] not in words.numbers
