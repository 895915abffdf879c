"""`python -m tests.bench titles --data DIR`: print made-up titles beside their notes, for a person to
judge.

A hundred by seed, of four sorts: subjects of several notes, contradictions, conversations, and the
beginnings of notes. Files are dealt to a dev half and a score half by their order; a number in `only`
chooses ("dev" or "score").
"""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.language.headline import headline
from companion.language.names.forms_of_address import add_form_of_address
from companion.language.names.naming import name_subject
from companion.language.names.naming_contradictions import name_contradiction
from companion.language.names.naming_conversations import name_conversation

SEED = 14
SHARES = {
    "subject": 45,
    "contradiction": 15,
    "conversation": 10,
    "beginning": 30,
}
SHARED = 3  # notes; a thing gets a page at its third
_QUOTE = 150  # characters of a note that are printed


class Made(NamedTuple):
    """A title, what it was made from, and what the data calls it."""

    sort: str
    title: str
    notes: tuple[str, ...]
    reference: str = ""


def titles(data: Path, half: str = "dev", seed: int | None = None) -> None:
    """Print a sample of the titles made for the notes in *data*."""
    made = list_made(data, half)
    sample = choose_sample(made, SEED if seed is None else seed)
    for number, one in enumerate(sample, 1):
        print(f"{number}. {one.sort}: {one.title}    [{one.reference}]")
        for note in one.notes[:4]:
            print(f"      {' '.join(note.split())[:_QUOTE]}")
    untitled = sum(one.title == "-" for one in made["subject"])
    print(f"subjects without a name: {untitled} of {len(made['subject'])}")


def choose_sample(made: Mapping[str, Sequence[Made]], seed: int) -> list[Made]:
    """Return a sample by *seed* of titles, given by what they are of."""
    rng = random.Random(seed)
    chosen: list[Made] = []
    for sort, count in SHARES.items():
        pool = made[sort]
        chosen += rng.sample(pool, min(count, len(pool)))
    return chosen


def list_made(data: Path, half: str) -> dict[str, list[Made]]:
    """Return the titles made for the notes in *data*, by what they are of."""
    made: dict[str, list[Made]] = defaultdict(list)
    for one in [
        *_from_memops(data, half),
        *_from_worlds(data, half),
        *_from_talks(data, half),
    ]:
        made[one.sort].append(one)
    return made


def _name(notes: list[str]) -> str:
    """Return the title of a page for *notes*, as a night makes it."""
    name = name_subject(notes)
    return add_form_of_address(name, notes) if name else "-"


def _chosen(files: list[Path], half: str) -> list[Path]:
    return files[0 if half == "dev" else 1 :: 2]


def _from_memops(data: Path, half: str) -> Iterator[Made]:
    for path in _chosen(sorted((data / "memops").glob("*.json")), half):
        told = json.loads(path.read_text("utf-8"))
        quotes: dict[str, list[str]] = defaultdict(list)
        names: dict[str, str] = {}
        for operation in told["operations"]:
            target = operation.get("target") or {}
            key = target.get("target_id")
            for span in operation.get("evidence_spans") or []:
                if key and span["quote"] not in quotes[key]:
                    quotes[key].append(span["quote"])
                    names[key] = target.get("target_name", "")
        for key, notes in quotes.items():
            if len(notes) >= SHARED:
                title = _name(notes)
                yield Made("subject", title, tuple(notes), names[key])
        for talk in told["conversations"]:
            yield from _from_dialogue(path.stem, talk["dialogue"])


def _from_dialogue(
    source: str, dialogue: list[dict[str, Any]]
) -> Iterator[Made]:
    turns = [turn["content"] for turn in dialogue if turn["role"] == "user"]
    title = name_conversation((), source, "2026-03-01", turns)
    yield Made("conversation", title, tuple(turns))
    for turn in turns[:2]:
        yield Made("beginning", headline(turn), (turn,))


def _from_worlds(data: Path, half: str) -> Iterator[Made]:
    for path in _chosen(sorted((data / "worlds").glob("*.txt")), half):
        notes = read_world(path)
        pages = {}
        plain: dict[str, list[str]] = defaultdict(list)
        for tag, words in notes:
            heading = re.match(r"# (.*)\n", words)
            if heading:
                yield Made(
                    "beginning", headline(words[heading.end() :]), (words,)
                )
                if tag.endswith("0"):
                    pages[tag[0]] = heading.group(1)
            elif tag:
                plain[tag[0]].append(words)
        for letter, told in plain.items():
            if len(told) >= SHARED:
                title = _name(told)
                yield Made("subject", title, tuple(told), pages[letter])
            for words in told:
                title = name_contradiction(words, pages[letter])
                yield Made("contradiction", title, (words,))


def read_world(path: Path) -> list[tuple[str, str]]:
    """Return the tag and the words of each note."""
    notes = []
    for part in re.split(r"(?m)^@ ", path.read_text("utf-8"))[1:]:
        head, _, words = part.partition("\n")
        tag = re.search(r"tag=(\w+)", head)
        notes.append((tag.group(1) if tag else "", words.strip()))
    return notes


def _from_talks(data: Path, half: str) -> Iterator[Made]:
    talks = json.loads((data / "locomo" / "locomo_3.json").read_text("utf-8"))
    for talk in talks[0 if half == "dev" else 1 :: 2]:
        held = talk["conversation"]
        for key, turns in held.items():
            if re.fullmatch(r"session_\d+", key):
                people = dict.fromkeys(turn["speaker"] for turn in turns)
                words = tuple(turn["text"] for turn in turns)
                title = name_conversation(
                    [*people], "chat", "2026-03-01", words
                )
                yield Made("conversation", title, words)
