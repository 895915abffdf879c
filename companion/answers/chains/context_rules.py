"""Decide which words of a question a chain may leave open because its notes say them (LED-13).

"My title is analyst" answers "What is my title at Meridian?" where the same note speaks of
Meridian, or where the asker is told to work there. The chain itself must still say what is asked
for: its note excuses only words that say which one is meant.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from companion.answers.question import Question, Slot
from companion.answers.words import Words
from companion.patterns import lazy
from companion.values.claims import split_words

# also as names have it: "7 45pm"
_HOUR = lazy(
    r"(?<![\d.])(?:[01]?\d|2[0-3])[:. ][0-5]\d(?![\d.])"
    r"|\d ?(?:[ap]m\b|uhr\b|o'clock)"
)
_DECIMAL = lazy(r"\d[ .,]\d")
_HOURS = 24  # of a day
# ids of assertions -> the words of what was said around them
Around = Callable[[Sequence[str]], Collection[str]]


def asked_thing(asked: Question, words: Words) -> list[Slot]:
    """Return the words of "what is my …" that stand together, the last of them the one that is
    asked for; "what did …" asks for no thing.
    """
    by_place = {slot.at: slot for slot in asked.slots}
    found: list[Slot] = []
    first = _first_asked(asked, words)
    if any(word in words.dos for word in asked.said[first : first + 1]):
        return found
    for at in range(first, len(asked.said)):
        if found and asked.said[at] in words.between:
            break
        if at in by_place:
            found.append(by_place[at])
    while len(found) > 1 and _is_filler(found[-1], words):
        found.pop()  # "details"
    return found


def _first_asked(asked: Question, words: Words) -> int:
    """Return the place behind "what", "which" or "who"; behind all words where there is none."""
    for at, word in enumerate(asked.said):
        if word in words.which or "agent" in words.asks.get(word, ()):
            return at + 1
    return len(asked.said)


def _is_filler(slot: Slot, words: Words) -> bool:
    return not slot.owed and not slot.kinds and slot.word not in words.concepts


def asked_besides(
    wanted: Sequence[Slot], asked: Question, words: Words
) -> set[int]:
    """Return the places of what is asked besides: of "my plot and its crops" one is an answer
    to.
    """
    first = wanted[-1].at + 1
    if first >= len(asked.said) or asked.said[first] not in words.ands:
        return set()
    found = {first}
    for at in range(first + 1, len(asked.said)):
        if asked.said[at] in words.between:
            break
        found.add(at)
    return found


def unexcused_slots(
    open_: Sequence[Slot],
    said: Collection[str],
    tied: Collection[str],
    asked: Question,
    words: Words,
) -> list[Slot]:
    """Return those of the *open_* words that *said* has in no form; of a name, its first word is
    enough.

    *tied* are the values of whom the chain begins at: one works in one place, and one's manager
    there is one's manager.
    """
    beginnings = _beginnings_of_names(asked)
    excused = _places_said(asked, said, words)
    ties = {value.split(" ", 1)[0] for value in tied if value}
    for slot in asked.slots:
        if slot.at in beginnings and slot.word in ties:
            excused.add(slot.at)
    return [
        slot
        for slot in open_
        if slot.at not in excused and beginnings.get(slot.at) not in excused
    ]


def _beginnings_of_names(asked: Question) -> dict[int, int]:
    """Return, for the place of each word in a name, the place of that name's first word."""
    beginnings: dict[int, int] = {}
    for _, first, end in asked.names:
        beginnings.update(dict.fromkeys(range(first, end), first))
    return beginnings


def _places_said(
    asked: Question, said: Collection[str], words: Words
) -> set[int]:
    """Return the places of the slots that *said* has, in any form or by another word for it."""
    stems = {words.stem(word) for word in said}
    concepts: set[str] = set()
    for word in said:
        concepts.update(words.concepts.get(word, ()))
    return {
        slot.at
        for slot in asked.slots
        if words.stem(slot.word) in stems or slot.means & concepts
    }


def says_nothing(value: str, asked: Question, words: Words) -> bool:
    """Tell whether *value* is no answer: it has the question's own words, or means who tells."""
    return repeats(value, asked, {*words.me, *words.us})


def is_open(asked: Question, words: Words) -> bool:
    """Tell whether *asked* wants to hear what it does not say itself: neither "does …?" nor "… or
    …?".
    """
    if any(word in words.ors for word in asked.said):
        return False
    if asked.kinds or asked.head or asked.said[0] in words.how:
        return True
    return any(word in words.which for word in asked.said)


def repeats(value: str, asked: Question, empty: Collection[str] = ()) -> bool:
    """Tell whether *value* says only what the question said: nobody asks "where does Ruth keep
    bees?" for the bees.

    *empty* words say nothing either.
    """
    # "me", where the question has "I"
    said = {*asked.said, *empty, *(name for name, _, _ in asked.names)}
    return all(word in said for word in split_words(value))


def is_amiss(value: str, wanted: Sequence[Slot], words: Words) -> bool:
    """Tell whether *value* is a time, and what is asked for is none."""
    if not wanted:
        return False
    thing = wanted[-1]
    kinds = set(thing.kinds)
    for concept in thing.means:
        kinds.update(words.values.get(concept, ()))
    if not kinds or kinds & {"time", "number"}:
        return False
    return any(word in words.times for word in split_words(value))


def has_kind(value: str, slot: Slot, words: Words) -> bool:
    """Tell whether *value* is a time or a number, as *slot* asks."""
    said = split_words(value)
    digits = any(char.isdigit() for char in value)
    if "time" in slot.kinds:
        return digits or any(word in words.times for word in said)
    return "number" in slot.kinds and (
        digits or any(word in words.numbers for word in said)
    )


def tells_hour(value: str, words: Words) -> bool:
    """Tell whether *value* is an hour of a day: "7:30", "8 pm", "Wednesdays at 8", "nine"; "9 May"
    is none.
    """
    if _HOUR.search(value.casefold()):
        return True
    said = split_words(value)
    if _has_hour_behind_clock(said, words):
        return True
    if _DECIMAL.search(value) or _has_word_of_time(said, words):
        return False
    return _counts_only_hours(said, words)


def _has_hour_behind_clock(said: Sequence[str], words: Words) -> bool:
    """Tell whether *said* has a number behind a word of the clock: "at 8"."""
    for before, word in pairwise(("", *said)):
        if before in words.clock and _counts_hours(word, words):
            return True
    return False


def _has_word_of_time(said: Sequence[str], words: Words) -> bool:
    """Tell whether *said* has a word of a time that is no number: "May"."""
    return any(
        word in words.times and word not in words.numbers for word in said
    )


def _counts_only_hours(said: Sequence[str], words: Words) -> bool:
    """Tell whether *said* has a number, and every one in digits may be an hour."""
    numbers = [word for word in said if word[0].isdigit()]
    if numbers:
        return all(_counts_hours(word, words) for word in numbers)
    return any(word in words.numbers for word in said)


def _counts_hours(word: str, words: Words) -> bool:
    return word in words.numbers or (word.isdigit() and int(word) <= _HOURS)


def has_other_number(
    value: str, said: Collection[str], asked: Question
) -> bool:
    """Tell whether *value* is an amount, and another number was *said* around it: of "120 Euro, für
    Schüler 80" no word around says which is meant.
    """
    own = {*split_words(value), *asked.said}
    if not value[:1].isdigit():
        return False  # a code
    return any(word.isdigit() and word not in own for word in said)
