"""Find the debates that a note may join: pages that are contested, by the words of both sides."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.comparison.pages import ComparablePages
from companion.language.stance.doubt_texts import is_any
from companion.minority.contested.doubts import tell_words
from companion.storage.git.repo import Repo
from companion.storage.index.tables.minority import (
    list_branches,
    list_members,
)
from companion.values.wording import without_frontmatter

# contested pages that are known, those contested last; and that one note may join
_KNOWN = 64
_MOST = 3
# letters that words of one thing begin with, most often
_BEGINNING = 4


class Debate(NamedTuple):
    """A contested page, by the words of the page and of who contests it."""

    entry: str
    words: frozenset[str]
    beginnings: frozenset[str]


class Debates:
    """The pages that open branches contest."""

    def __init__(self, debates: Sequence[Debate]) -> None:
        self._debates = debates

    def find(self, passages: Sequence[str]) -> list[str]:
        """Return the entries of the debates that share most words with a note; at most three."""
        words = tell_words(" ".join(passages))
        begins = {word[:_BEGINNING] for word in words}
        shared: dict[str, int] = {}
        for one in self._debates:
            if begins.isdisjoint(one.beginnings):
                continue
            count = sum(is_any(word, one.words) for word in words)
            if count:
                shared[one.entry] = count
        ranked = sorted(shared, key=lambda entry: (-shared[entry], entry))
        return ranked[:_MOST]


def read_debates(
    db: sqlite3.Connection, repo: Repo, pages: ComparablePages
) -> Debates:
    """Return the debates of a wiki, those that were opened last."""
    texts: dict[str, list[str]] = {}
    for branch in reversed(list_branches(db)):
        if branch.state != "open":
            continue
        if branch.incumbent not in texts and len(texts) == _KNOWN:
            break
        known = texts.setdefault(branch.incumbent, [])
        for member in list_members(db, branch.name):
            if member.contradicts:
                known.append(without_frontmatter(repo.text(member.blob)))
    return make_debates(pages, texts)


def make_debates(
    pages: ComparablePages, said: Mapping[str, Sequence[str]]
) -> Debates:
    """Return the debates on entries, each with what is *said* against it."""
    debates = []
    for entry, texts in said.items():
        page = pages.read(entry)
        if page is not None:
            lines = [line for some in page.passages.values() for line in some]
            debates.append(_make_debate(entry, [page.title, *lines], texts))
    return Debates(debates)


def _make_debate(
    entry: str, page: Sequence[str], said: Sequence[str]
) -> Debate:
    words = set(tell_words(" ".join(page)))
    for text in said:
        words.update(tell_words(text))
    beginnings = frozenset(word[:_BEGINNING] for word in words)
    return Debate(entry, frozenset(words), beginnings)
