"""A chain that leaves words of the question open, and the notes that say them: how people talk in
passing (LED-13).

"My title is analyst" answers "What is my title at Meridian?" where the same note speaks of
Meridian, or where who asks is told to work there. What is asked for must still be the chain's own:
its note excuses words that only say which one.
"""

from collections.abc import Callable, Collection, Sequence

from companion.answers.question import Question, Slot, Words
from companion.values.claims import words as words_of

# ids of assertions -> the words of what was said around them
Around = Callable[[Sequence[str]], Collection[str]]


def asked_thing(asked: Question, words: Words) -> list[Slot]:
    """Return the words of "what is my …" that stand together, the last of them the one that is
    asked for.
    """
    by_place = {slot.at: slot for slot in asked.slots}
    begins = [
        at
        for at, word in enumerate(asked.said)
        if word in words.which or "agent" in words.asks.get(word, ())
    ]
    at = begins[0] + 1 if begins else len(asked.said)
    found: list[Slot] = []
    while at < len(asked.said) and not (found and asked.said[at] in words.between):
        found += [by_place[at]] if at in by_place else []
        at += 1
    while (
        len(found) > 1
        and not found[-1].owed
        and not found[-1].kinds
        and found[-1].word not in words.concepts
    ):
        found.pop()  # "details"
    return found


def asked_besides(wanted: Sequence[Slot], asked: Question, words: Words) -> set[int]:
    """Return the places of what is asked besides: of "my plot and its crops" one is an answer
    to.
    """
    at = wanted[-1].at + 1
    if at >= len(asked.said) or asked.said[at] not in words.ands:
        return set()
    stop = next(
        (n for n in range(at + 1, len(asked.said)) if asked.said[n] in words.between),
        len(asked.said),
    )
    return set(range(at, stop))


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
    stems = {words.stem(word) for word in said}
    means = {concept for word in said for concept in words.concepts.get(word, ())}
    ties = {value.split(" ", 1)[0] for value in tied if value}
    firsts = {at: first for _, first, end in asked.names for at in range(first, end)}

    def told(slot: Slot) -> bool:
        return (
            words.stem(slot.word) in stems
            or bool(slot.means & means)
            or (slot.at in firsts and slot.word in ties)
        )

    by_place = {slot.at: slot for slot in asked.slots}
    return [
        s
        for s in open_
        if not told(s) and not (s.at in firsts and _first(firsts[s.at], by_place, told))
    ]


def _first(at: int, by_place: dict[int, Slot], told: Callable[[Slot], bool]) -> bool:
    return at in by_place and told(by_place[at])


def says_nothing(value: str, asked: Question, words: Words) -> bool:
    """Tell whether *value* is no answer: it has the question's own words, or means who tells."""
    return repeats(value, asked, {*words.me, *words.us})


def is_open(asked: Question, words: Words) -> bool:
    """Tell whether *asked* wants to hear what it does not say itself: neither "does …?" nor "… or
    …?".
    """
    return bool(asked.kinds or asked.head) and not any(word in words.ors for word in asked.said)


def repeats(value: str, asked: Question, empty: Collection[str] = ()) -> bool:
    """Tell whether *value* says only what the question said: nobody asks "where does Ruth keep
    bees?" for the bees.

    *empty* words say nothing either.
    """
    # "me", where the question has "I"
    said = {*asked.said, *empty, *(name for name, _, _ in asked.names)}
    return all(word in said for word in words_of(value))


def is_amiss(value: str, wanted: Sequence[Slot], words: Words) -> bool:
    """Tell whether *value* is a time, and what is asked for is none."""
    things = [wanted[-1]] if wanted else []
    kinds = {
        kind
        for thing in things
        for concept in thing.means
        for kind in words.values.get(concept, ())
    }
    kinds |= {kind for thing in things for kind in thing.kinds}
    return (
        bool(kinds)
        and not kinds & {"time", "number"}
        and any(word in words.times for word in words_of(value))
    )


def has_kind(value: str, slot: Slot, words: Words) -> bool:
    """Tell whether *value* is a time or a number, as *slot* asks."""
    said = words_of(value)
    digits = any(char.isdigit() for char in value)
    if "time" in slot.kinds:
        return digits or any(word in words.times for word in said)
    return "number" in slot.kinds and (digits or any(word in words.numbers for word in said))
