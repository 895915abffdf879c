"""`python -m tests.bench assistant`: are answers in what an assistant is given, with and without us?

No model answers here: a question counts as answered when the words that its answer needs stand in
what the assistant was given. Without the memory that is nothing of the person's; with a file of
notes it is as many of the newest as fit in the tokens that `context` may take, as an assistant's own
memory file has them. With the memory, the client of the SDK asks the server: what the start of a
session gives, then `context` of the question, `ask`, and `search`.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from companion.answers.budget import count_text
from companion.assistants.context import BUDGET
from tests.assistants.client import Assistant, talk
from tests.wiki import Wiki

QUESTIONS = Path(__file__).with_name("assistant.toml")
WAYS = ("nothing", "a file", "the start", "context", "ask", "search")


class Given(NamedTuple):
    """What an assistant was given for a question, one way."""

    way: str
    asks: str
    found: bool
    tokens: int


_LATER = 20  # days of other notes, told after those that are asked about
_KINDS = (
    "Walked {n} km along the canal.",
    "Slept {n} hours, woke up once.",
    "Read {n} pages of the novel about the lighthouse.",
    "The bus was {n} minutes late.",
    "Cooked soup number {n} of the winter.",
    "Counted {n} swans from the bridge.",
    "Paid {n} euro at the market.",
    "The sourdough took {n} hours to rise.",
)


def assistant(
    work: Path, *, most: int | None = None, later: int = _LATER
) -> list[Given]:
    """Print and return what each way gave, for the first *most* questions.

    *later* days of other notes follow those that are asked about.
    """
    told = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    days = [*told["days"], *_make_days(later)]
    wiki = live(work / "wiki", days)
    questions = told["question"][:most]
    notes = [note for day in days for note in day]
    print(f"{len(notes)} notes, {len(questions)} questions about the first")
    given = talk(wiki, lambda server: _ask_all(server, questions, notes))
    assert isinstance(given, list)
    _print(given)
    return given


def _make_days(count: int) -> list[list[str]]:
    return [
        [kind.format(n=2 + day + place) for place, kind in enumerate(_KINDS)]
        for day in range(count)
    ]


def live(root: Path, days: list[list[str]]) -> Wiki:
    """Return a wiki in which the notes of *days* were told, with a night after each."""
    wiki = Wiki.new(root)
    for notes in days:
        wiki.ingest(*notes, source="me")
        wiki.consolidate()
        wiki.tick(days=1)
    return wiki


async def _ask_all(
    server: Assistant, questions: list[dict[str, Any]], notes: list[str]
) -> list[Given]:
    start, _ = await server.hear("context")
    file = _newest(notes)
    given = []
    for question in questions:
        asks = question["asks"]
        texts = {"nothing": "", "a file": file, "the start": start}
        texts["context"], _ = await server.hear("context", topic=asks)
        texts["ask"], _ = await server.hear("ask", question=asks)
        texts["search"], _ = await server.hear("search", query=asks)
        for way, text in texts.items():
            found = all(words in text for words in question["needs"])
            given.append(Given(way, asks, found, count_text(text)))
    return given


def _newest(notes: list[str]) -> str:
    """Return the newest of *notes* that fit in the tokens of a session's start."""
    kept: list[str] = []
    for note in reversed(notes):
        if count_text("\n".join([*kept, note])) > BUDGET:
            break
        kept.append(note)
    return "\n".join(kept)


def _print(given: list[Given]) -> None:
    print(f"  {'given':12}{'answered':>10}{'tokens':>9}")
    for way in WAYS:
        own = [one for one in given if one.way == way]
        found = sum(one.found for one in own)
        tokens = sum(one.tokens for one in own) / len(own)
        print(f"  {way:12}{found:>5} of {len(own)}{tokens:>9.0f}", flush=True)
    tried = {one.asks for one in given if one.found and one.way == "ask"}
    for one in given:
        if one.way == "ask" and one.asks not in tried:
            print(f"  not in ask: {one.asks}")
