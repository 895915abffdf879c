"""Decide which page each note is about, and why; or that it is about nothing known.

The rules in the order they apply; the first that fits decides:

1. person: a person said where the note belongs.
2. title: the note's own title is the title or an alias of a page. A note whose own title names no
   page begins one (`own-title`) and is about nothing known.
3. person: it is much like a note that a person moved, or begins with a name of one that no page
   has (the latter after 5).
4. A note that names so many pages, or lists so many things, is about none of them (`unknown`).
5. name, link: it begins with a page's title or alias, in any form ("Annas", "Ärzte"), or with a
   link to it; or it says little else than that one link. What somebody recommends is not about
   that somebody ("Anna recommends the bakery"), nor is whom somebody knows ("knows a roofer").
6. claim: a claim was read from it whose subject is a page's title or alias, unless only a later
   sentence speaks of it, or it says when something else was ("while Anna was away"). A quotation
   that names no page is about none.
   opening: its first sentence says little but one name, and behind it stand only things without an
   owner: they are that page's ("Lunch with Anna. The new job starts in May"). Where no page has the
   name of whom its teller was with, it is about nothing known.
7. link, name, vector: one page is near enough. It counts how much of the note's words the page has,
   each the more it tells and the fewer pages have it, the first word again, and what is none of
   the page's names again: a name alone may mean another ("Licence fee for the telly"). It counts
   the cosine of the vectors of both, and a link. One word alone, which the page says by the way,
   counts little. A note that begins with a name which the page lacks ("Frau Vogt called"), or which
   few of its notes say ("Tomas moved", of the greenhouse that Tomas has oiled), is not near it, nor
   is one whose claim is of another thing of the page's kind ("Ruwa Gateway" and not "Liripo
   Gateway"), and one whose name of the page may go on to be another's ("Rob the plumber",
   "Jonas Kaufmann", "the stove in the cottage", "Anna's brother", "while Anna slept") is less so.
   Of what it says aside, whose and when, each word counts little for every page, and so does the
   name of a page behind a preposition ("lice at the Kita"). A name within a note decides nothing by
   itself: it is often said in passing ("a book that Anna read").
8. follows: it names no page, speaks of "she" or of nobody, and was told within half an hour after a
   note that is about a page.

Otherwise it is about nothing known. The other pages that it names are its mentions. A name that two
pages bear names neither, and one that the next word makes another's ("Anna Karenina", "Anna from
the office") names nobody.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from companion.pages import links
from companion.subjects.mentions.aside import is_quotation
from companion.subjects.mentions.find_names import (
    NameSpot,
    find_compounds,
    find_names,
    find_part_of_name,
)
from companion.subjects.mentions.longer_names import is_only_done
from companion.subjects.mentions.namesakes import is_namesake
from companion.subjects.mentions.opening import Opening, read_opening
from companion.subjects.neighbours import follow_neighbours
from companion.subjects.taught import find_alike
from companion.subjects.values import (
    About,
    Name,
    Near,
    Note,
    Rule,
    SubjectsView,
)
from companion.subjects.words import (
    MANY_LISTED,
    READ,
    blank_links,
    count_listed,
    find_first_sentence,
    list_telling_words,
    tells_of_recommending,
)
from companion.values.wording import NO_PAGE, NONE_NEAR_ENOUGH

# a page that is nearer by less than this is not told from one that shares its name
_SURE = 1.0
# rules that decide otherwise than before have another version
VERSION = "aboutness-17"
# a name whose place is before this one begins a note: "The boiler"
_BEGINNING = 2
# a note that names as many pages is about none of them
_MANY = 3
# words of a note that say little
_FEW = 2
# what the parts of nearness weigh, and from which sum on a page is what a note is about: worked out
# on four samples of notes (tests/bench/aboutness*.toml), a world left out at a time
_SHARE = 3.5
_BESIDE = 1.5  # of the root: the first words beside a name tell most
_COSINE = 2.5
_FIRST = 0.7
_ELSEWHERE = -0.8
_LINK = 2.0
_ALONE = -1.2
NEAR = 4.25


class _Ties(NamedTuple):
    """The links, names and compounds of a note that lead to pages."""

    linked: Sequence[str]
    spots: Sequence[NameSpot]
    compounds: Collection[str]

    def list_named(self) -> list[str]:
        """Return the entries that the note links to or names, each once."""
        named = [spot.entry for spot in self.spots if not spot.another]
        return list(dict.fromkeys((*self.linked, *named)))

    def may_be_another(self, entry: str) -> bool:
        """Tell whether every name of *entry* in the note may go on to be another's."""
        own = [spot for spot in self.spots if spot.entry == entry]
        return bool(own) and all(spot.goes_on for spot in own)

    def list_others(self) -> set[str]:
        """Return the entries whose names stand in the note only as those of others."""
        others = {spot.entry for spot in self.spots}
        return others - set(self.list_named())


def decide_aboutness(
    notes: Sequence[Note], wiki: SubjectsView
) -> dict[str, About]:
    """Return for each note, by its capture, what it is about."""
    about = {note.capture: _decide(note, wiki) for note in notes}
    return follow_neighbours(notes, about)


def _decide(note: Note, wiki: SubjectsView) -> About:
    ties = _Ties(
        _list_linked(note, wiki),
        find_names(note, wiki),
        find_compounds(note, wiki),
    )
    about = (
        _by_what_a_person_said(note, wiki)
        or _by_several(note, ties)
        or _by_its_words(note, wiki, ties)
        or _by_nearness(note, wiki, ties)
    )
    others = [entry for entry in ties.list_named() if entry != about.entry]
    return replace(about, mentions=tuple(others))


def _by_what_a_person_said(note: Note, wiki: SubjectsView) -> About | None:
    return (
        _by_person(note, wiki)
        or _by_title(note, wiki)
        or _by_teaching(note, wiki)
    )


def _by_several(note: Note, ties: _Ties) -> About | None:
    return _by_number(ties) or _by_listing(note, ties)


def _by_its_words(note: Note, wiki: SubjectsView, ties: _Ties) -> About | None:
    return (
        _by_recommending(note, ties)
        or _by_beginning(ties)
        or _by_taught_name(note, wiki)
        or _by_link(note, ties)
        or _by_claim(note, wiki, ties)
        or _by_quoting(note, ties)
        or _by_opening(note, wiki, ties)
    )


def _by_person(note: Note, wiki: SubjectsView) -> About | None:
    if note.belongs is None or note.belongs not in wiki.subjects:
        return None
    return About(note.belongs, "person", "a person said so", 1.0)


def _by_title(note: Note, wiki: SubjectsView) -> About | None:
    if note.title is None:
        return None
    entries = _entries_of(links.title_key(note.title), wiki)
    if len(entries) == 1:
        return About(entries[0], "title", "it has the page's title", 1.0)
    if entries:
        reason = f"{len(entries)} pages have its title"
        return About(None, "own-title", reason)
    return About(None, "own-title", "its own title begins a page")


def _by_teaching(note: Note, wiki: SubjectsView) -> About | None:
    taught = [one for one in wiki.taught if one.entry in wiki.subjects]
    alike = find_alike(note.text[:READ], taught)
    if alike is None:
        return None
    reason = f"it is much like {alike.capture[:12]}, which a person moved there"
    return About(alike.entry, "person", reason, 1.0)


def _by_taught_name(note: Note, wiki: SubjectsView) -> About | None:
    """Take a name of a note that a person moved for an alias of its page."""
    captures: dict[str, str] = {}
    names = []
    for one in wiki.taught:
        if one.entry not in wiki.subjects:
            continue
        for key in one.names:
            names.append(Name(key, one.entry))
            captures.setdefault(one.entry, one.capture)
    if not names:
        return None
    for spot in find_names(note, SubjectsView(wiki.subjects, names)):
        if spot.at >= _BEGINNING:
            return None
        if spot.another or not spot.joined:
            continue
        taught = captures[spot.entry][:12]
        reason = (
            f"it begins with a name of {taught}, which a person moved there"
        )
        return About(spot.entry, "person", reason, 1.0)
    return None


def _by_number(ties: _Ties) -> About | None:
    named = len(ties.list_named())
    if named < _MANY:
        return None
    return About(None, "unknown", f"it names {named} pages")


def _by_listing(note: Note, ties: _Ties) -> About | None:
    """Tell a note that lists what was done from one of what it names first."""
    if not ties.list_named():
        return None
    items = count_listed(note.text[:READ])
    if items < MANY_LISTED:
        return None
    return About(None, "unknown", f"it lists {items} things")


def _by_recommending(note: Note, ties: _Ties) -> About | None:
    """Tell a note of what somebody recommends from one of that somebody."""
    if not ties.spots or ties.spots[0].at >= _BEGINNING:
        return None
    if not tells_of_recommending(note.text[:READ]):
        return None
    return About(None, "unknown", "it says what or whom somebody recommends")


def _by_beginning(ties: _Ties) -> About | None:
    for spot in ties.spots:
        if spot.at >= _BEGINNING:
            return None
        if spot.another or spot.goes_on or not spot.joined:
            continue
        rule: Rule = "link" if spot.entry in ties.linked else "name"
        return About(spot.entry, rule, "it begins with the page's name", 1.0)
    return None


def _by_link(note: Note, ties: _Ties) -> About | None:
    linked = dict.fromkeys(ties.linked)
    words = list_telling_words(blank_links(note.text[:READ]))
    if len(linked) != 1 or len(words) > _FEW:
        return None
    reason = f"it links to the page with {len(words)} words more"
    return About(ties.linked[0], "link", reason, 1.0)


def _by_claim(note: Note, wiki: SubjectsView, ties: _Ties) -> About | None:
    text = note.text[:READ]
    opening = links.title_key(find_first_sentence(text))
    for subject in note.subjects:
        key = links.title_key(subject)
        if key not in opening and key in links.title_key(text):
            continue  # only a later sentence speaks of it
        entries = _entries_of(key, wiki)
        if len(entries) == 1 and not ties.may_be_another(entries[0]):
            reason = "a claim of it has the page for its subject"
            return About(entries[0], "claim", reason, 1.0)
    return None


def _by_quoting(note: Note, ties: _Ties) -> About | None:
    """Tell what others said from what its owner says of a page."""
    if ties.list_named() or not is_quotation(note.text):
        return None
    return About(None, "unknown", "it is a quotation that names no page")


def _by_opening(note: Note, wiki: SubjectsView, ties: _Ties) -> About | None:
    """Take what stands behind a first sentence of somebody for theirs."""
    opening = read_opening(note.text)
    if opening is None or ties.linked:
        return None
    first = [spot for spot in ties.spots if spot.start < opening.end]
    if not _are_theirs(opening, first, ties.spots[len(first) :]):
        return None
    first = first or find_part_of_name(opening, wiki)
    if not first and opening.has_company():
        reason = "it begins with somebody of whom there is no page"
        return About(None, "unknown", reason)
    if not _is_of_one(opening, first):
        return None
    reason = "its first sentence says little but the page's name"
    return About(first[0].entry, "name", reason, 1.0)


def _are_theirs(
    opening: Opening, first: Sequence[NameSpot], others: Iterable[NameSpot]
) -> bool:
    """Tell whether *others*, behind the first sentence, are those it names or things of theirs."""
    named = {spot.entry for spot in first}
    return all(
        spot.entry in named or opening.is_theirs(spot.start) for spot in others
    )


def _is_of_one(opening: Opening, spots: Sequence[NameSpot]) -> bool:
    """Tell whether a first sentence with names at *spots* is surely of one page, and of no more."""
    if len({spot.entry for spot in spots}) != 1:
        return False
    spot = spots[0]
    is_sure = not spot.another and not spot.goes_on
    return is_sure and opening.is_of(spot.start, spot.end)


class _Ranked(NamedTuple):
    """A page by how near it is, the nearest first."""

    # the note begins with a name that it lacks, or states something of another of its kind
    barred: bool
    distance: float  # the score, negated
    entry: str


def _by_nearness(note: Note, wiki: SubjectsView, ties: _Ties) -> About:
    ranked = _rank(note, wiki, ties)
    if not ranked:
        return About(None, "unknown", NO_PAGE)
    first = ranked[0].entry
    score = margin = -ranked[0].distance
    runner_up = None
    if len(ranked) > 1:
        runner_up = ranked[1].entry
        margin = round(score + ranked[1].distance, 3)
    figures = f"nearness {score:.2f} of {NEAR}"
    unknown = About(None, "unknown", "", score, first, margin, figures=figures)
    if ranked[0].barred:
        reason = "it is of a name that the nearest page does not have"
        return replace(unknown, reason=reason, figures="")
    if score < NEAR:
        return replace(unknown, reason=NONE_NEAR_ENOUGH)
    is_close = runner_up is not None and margin < _SURE
    if is_close and _share_name(note, wiki, first, ranked[1].entry):
        return replace(unknown, reason="two pages have the name that it says")
    rule = _rule_of(first, ties)
    reason = "its words are nearest to this page"
    figures = f"{figures}, {margin:.2f} before the next"
    return About(first, rule, reason, score, runner_up, margin, figures=figures)


def _rank(note: Note, wiki: SubjectsView, ties: _Ties) -> list[_Ranked]:
    """Return the pages that *note* may be about."""
    others = ties.list_others()
    ranked = []
    for near in wiki.nearest.get(note.capture, ()):
        if near.entry in wiki.subjects and near.entry not in others:
            tied = near.entry in ties.linked or near.entry in ties.compounds
            title = wiki.subjects[near.entry].title
            another = (
                near.names_another
                or _is_another_of_kind(note, near.entry, wiki)
                or is_namesake(note.text[:READ], title)
                or is_only_done(note, title)
            )
            barred = another and not tied
            ranked.append(_Ranked(barred, -_score(near, ties), near.entry))
    return sorted(ranked)


def _is_another_of_kind(note: Note, entry: str, wiki: SubjectsView) -> bool:
    """Tell whether what *note* states is of a thing whose name shares words with that of a page,
    and each has a word that the other lacks: "Ruwa Gateway" and "Liripo Gateway".
    """
    page = wiki.subjects[entry]
    keys = [links.title_key(page.title)]
    keys += [name.key for name in wiki.names if name.entry == entry]
    names = [set(key.split()) for key in keys]
    for subject in note.subjects:
        # what is no proper name may be said in many ways
        if not all(word[:1].isupper() for word in subject.split()):
            continue
        own = set(links.title_key(subject).split())
        if any(own <= name or name <= own for name in names):
            return False
        if any(own & name for name in names):
            return True
    return False


def _share_name(note: Note, wiki: SubjectsView, one: str, other: str) -> bool:
    """Tell whether the titles of two pages share a word that the note says: two of one name.

    "Garden" and "Garden (notes)" are no two.
    """
    said = set(links.title_key(note.text[:READ]).split())
    first = set(links.title_key(wiki.subjects[one].title).split())
    second = set(links.title_key(wiki.subjects[other].title).split())
    if first <= second or second <= first:
        return False
    return not said.isdisjoint(first & second)


def _score(near: Near, ties: _Ties) -> float:
    score = _SHARE * near.share + _COSINE * near.cosine + _FIRST * near.first
    score += _BESIDE * math.sqrt(near.beside)
    if near.begins_elsewhere or ties.may_be_another(near.entry):
        score += _ELSEWHERE
    if near.alone:
        score += _ALONE
    if near.entry in ties.linked:
        score += _LINK
    return round(score, 3)


def _rule_of(entry: str, ties: _Ties) -> Rule:
    """Return what ties the note to the page that is nearest."""
    if entry in ties.linked:
        return "link"
    if entry in ties.list_named() or entry in ties.compounds:
        return "name"
    return "vector"


def _list_linked(note: Note, wiki: SubjectsView) -> list[str]:
    """Return the entries that the note's links mean; a link that may mean several means none."""
    entries = []
    for target in note.links:
        meant = wiki.links.get(target, ())
        if len(meant) == 1:
            entries.append(meant[0])
    return entries


def _entries_of(key: str, wiki: SubjectsView) -> list[str]:
    return sorted({name.entry for name in wiki.names if name.key == key})
