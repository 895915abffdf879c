"""Whether a pending capture has what a query demands, as `filters` asks it of passages."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from companion.language.words import snowball
from companion.storage.index.ranking.bm25 import count_phrase
from companion.storage.index.search.filters import stem_each
from companion.storage.index.search.pending import OpenNote, list_open
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.terms import add_parts, fold_text, split_words
from companion.storage.journal.queries import LIVE_TO


def fits_request(
    journal: sqlite3.Connection,
    request: Request,
    languages: Sequence[str],
    who: str,
) -> Callable[[OpenNote], bool]:
    """Return what tells whether a pending capture, as *who* knows of it, fits *request*."""

    def fits(note: OpenNote) -> bool:
        """Tell whether *note* has all that is demanded."""
        view = _View(journal, note, languages, who)
        if any(view.has(term) for term in request.without):
            return False
        return all(any(map(view.has, group)) for group in request.groups)

    return fits


def list_open_beginning(
    journal: sqlite3.Connection, beginnings: Iterable[str], who: str
) -> list[str]:
    """Return the words of pending captures that begin so."""
    wanted = []
    for beginning in beginnings:
        wanted += split_words(beginning)[-1:]
    words: set[str] = set()
    for note in list_open(journal, who):
        words.update(split_words(add_parts(note.text)))
    return sorted(word for word in words if word.startswith(tuple(wanted)))


class _View:
    """One pending capture, looked at for terms."""

    def __init__(
        self,
        journal: sqlite3.Connection,
        note: OpenNote,
        languages: Sequence[str],
        who: str,
    ) -> None:
        self._journal = journal
        self._note = note
        self._languages = languages
        self._who = who
        self._words = split_words(add_parts(note.text))

    def has(self, term: Term) -> bool:
        """Tell whether the capture has *term*; it stands in no folder."""
        text = term.text
        if term.kind in ("word", "phrase", "prefix"):
            return self._has_words(term)
        if term.kind == "since":
            return self._note.time >= text
        if term.kind == "before":
            return self._note.time < text
        if term.kind == "tag":
            return self._has_tag(text.casefold().rstrip("/"))
        if term.kind in ("source", "agent"):
            return self._is_told_by(term.kind, text)
        waits = {"state": "pending", "type": "note"}
        return waits.get(term.kind) == text.lower()

    def _has_words(self, term: Term) -> bool:
        wanted = split_words(term.text)
        if not wanted:
            return False
        if term.kind == "phrase":
            return count_phrase(self._words, tuple(wanted)) > 0
        if term.kind == "prefix":
            return self._has_beginning(wanted)
        _, stems = snowball.stem_text(self._words, self._languages)
        forms = stem_each(wanted, self._languages)
        return any(count_phrase(stems, form) for form in forms)

    def _has_beginning(self, wanted: list[str]) -> bool:
        *before, last = wanted
        size = len(before)
        return any(
            word.startswith(last)
            and self._words[place - size : place] == before
            for place, word in enumerate(self._words)
            if place >= size
        )

    def _has_tag(self, wanted: str) -> bool:
        from companion.pages.page import parse

        text = self._note.content.decode("utf-8", "replace")
        tags = [tag.casefold() for tag in parse(text, "").tags]
        return any(
            tag == wanted or tag.startswith(f"{wanted}/") for tag in tags
        )

    def _is_told_by(self, kind: str, name: str) -> bool:
        query = f"""
            SELECT s.source, coalesce(s.agent, 'owner')
            FROM sightings s
            WHERE s.capture = :id AND {LIVE_TO}
            """
        names = {"id": self._note.id, "who": self._who}
        rows = self._journal.execute(query, names).fetchall()
        if kind == "agent":
            return any(agent.lower() == name.lower() for _, agent in rows)
        return any(fold_text(name) in fold_text(one or "") for one, _ in rows)
