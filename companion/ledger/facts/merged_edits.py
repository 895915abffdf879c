"""Tell what a person changed in a page that git merged from what git put together there. Pure.

A line that some machine wrote is nobody's new word, and one that some machine had not written is
taken back by nobody where it is gone.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from companion.pages.body import Fact, dated_lines, split_at_facts
from companion.pages.lines import lines_of
from companion.pages.statements import is_mention
from companion.runs.parallel_texts import ParallelTexts
from companion.values.wording import FRONTMATTER

_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


class MergedEdit(NamedTuple):
    """What a page has that no machine wrote, and lacks that all of them had."""

    new_passages: list[str]
    lost_passages: list[str]
    new_facts: Mapping[str, Fact]  # by line
    lost_facts: Mapping[str, Fact]


def compare_with_machines(parallel: ParallelTexts, new: str) -> MergedEdit:
    """Return how *new*, a page as git merged it and a person left it, differs from its sides."""
    written: set[str] = set()
    for text in parallel.known:
        written |= _list_lines(text)
    shared = set.intersection(*map(_list_lines, parallel.tips))
    here = _list_lines(new)
    newest = parallel.tips[0]
    return MergedEdit(
        _list_passages_with(new, here - written),
        _list_passages_with(newest, shared - here),
        _list_facts_of(new, here - written),
        _list_facts_of(newest, shared - here),
    )


def list_passages(text: str) -> list[str]:
    """Return the passages of a page, its frontmatter first, without derived lines (GRA-9).

    A merge of git may leave a second section of them, or put a line of the person right below one.
    """
    front = FRONTMATTER.match(text)
    head = front[0] if front else ""
    passages = [
        one.strip("\n") for one in (head, *_PARAGRAPHS.split(text[len(head) :]))
    ]
    return [own for one in passages if one.strip() for own in _split(one)]


def _split(passage: str) -> list[str]:
    """Return the parts of *passage* between its derived lines."""
    parts = groupby(passage.split("\n"), is_mention)
    return ["\n".join(lines) for derived, lines in parts if not derived]


def read_facts_by_line(text: str) -> dict[str, Fact]:
    """Return the facts of a page by their lines."""
    return {fact.line: fact for fact in dated_lines(split_at_facts(text))}


def _list_lines(text: str) -> set[str]:
    return {line.strip() for line in lines_of(text)}


def _list_passages_with(text: str, lines: set[str]) -> list[str]:
    """Return the passages of *text* that have any of *lines*."""
    return [
        passage
        for passage in list_passages(text)
        if not lines.isdisjoint(_list_lines(passage))
    ]


def _list_facts_of(text: str, lines: Iterable[str]) -> dict[str, Fact]:
    """Return the facts of *text* that stand in *lines*."""
    wanted = set(lines)
    return {
        line: fact
        for line, fact in read_facts_by_line(text).items()
        if line.strip() in wanted
    }
