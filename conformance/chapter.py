"""Chapters: Markdown whose fenced blocks are cases, and the twins that those cases name."""

import ast
import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```(console|python) +(\S.*)$")
HEADING = re.compile(r"^##+ +(.+)$")
ID = re.compile(r"\b[A-Z]{3}-\d+\b")
PAPER = re.compile(r"\(((?:MaM )?(?:§|App).*)\)\s*$")
DECLARED = {"BREAKS", "EXPECTS"}
WORDS = {"id", "name", "twin", "now", "wiki"}


class Malformed(Exception):
    """A chapter or a twin breaks the format."""


class Case(NamedTuple):
    """One runnable block: what it proves, where it stands, and which twins must make it fail."""

    ids: tuple[str, ...]
    name: str
    chapter: str  # file name, e.g. "20-triage.md"
    heading: str
    section: str  # the paper's, e.g. "MaM §7.5"
    language: str  # "console" or "python"
    body: str
    line: int  # of the body's first line, 1-based
    twins: tuple[str, ...]
    now: str | None
    wiki: bool  # starts inside a fresh wiki

    @property
    def title(self) -> str:
        """Where it stands and what it says, for the report."""
        return f"{self.chapter}:{self.line} {' '.join(self.ids)} {self.name!r}"


class Chapter(NamedTuple):
    """A Markdown file: the ids its headings claim and the cases that prove them."""

    path: Path
    claims: tuple[str, ...]
    cases: tuple[Case, ...]


class Twin(NamedTuple):
    """A program that breaks one law, and the words in which a case must complain of it."""

    name: str
    path: Path
    breaks: tuple[str, ...]
    expects: str  # regular expression, searched in the failure


def chapters(folder: Path) -> list[Chapter]:
    """Every chapter of *folder*, in the order of their numbers."""
    found = [read_chapter(path) for path in sorted(folder.glob("[0-9][0-9]-*.md"))]
    if not found:
        raise Malformed(f"{folder}: no chapter (NN-name.md) here")
    return found


def read_chapter(path: Path) -> Chapter:
    """Parse one chapter; Malformed names the file and line of what cannot be read."""
    claims: list[str] = []
    cases: list[Case] = []
    heading = ""
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        if found := HEADING.match(line):
            heading = found[1]
            claims += ID.findall(heading)
        elif fence := FENCE.match(line):
            cases.append(_case(path, heading, fence[1], fence[2], _until_fence(lines), number + 1))
        elif line.startswith("```"):
            _until_fence(lines)
    return Chapter(path, tuple(dict.fromkeys(claims)), tuple(cases))


def _until_fence(lines: Iterator[tuple[int, str]]) -> list[str]:
    return [text for _, text in takewhile(lambda pair: pair[1] != "```", lines)]


def _case(path: Path, heading: str, language: str, info: str, block: list[str], line: int) -> Case:
    where = f"{path.name}:{line - 1}"
    words = dict(word.partition("=")[::2] for word in shlex.split(info))
    if unknown := set(words) - WORDS:
        raise Malformed(
            f"{where}: unknown word {', '.join(sorted(unknown))}; known: {', '.join(sorted(WORDS))}"
        )
    section = PAPER.search(heading)
    if not words.get("id") or not words.get("name") or not section:
        raise Malformed(
            f"{where}: a case needs id=, name=, and a heading that ends in the paper's (§…)"
        )
    return Case(
        ids=tuple(ID.findall(words["id"])),
        name=words["name"],
        chapter=path.name,
        heading=heading,
        section=section[1],
        language=language,
        body="".join(text + "\n" for text in block),
        line=line,
        twins=tuple(name for name in words.get("twin", "").split(",") if name),
        now=words.get("now"),
        wiki=words.get("wiki") != "none",
    )


def twins(folder: Path) -> dict[str, Twin]:
    """The twins of *folder* by name: every script that declares BREAKS and EXPECTS."""
    found = [_twin(path) for path in sorted((folder / "twins").glob("*.py"))]
    return {twin.name: twin for twin in found if twin}


def _twin(path: Path) -> Twin | None:
    # Read, not run: a twin is a program, and looking at the list of twins must not start one.
    declared = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in DECLARED
    }
    if "BREAKS" not in declared:
        return None
    if "EXPECTS" not in declared:
        raise Malformed(f"{path.name}: a twin says in EXPECTS how its case will complain")
    return Twin(path.stem, path, tuple(ID.findall(declared["BREAKS"])), declared["EXPECTS"])


def gaps(book: list[Chapter], known: dict[str, Twin]) -> list[str]:
    """What keeps the book from proving what its headings claim; empty when nothing does."""
    cases = [case for chapter in book for case in chapter.cases]
    named = {name for case in cases for name in case.twins}
    return [
        *(
            f"{case.title} names no twin: nothing shows that it can fail"
            for case in cases
            if not case.twins
        ),
        *(
            f"{case.title} names an unknown twin"
            for case in cases
            if not known.keys() >= set(case.twins)
        ),
        *(f"twins/{name}.py is named by no case" for name in sorted(known.keys() - named)),
        *(
            f"{id} has no case"
            for id in _claimed(book)
            if not any(id in case.ids for case in cases)
        ),
        *(f"{id} has no twin" for id in _claimed(book) if not _twins_of(id, cases, known)),
        *(
            f"{id} is proved but claimed by no heading"
            for id in sorted(_proved(cases) - set(_claimed(book)))
        ),
    ]


def coverage(book: list[Chapter], known: dict[str, Twin]) -> list[tuple[str, int, int]]:
    """Per claimed id: how many cases prove it and how many twins show that they can fail."""
    cases = [case for chapter in book for case in chapter.cases]
    return [
        (id, sum(id in case.ids for case in cases), len(_twins_of(id, cases, known)))
        for id in _claimed(book)
    ]


def _claimed(book: list[Chapter]) -> list[str]:
    return list(dict.fromkeys(id for chapter in book for id in chapter.claims))


def _proved(cases: list[Case]) -> set[str]:
    return {id for case in cases for id in case.ids}


def _twins_of(id: str, cases: list[Case], known: dict[str, Twin]) -> set[str]:
    """Twins that break *id* and are set on a case which names *id*."""
    names = {name for case in cases if id in case.ids for name in case.twins}
    return {name for name in names if name in known and id in known[name].breaks}
