"""Decide which doubts of load-bearing pages are believed: by who says them, and beside whom.

A judge says how likely a note contradicts a page by these two texts alone, and people who doubt a
rule seldom repeat its words: "zehn Räder nur sparsam geölt, keines kam zurück". Two more things
tell. A person who writes what they did themselves seldom doubts their own pages: their doubts need
more than another's. And who speaks beside others that contest the same page, of what these speak
of, is likelier to contest it, too: a lone contradiction is a candidate, a cluster is a signal (MaM
§5.5). A short note doubts one page: the one that it most likely contradicts.
"""

import math
import sqlite3
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import NamedTuple

from companion.comparison.consistency import Judged
from companion.language.relations.contest import CONTESTED
from companion.language.stance.doubt_texts import is_any, keep_alike
from companion.minority.contested.note_words import read_note_words
from companion.pages import ids
from companion.storage.git.repo import Repo
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.minority import list_branches, list_members
from companion.storage.index.tables.questions import Question
from companion.subjects.words import blank_links, list_telling_words
from companion.values.relations import Statement
from companion.values.wording import comparable_name, without_frontmatter

#: likelihood from which another's doubt is believed, and one of the person who writes
OTHERS = 0.55
WRITERS = 0.9
# below this likelihood nobody's company makes a doubt of a note
LEAST = 0.2
# from here another's doubt that is not believed is worth a question to the person
ASKED = 0.15
# what stands beside others adds to the log-odds, and each word that only they have in common
_BESIDE = 2.0
_SHARED = 1.0
_MOST_SHARED = 3
_NAMED = 2  # words of the page that a note names where it speaks of the same
_READ = 600  # characters of a text whose words are looked at
_NEARLY = 0.5  # share of the likeliest that is nearly as likely
_SURE = 0.999  # likelihoods are kept off 0 and 1


class Voice(NamedTuple):
    """What somebody said against a page."""

    capture: str
    source: str  # as sources are compared; empty for the person who writes
    words: tuple[str, ...]  # that tell what it is about


class Doubted(NamedTuple):
    """A page, by the words that tell what it is about, and who contests it."""

    title: tuple[str, ...]
    words: tuple[str, ...]
    voices: tuple[Voice, ...]
    # what of it they contest: a statement by its capture, None for what it was made of
    beliefs: tuple[str | None, ...] = ()


def believe_doubts(
    contested: Sequence[Judged],
    doubters: Mapping[str, Voice],
    pages: Mapping[str, Doubted],
) -> list[Judged]:
    """Return what rules see to be *contested*, and the doubts that are believed.

    *doubters* has the voice of each capture, *pages* each contested page with who contests it on
    open branches. A doubt that is believed is company for the others of its night. Where rules see
    what a note contradicts, nothing else is doubted by it, but what others contest of that page.
    """
    heard = _lead_ruled(contested, pages)
    ruled = {one.capture for one in heard}
    waiting = [one for one in contested if one.capture not in ruled]
    while waiting:
        believed = []
        for one in waiting:
            page = _add_heard(pages[one.other], one.other, heard, doubters)
            joined = _believe(one, doubters[one.capture], page)
            if joined is not None:
                believed.append(joined)
        if not believed:
            break
        chosen = _choose(believed, pages, heard)
        heard.append(chosen)
        waiting = [one for one in waiting if one.capture != chosen.capture]
    return [_as_contradiction(one) for one in heard]


def list_to_ask(
    contested: Iterable[Judged],
    believed: Iterable[Judged],
    sources: Mapping[str, str | None],
) -> list[Judged]:
    """Return the doubts that a person may be asked about: those of notes of which none is
    *believed*, the likeliest first, and of a note on a page one.

    *sources* has who told each note: nobody is asked about their own words. The head hears tone:
    where it alone hears anything, nobody is asked either.
    """
    heard = {one.capture for one in believed}
    asked: dict[tuple[str, str], Judged] = {}
    likeliest = sorted(
        contested, key=lambda one: (-one.relation.score, one.key)
    )
    for one in likeliest:
        if one.capture in heard or not sources.get(one.capture):
            continue
        if one.relation.score >= ASKED and one.relation.opposition:
            asked.setdefault((one.capture, one.other), one)
    return list(asked.values())


def is_ruled(judged: Judged) -> bool:
    """Tell whether more than the likelihood of a doubt says that it is a contradiction."""
    return judged.relation.opposition > CONTESTED


def _lead_ruled(
    contested: Sequence[Judged], pages: Mapping[str, Doubted]
) -> list[Judged]:
    """Return what rules see to be contradicted, each led to what others contest of its page where
    the note most probably contradicts that, too.

    A rule reads one sentence, and of a page's statements it may take a day's note for the one that
    the debate is about.
    """
    led: dict[str, Judged] = {}
    for one in filter(is_ruled, contested):
        same = [
            other
            for other in contested
            if (other.capture, other.other) == (one.capture, one.other)
        ]
        meant = _find_contested(one, same, pages[one.other].beliefs)
        led[meant.key] = meant
    return list(led.values())


def _find_contested(
    ruled: Judged, same: Iterable[Judged], beliefs: Collection[str | None]
) -> Judged:
    """Return of the *same* note and page what is meant of what others contest; else *ruled*."""
    if _belief(ruled) in beliefs:
        return ruled
    likely = [
        one
        for one in same
        if _belief(one) in beliefs and one.relation.score >= OTHERS
    ]
    return max(
        likely,
        key=lambda one: (is_ruled(one), one.relation.score, one.key),
        default=ruled,
    )


def read_voice(capture: str, text: str, source: str | None) -> Voice:
    """Return what *text* says as the voice of *source*; None is the person who writes."""
    return Voice(capture, comparable_name(source or ""), tell_words(text))


def tell_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell what it is about."""
    return tuple(list_telling_words(blank_links(text[:_READ])))


def read_doubted(
    db: sqlite3.Connection,
    repo: Repo,
    pages: Mapping[str, Statement],
    confirmed: Iterable[Question] = (),
) -> dict[str, Doubted]:
    """Return each of *pages*, by its entry, with who contests it on open branches, and by doubts
    that a person *confirmed*.
    """
    voices: dict[str, list[Voice]] = {entry: [] for entry in pages}
    beliefs: dict[str, list[str | None]] = {entry: [] for entry in pages}
    for branch in list_branches(db):
        if branch.state == "open" and branch.incumbent in pages:
            voices[branch.incumbent] += _list_voices(db, repo, branch.name)
            belief = _name_belief(branch.incumbent, branch.statement)
            beliefs[branch.incumbent].append(belief)
    for entry, capture, statement in _list_on_pages(confirmed, pages):
        voices[entry] += _read_confirmed(db, repo, capture)
        beliefs[entry].append(_name_belief(entry, statement))
    doubted = {}
    for entry, page in pages.items():
        title = tell_words(page.title or "")
        words = (*title, *tell_words(page.text))
        doubted[entry] = Doubted(
            title, words, tuple(voices[entry]), tuple(beliefs[entry])
        )
    return doubted


def _list_on_pages(
    confirmed: Iterable[Question], pages: Collection[str]
) -> Iterator[tuple[str, str, str | None]]:
    """Yield page, capture and doubted statement of each *confirmed* doubt of one of *pages*."""
    for question in confirmed:
        entry = question.other
        if question.capture and entry is not None and entry in pages:
            yield entry, question.capture, question.statement


def _read_confirmed(
    db: sqlite3.Connection, repo: Repo, capture: str
) -> Iterable[Voice]:
    """Yield the voice of a capture that a night took in; none where its words are gone."""
    text = read_note_words(db, repo, capture)
    if text:
        yield read_voice(capture, text, _find_first_source(db, capture))


def _find_first_source(db: sqlite3.Connection, capture: str) -> str | None:
    tellings = list_tellings(db, capture)
    source = tellings[0].get("source") if tellings else None
    return source if isinstance(source, str) else None


def _list_voices(
    db: sqlite3.Connection, repo: Repo, branch: str
) -> Iterable[Voice]:
    for member in list_members(db, branch):
        if not member.contradicts:
            continue
        source = _find_first_source(db, member.capture)
        text = without_frontmatter(repo.text(member.blob))
        yield read_voice(member.capture, text, source)


def _choose(
    believed: Sequence[Judged],
    pages: Mapping[str, Doubted],
    heard: Iterable[Judged],
) -> Judged:
    """Return the doubt that is likeliest, with what it most probably means of its page.

    What others contest comes first, then what the page was made of, for the rule is seldom what a
    day's note on its page says.
    """
    first = max(believed, key=lambda one: (one.relation.score, one.key))
    same = [
        one
        for one in believed
        if (one.capture, one.other) == (first.capture, first.other)
    ]
    contested = set(pages[first.other].beliefs)
    contested.update(_belief(one) for one in heard if one.other == first.other)
    least = first.relation.score * _NEARLY
    return max(
        same,
        key=lambda one: (
            _belief(one) in contested,
            _belief(one) is None and one.relation.score >= least,
            one.relation.score,
            one.key,
        ),
    )


def _belief(judged: Judged) -> str | None:
    """Return what of its page a doubt is about: a statement, None for what it was made of."""
    return _name_belief(judged.other, judged.statement)


def _name_belief(entry: str, statement: str | None) -> str | None:
    made_of = statement is None or ids.entry_id(statement) == entry
    return None if made_of else statement


def _add_heard(
    page: Doubted,
    entry: str,
    heard: Iterable[Judged],
    doubters: Mapping[str, Voice],
) -> Doubted:
    tonight = [doubters[one.capture] for one in heard if one.other == entry]
    return page._replace(voices=(*page.voices, *tonight))


def _believe(doubt: Judged, voice: Voice, page: Doubted) -> Judged | None:
    """Return *doubt* with the likelihood that it has by who says it beside whom; None where it is
    not believed.
    """
    if doubt.relation.score < LEAST and not is_ruled(doubt):
        return None
    others = [one for one in page.voices if one.source != voice.source]
    shared = _list_shared(voice, others, page)
    beside = _weigh_company(voice, page, shared) if others else 0.0
    # nothing that the note says is a sign by itself
    if not beside and not doubt.relation.opposition:
        return None
    odds = _log_odds(doubt.relation.score)
    needed = OTHERS if voice.source else WRITERS
    alone = odds >= _log_odds(needed)
    if odds + beside < _log_odds(needed):
        return None
    if alone:
        return doubt
    reason = f"others contest it, too, and {doubt.relation.reason}"
    return doubt._replace(relation=doubt.relation._replace(reason=reason))


def _weigh_company(voice: Voice, page: Doubted, shared: Sequence[str]) -> float:
    """Return what it adds to the log-odds of a doubt that others contest the page."""
    if shared or keep_alike(voice.words, page.title):
        return _BESIDE + _SHARED * min(_MOST_SHARED, len(shared))
    # two words of a page may be there by chance
    named = keep_alike(voice.words, page.words)
    return _BESIDE / 2 if len(named) >= _NAMED else 0.0


def _as_contradiction(judged: Judged) -> Judged:
    """Return a doubt that is believed as a contradiction like others of load-bearing pages."""
    opposition = max(CONTESTED, judged.relation.opposition)
    relation = judged.relation._replace(opposition=opposition)
    return judged._replace(relation=relation)


def _list_shared(
    voice: Voice, others: Iterable[Voice], page: Doubted
) -> list[str]:
    """Return the words of *voice* that *others* have, too, and the page has not."""
    theirs = [word for one in others for word in one.words]
    return [
        word
        for word in keep_alike(voice.words, theirs)
        if not is_any(word, page.words)
    ]


def _log_odds(likelihood: float) -> float:
    kept = min(_SURE, max(1.0 - _SURE, likelihood))
    return math.log(kept / (1.0 - kept))
