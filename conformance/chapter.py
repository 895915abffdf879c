"""Read chapters, Markdown files whose fenced blocks are cases, and the twins that cases name."""

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
    """One fenced block that runs: the laws it tests, its place, and its twins."""

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
        """Return the place, the ids and the name of the case, for the report."""
        return f"{self.chapter}:{self.line} {' '.join(self.ids)} {self.name!r}"


class Chapter(NamedTuple):
    """A Markdown file: the ids that its headings claim and its cases."""

    path: Path
    claims: tuple[str, ...]
    cases: tuple[Case, ...]


class Twin(NamedTuple):
    """A program that breaks one law, and the message with which a case must notice it."""

    name: str
    path: Path
    breaks: tuple[str, ...]
    expects: str  # regular expression, searched in the failure


def chapters(folder: Path) -> list[Chapter]:
    """Return the chapters of *folder* in the order of their numbers; Malformed if there are none."""
    paths = sorted(folder.glob("[0-9][0-9]-*.md"))
    if not paths:
        raise Malformed(f"{folder}: no chapter (NN-name.md) here")
    return [read_chapter(path) for path in paths]


def read_chapter(path: Path) -> Chapter:
    """Read one chapter; Malformed names the file and line of what cannot be read."""
    claims: list[str] = []
    cases: list[Case] = []
    heading = ""
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        if match := HEADING.match(line):
            heading = match[1]
            claims += ID.findall(heading)
        elif fence := FENCE.match(line):
            cases.append(
                _case(
                    path,
                    heading,
                    fence[1],
                    fence[2],
                    _until_fence(lines),
                    number + 1,
                )
            )
        elif line.startswith("```"):
            _until_fence(lines)
    return Chapter(path, tuple(dict.fromkeys(claims)), tuple(cases))


def _until_fence(lines: Iterator[tuple[int, str]]) -> list[str]:
    return [text for _, text in takewhile(lambda pair: pair[1] != "```", lines)]


def _case(
    path: Path,
    heading: str,
    language: str,
    info: str,
    block: list[str],
    line: int,
) -> Case:
    where = f"{path.name}:{line - 1}"
    words = dict(word.partition("=")[::2] for word in shlex.split(info))
    unknown = ", ".join(sorted(set(words) - WORDS))
    if unknown:
        raise Malformed(
            f"{where}: unknown word {unknown}; known: {', '.join(sorted(WORDS))}"
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
    """Return the twins of *folder* by name: each script that declares BREAKS and EXPECTS."""
    scripts = sorted((folder / "twins").glob("*.py"))
    declared = [_twin(path) for path in scripts]
    return {twin.name: twin for twin in declared if twin}


def _twin(path: Path) -> Twin | None:
    declared = _declarations(path)
    if "BREAKS" not in declared:
        return None
    if "EXPECTS" not in declared:
        raise Malformed(
            f"{path.name}: a twin needs EXPECTS, the message that its case prints"
        )
    return Twin(
        path.stem,
        path,
        tuple(ID.findall(declared["BREAKS"])),
        declared["EXPECTS"],
    )


def _declarations(path: Path) -> dict[str, str]:
    """Return the values of BREAKS and EXPECTS in a script, without running it."""
    values = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(
            node.targets[0], ast.Name
        ):
            name = node.targets[0].id
            if name in DECLARED:
                values[name] = ast.literal_eval(node.value)
    return values


def gaps(book: list[Chapter], known: dict[str, Twin]) -> list[str]:
    """Return what is missing: cases or twins of a claimed law, and names that nothing uses."""
    cases = _cases(book)
    return [*_gaps_of_cases(cases, known), *_gaps_of_laws(book, cases, known)]


def _gaps_of_cases(cases: list[Case], known: dict[str, Twin]) -> Iterator[str]:
    named: set[str] = set()
    for case in cases:
        named |= set(case.twins)
        if not case.twins:
            yield f"{case.title} names no twin: nothing shows that it can fail"
        if not known.keys() >= set(case.twins):
            yield f"{case.title} names an unknown twin"
    for name in sorted(known.keys() - named):
        yield f"twins/{name}.py is named by no case"


def _gaps_of_laws(
    book: list[Chapter], cases: list[Case], known: dict[str, Twin]
) -> Iterator[str]:
    claimed = _claimed(book)
    tested = _tested(cases)
    for id in claimed:
        if id not in tested:
            yield f"{id} has no case"
        if not _twins_of(id, cases, known):
            yield f"{id} has no twin"
    for id in sorted(tested - set(claimed)):
        yield f"{id} is proved but claimed by no heading"


def coverage(
    book: list[Chapter], known: dict[str, Twin]
) -> list[tuple[str, int, int]]:
    """Return for each claimed id how many cases test it, and how many twins break it."""
    cases = _cases(book)
    rows = []
    for id in _claimed(book):
        count = sum(id in case.ids for case in cases)
        rows.append((id, count, len(_twins_of(id, cases, known))))
    return rows


def _cases(book: list[Chapter]) -> list[Case]:
    cases: list[Case] = []
    for chapter in book:
        cases += chapter.cases
    return cases


def _claimed(book: list[Chapter]) -> list[str]:
    ids: list[str] = []
    for chapter in book:
        ids += chapter.claims
    return list(dict.fromkeys(ids))


def _tested(cases: list[Case]) -> set[str]:
    ids: set[str] = set()
    for case in cases:
        ids |= set(case.ids)
    return ids


def _twins_of(id: str, cases: list[Case], known: dict[str, Twin]) -> set[str]:
    """Return the twins that break *id* and that a case of *id* names."""
    names: set[str] = set()
    for case in cases:
        if id in case.ids:
            names |= set(case.twins)
    return {
        name for name in names if name in known and id in known[name].breaks
    }
