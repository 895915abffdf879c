"""Decide which things get a page. Pure.

A thing gets a page at the third note on two days that names it.
"""

import re
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.pages import links
from companion.subjects.beginnings.spots import Spot, Use
from companion.subjects.beginnings.thing_words import SURE, key_of
from companion.subjects.mentions.namesakes import Which

# rules that decide otherwise than before have another version
VERSION = "third-note-19"
# notes that must name a thing, and the days on which they were told
NOTES = 3
DAYS = 2
# blocks that a page begins with: what other pages of tonight gather is not counted
OWN = 2
# notes that must speak of a thing as one that is known ("the boiler"), or of a name as a name
CERTAIN = 2
# what the weights of a thing add up to, over its notes: of two sure ones, or one and two others
ENOUGH = 4

# how a note may begin with what it is about
_FIRST: tuple[Use, ...] = ("label", "topic")
_NAME: tuple[Use, ...] = ("name",)
# a link that a note begins with, and that something follows; "!" would show a picture
_LINK_FIRST = re.compile(
    r"\s*\[\[(?P<target>[^\[\]|#\n]+)(?:\|[^\[\]\n]*)?\]\](?:'s)? +\w"
)
_MAY_BE_NAME = re.compile(r"[^\W\d_][^/\\#^|.:\n]{1,59}")


class NamingNote(NamedTuple):
    """A note that is about nothing known, with the things that it names."""

    capture: str
    day: str  # of its telling
    told_at: str
    spots: tuple[Spot, ...]
    common: frozenset[str]  # keys of the words that it writes small
    new: bool  # it was told tonight
    which: tuple[
        Which, ...
    ] = ()  # names that say which of several people is meant


class Beginning(NamedTuple):
    """A thing that gets a page."""

    key: str
    name: str
    notes: tuple[NamingNote, ...]  # that move to its page
    others: tuple[NamingNote, ...]  # that name it and stand elsewhere


class _Counted(NamedTuple):
    """How notes use a word."""

    uses: Counter[Use]
    sure: int  # notes in which it is surely a thing
    named: int  # of these, notes that do not only begin with it as a label or topic
    weight: int  # of all notes
    bare: int  # notes in which it may be anything
    ways: int  # prepositions that lead to it, and one where none does
    opening: int  # notes in which a sentence begins with such a preposition


def choose_beginnings(
    notes: Sequence[NamingNote],
    name: Callable[[Sequence[NamingNote], str], str | None],
) -> list[Beginning]:
    """Return the things that get a page tonight, those that most notes name first.

    *name* gives the title of the page from its notes and the form that they use most; None where
    no page may have it.
    """
    order = {note.capture: place for place, note in enumerate(notes)}
    by_key = _part_namesakes(_group_by_key(notes))
    taken: set[str] = set()
    beginnings = []
    for key in sorted(by_key, key=lambda key: _rank(key, by_key[key], order)):
        naming = by_key[key]
        own, others = _split_taken(naming, taken)
        if not _is_thing(key, naming) or not _is_enough(naming, own):
            continue
        title = name(own, _form_of(key, naming))
        if title is not None:
            taken.update(note.capture for note in own)
            beginnings.append(Beginning(key, title, own, others))
    return beginnings


def _group_by_key(
    notes: Iterable[NamingNote],
) -> dict[str, list[NamingNote]]:
    """Return the notes that name each thing."""
    by_key: dict[str, list[NamingNote]] = {}
    for note in notes:
        for key in dict.fromkeys(spot.key for spot in note.spots):
            by_key.setdefault(key, []).append(note)
    for key in [key for key in by_key if _is_amount_of_name(key, by_key)]:
        del by_key[key]
    return by_key


def _is_amount_of_name(
    key: str, by_key: Mapping[str, Sequence[NamingNote]]
) -> bool:
    """Tell whether *key* has a number behind what is a name without it, and no kind of thing, in
    other notes: "Tom 50" beside "Tom called".
    """
    kind, _, number = key.rpartition(" ")
    if not kind or not number.isdigit():
        return False
    naming = by_key.get(kind, ())
    others = [note for note in naming if not _has_number(kind, note)]
    counted = _count_uses(kind, others)
    uses = counted.uses
    if uses["known"] + uses["own"] + uses["one"]:
        return False
    return counted.named > 0 or uses["first"] >= CERTAIN


def _has_number(kind: str, note: NamingNote) -> bool:
    """Tell whether *note* names something of the *kind* with a number."""
    for spot in note.spots:
        thing, _, number = spot.key.rpartition(" ")
        if thing == kind and number.isdigit():
            return True
    return False


def _part_namesakes(
    by_key: dict[str, list[NamingNote]],
) -> dict[str, list[NamingNote]]:
    """Take the notes of several people from the one name that they share: "Tom Ashby", "Tom Oduya";
    and those of numbered things from their kind: "Volk 3", "Volk 5".

    A name that one note has, and no other, is none of two people.
    """
    longer: dict[str, dict[str, set[str]]] = {}
    for key, naming in by_key.items():
        words = key.split()
        if len(words) > 1 and len(naming) > 1 and _is_full_name(key, naming):
            captures = {note.capture for note in naming}
            people = longer.setdefault(words[0], {})
            people.setdefault(words[1], set()).update(captures)
    parted = {**by_key, **_part_people(by_key)}
    for first, people in longer.items():
        if len(people) > 1 and first in by_key:
            theirs = set[str]().union(*people.values())
            naming = parted[first]
            parted[first] = [n for n in naming if n.capture not in theirs]
    return parted


def _part_people(
    by_key: Mapping[str, Sequence[NamingNote]],
) -> dict[str, list[NamingNote]]:
    """Return the notes of people of one name whom notes part, and those that do not say whom they
    mean: "Frau Weber" and "Herr Weber", "Anna aus dem Chor" and "Anna von der Arbeit".
    """
    parted: dict[str, list[NamingNote]] = {}
    for key, naming in by_key.items():
        chosen = _list_people(key, naming)
        if len(chosen) > 1:
            theirs = {note.capture for note in chain(*chosen.values())}
            rest = [note for note in naming if note.capture not in theirs]
            parted.update({**chosen, key: rest})
    return parted


def _list_people(
    key: str, naming: Iterable[NamingNote]
) -> dict[str, list[NamingNote]]:
    """Return the notes of each person of the name *key* whom notes surely tell apart."""
    people: dict[str, list[NamingNote]] = {}
    sure: set[str] = set()
    for note in naming:
        for one in note.which:
            if one.of == key:
                people.setdefault(one.key, []).append(_call(note, one))
                sure.update([one.key] if one.sure else [])
    # where somebody is from may be said once of anybody
    several = [own for own, notes in people.items() if len(notes) > 1]
    return {own: people[own] for own in {*several, *sure}}


def _call(note: NamingNote, which: Which) -> NamingNote:
    """Return *note* with what it calls somebody as one name."""
    spot = Spot(which.key, which.form, "name", SURE)
    others = [one for one in note.spots if one.key != which.of]
    return note._replace(spots=(*others, spot))


def _is_full_name(key: str, naming: Iterable[NamingNote]) -> bool:
    """Tell whether each word of *key* has a capital wherever notes write it, or is a number."""
    spots = chain.from_iterable(note.spots for note in naming)
    own = [spot for spot in spots if spot.key == key]
    if own[0].form[-1].isdigit():
        return any(spot.use == "name" for spot in own)
    return all(spot.form.istitle() for spot in own)


def _split_taken(
    notes: Iterable[NamingNote], taken: Collection[str]
) -> tuple[tuple[NamingNote, ...], tuple[NamingNote, ...]]:
    """Return the notes that no other page of tonight gathers, and those that one does."""
    own: list[NamingNote] = []
    others: list[NamingNote] = []
    for note in notes:
        side = others if note.capture in taken else own
        side.append(note)
    return tuple(own), tuple(others)


def find_link_subject(
    text: str, targets: Sequence[str], subjects: Iterable[str]
) -> str | None:
    """Return the link's target that a note is about: its only one, at its start or what it states.

    A note that only links elsewhere ("see [[Boiler]]") is about nothing there.
    """
    if len(set(targets)) != 1 or not _MAY_BE_NAME.fullmatch(targets[0]):
        return None
    target = targets[0]
    opening = _LINK_FIRST.match(text)
    if opening is not None and opening["target"].strip() == target:
        return target
    key = links.title_key(target)
    if any(links.title_key(subject) == key for subject in subjects):
        return target
    return None


def title_of(form: str) -> str:
    """Return *form* as the title of a page: its first letter is a capital."""
    first = form.partition(" ")[0]
    if first.islower():
        return form[:1].upper() + form[1:]
    return form


def list_keys(spots: Iterable[Spot]) -> list[str]:
    """Return the keys of things that may get a page, each once."""
    return list(dict.fromkeys(spot.key for spot in spots if spot.use != "one"))


def is_enough(notes: int, days: int) -> bool:
    """Tell whether so many *notes* on so many *days* make a page."""
    return notes >= NOTES and days >= DAYS


def _is_enough(naming: Sequence[NamingNote], own: Sequence[NamingNote]) -> bool:
    days = {note.day for note in naming}
    if not is_enough(len(naming), len(days)) or len(own) < OWN:
        return False
    return any(note.new for note in own)


def _is_thing(key: str, naming: Sequence[NamingNote]) -> bool:
    """Tell whether notes speak of *key* as of one thing."""
    counted = _count_uses(key, naming)
    uses = counted.uses
    if uses["label"] == len(naming) and key in _sorts():
        return False  # "idea: …" says what sort of note it is
    if uses["known"] + uses["own"] + uses["one"]:
        return _is_one(counted)
    # never with an article, or the like
    if _is_name(counted) and not _is_common(key, naming):
        return True
    return uses["label"] + uses["topic"] > 0 and _is_one(counted)


@lru_cache(maxsize=1)
def _sorts() -> frozenset[str]:
    """Return the keys of the labels that say what sort of note one is."""
    words = read_word_kinds(roles.DATA)["sorts"]
    return frozenset(key_of(word) for word in words)


def _count_uses(key: str, naming: Iterable[NamingNote]) -> _Counted:
    weights: list[int] = []
    uses: Counter[Use] = Counter()
    ways: set[str] = set()
    bare = opening = named = 0
    for place, note in enumerate(sorted(naming, key=_when_told)):
        own = [spot for spot in note.spots if spot.key == key]
        weights.append(max(spot.weight for spot in own))
        uses.update(_list_uses(own, is_first=place == 0))
        bare += _may_be_anything(own)
        named += any(map(_is_sure_of_name, own))
        ways.update(_list_ways(key, note))
        opening += any(spot.opens for spot in own)
    sure = weights.count(SURE)
    return _Counted(uses, sure, named, sum(weights), bare, len(ways), opening)


def _list_uses(own: Sequence[Spot], *, is_first: bool) -> list[Use]:
    """Return how one note uses a thing, of which it may be the first."""
    uses = {spot.use for spot in own}
    if not is_first:
        return list(uses)
    # "bought a bike": what the first note brings in, others speak of as known
    return ["known" if use == "one" else use for use in uses]


def _is_sure_of_name(spot: Spot) -> bool:
    return spot.weight == SURE and spot.use not in _FIRST


def _list_ways(key: str, note: NamingNote) -> set[str]:
    """Return the prepositions that lead to *key* in *note*, "" where none does.

    What the note surely names more fully is not named: "tax" of "the tax return".
    """
    is_part = any(
        spot.weight == SURE and spot.key != key and key in spot.key.split()
        for spot in note.spots
    )
    own = {spot.way for spot in note.spots if spot.key == key}
    return own - {""} if is_part else own


def _when_told(note: NamingNote) -> tuple[str, str]:
    return note.told_at, note.capture


def _is_name(counted: _Counted) -> bool:
    """Tell whether a word that no note writes small, or with an article, is a name.

    "Mimi frisst" twice, and "weil Mimi schläft": it is, though no single note is sure.
    """
    uses = counted.uses
    if uses["name"] > 0 and uses["first"] >= CERTAIN:
        return True
    return counted.named >= CERTAIN


def _is_one(counted: _Counted) -> bool:
    """Tell whether notes speak of one thing.

    "The meeting" of one note and "a meeting" of a later one are two.
    """
    if counted.uses["one"]:
        return False
    if not counted.sure:
        return _is_place(counted)
    return counted.bare * 2 <= counted.sure and counted.weight >= ENOUGH


def _is_place(counted: _Counted) -> bool:
    """Tell whether what notes name only behind prepositions is a thing of its owner's.

    "On the phone" is always said so; a studio is worked in and paid for. What notes begin with
    ("Im Garten blüht") is what they are about.
    """
    uses = counted.uses
    known = uses["known"] + uses["own"] + uses["name"]
    if counted.weight < NOTES or counted.bare * 2 > known:
        return False
    return counted.ways > 1 or counted.opening >= CERTAIN


def _is_common(key: str, naming: Sequence[NamingNote]) -> bool:
    """Tell whether a note writes *key* small, as no name is, and not as its own beginning."""
    return any(
        key in note.common
        for note in naming
        if Spot(key, key, "bare", 1) not in note.spots
    )


def _may_be_anything(own: Sequence[Spot]) -> bool:
    """Tell whether a note uses a word that may be a name, or no name of a thing at all.

    A label is one, and so is a first word that does something: "Starter survived".
    """
    uses = {spot.use for spot in own}
    if not uses.isdisjoint(("bare", *_FIRST)):
        return False
    return "name" in uses or "first" in uses


def _rank(
    key: str, notes: Sequence[NamingNote], order: Mapping[str, int]
) -> tuple[int, int, int, int, str]:
    """Order things: those of most notes first, names before others, longer names before parts, and
    what notes begin with before what is done to it ("Per sold the motorbike").
    """
    certain = _count_used(key, notes, _NAME)
    first = _count_used(key, notes, _FIRST)
    return -len(notes), -certain, -len(key.split()), -first, key


def _count_used(
    key: str, notes: Sequence[NamingNote], uses: Collection[Use]
) -> int:
    """Return how many of *notes* use *key* in one of the ways *uses*."""
    return sum(
        any(spot.key == key and spot.use in uses for spot in note.spots)
        for note in notes
    )


def _form_of(key: str, notes: Sequence[NamingNote]) -> str:
    """Return how notes write *key* most; a plain form before one with an ending."""
    forms: Counter[str] = Counter()
    for note in notes:
        for spot in note.spots:
            if spot.key == key:
                forms[spot.form] += 1
    return min(forms, key=lambda form: (-forms[form], len(form), form))
