"""`python -m tests.bench staleness`: whether a value that was replaced is served as present, and
what becomes of questions that nobody told an answer to.
`python -m tests.bench.staleness` writes the page of the documents.

Worlds of `worlds.py`: made-up names, four domains, English and German, every answer known by
construction. Each matter of each subject is told one day and told anew the next, a note each, with
a night after each day. Then `search`, `ask` and `context` are asked, and beside them the nearest note
by the static vectors that the program itself uses, over the same notes.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.assistants.context import collect_context
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.lookup.search import search_wiki
from companion.values.captures import Draft
from companion.values.claims import split_words
from tests.bench import absence, falls, worlds
from tests.bench.life import LIGHT, Life, life
from tests.bench.worlds import DOMAINS, KNOWN, Fact, Language
from tests.made import note_origin, write_table

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "staleness.json"
PAGE = QUALITY / "staleness.md"
COMMAND = "python -m tests.bench.staleness"
SEEDS = (1, 2, 3, 4)
LANGUAGES: tuple[Language, ...] = ("en", "de")
#: what an answer can do with a value that was replaced
CLASSES = ("new", "old as present", "old marked", "neither")
NEAR = 5
BUDGET = 500  # tokens of a context

Counts = dict[str, dict[str, int]]


class Shown(NamedTuple):
    """One thing that an answer shows, and whether it says that this holds no more."""

    text: str
    is_marked: bool = False


class Notes:
    """The notes of a world, found by the likeness of their static vectors alone."""

    def __init__(self, notes: Sequence[str], embedder: StaticEmbedder) -> None:
        self.notes, self.embedder = notes, embedder
        self.vectors = embedder.embed(notes)

    def list_near(self, question: str, most: int = NEAR) -> list[int]:
        """Return the places of the nearest notes, the nearest first."""
        likeness = self.vectors @ self.embedder.embed([question])[0]
        order = (-likeness).argsort(kind="stable")
        places: list[int] = order[:most].tolist()
        return places


def classify(shown: Sequence[Shown], fact: Fact) -> str:
    """Return what the first of *shown* that names either value does with them."""
    new, old = _key(fact.value), _key(fact.old)
    for one in shown:
        words = f" {_key(one.text)} "
        if f" {new} " in words:
            return "new"
        if f" {old} " in words:
            return "old marked" if one.is_marked else "old as present"
    return "neither"


def _key(text: str) -> str:
    return " ".join(split_words(text))


# -- what each way of asking shows ----------------------------------------------------------------


def ask(home: Life, question: str) -> list[Shown]:
    """Return the values that `ask` gives. One that is old beside the new is old as present."""
    return [Shown(" ".join(sorted(home.values(question))))]


def search(home: Life, question: str) -> list[Shown]:
    """Return the first excerpt of `search`."""
    found = search_wiki(home.ws, question, limit=1)["results"]
    return [Shown(hit["snippet"], hit["lost"]) for hit in found]


def context(home: Life, question: str) -> list[Shown]:
    """Return the facts and passages that an assistant is given, in their order."""
    doc = collect_context(
        home.ws, question, as_of=None, known_at=None, budget=BUDGET
    )
    facts = [Shown(" ".join(fact["values"])) for fact in doc["facts"]]
    return facts + [Shown(one["text"]) for one in doc["passages"]]


WAYS: Mapping[str, Callable[[Life, str], list[Shown]]] = {
    "ask": ask,
    "search, first excerpt": search,
    "context": context,
}


def measure_served(
    seeds: Sequence[int] = SEEDS, reasoner: str = LIGHT
) -> Counts:
    """Return how often each way shows what, over all replacements."""
    counts: dict[str, Counter[str]] = {}
    embedder = StaticEmbedder()
    for way, shown, fact in _live_all(seeds, embedder, reasoner):
        counts.setdefault(way, Counter())[classify(shown, fact)] += 1
    return {way: dict(found) for way, found in counts.items()}


def _live_all(
    seeds: Sequence[int], embedder: StaticEmbedder, reasoner: str
) -> Iterator[tuple[str, list[Shown], Fact]]:
    for seed in seeds:
        for domain in DOMAINS:
            for language in LANGUAGES:
                facts = worlds.replacements(seed, domain, language)
                with life("2026-03-01T08:00:00.000000Z", reasoner) as home:
                    yield from _live(home, facts, embedder)


def _live(
    home: Life, facts: Sequence[Fact], embedder: StaticEmbedder
) -> Iterator[tuple[str, list[Shown], Fact]]:
    notes: list[str] = []
    for day in (1, 2):
        home.at(f"2026-03-{day:02d}T18:00:00.000000Z")
        told = [
            words for fact in facts for when, words in fact.said if when == day
        ]
        home.tell_all([Draft(words) for words in told])
        home.night()
        notes += told
    store = Notes(notes, embedder)
    for fact in facts:
        for way, show in WAYS.items():
            yield way, show(home, fact.question), fact
        near = store.list_near(fact.question)
        yield "nearest note", [Shown(notes[near[0]])], fact
        yield "newest of the five nearest", [Shown(notes[max(near)])], fact


# -- questions whose answer is known to be there, or not to be ------------------------------------


def measure_absence(seeds: Sequence[int] = absence.SEEDS) -> Counts:
    """Return what `ask` answers by what became of the matter: right, wrong or nothing."""
    counts: dict[str, Counter[str]] = {}
    for seed in seeds:
        for domain in DOMAINS:
            for language in LANGUAGES:
                facts = worlds.world(seed, domain, language)
                strangers = worlds.stranger(seed, domain, language)
                with life("2026-03-01T08:00:00.000000Z") as home:
                    absence.live(home, facts)
                    for fate, outcome in _answer_all(home, facts, strangers):
                        counts.setdefault(fate, Counter())[outcome] += 1
    return {fate: dict(found) for fate, found in counts.items()}


def _answer_all(
    home: Life, facts: Sequence[Fact], strangers: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for fact in facts:
        wanted = {_key(fact.value)} if fact.fate in KNOWN else set()
        given = set(map(_key, home.values(fact.question)))
        yield fact.fate, judge_answer(given, wanted)
    for question in strangers:
        given = set(map(_key, home.values(question)))
        yield "stranger", judge_answer(given, set())


def judge_answer(given: set[str], wanted: set[str]) -> str:
    """Return "right", "wrong", or "nothing" where no value is given though one is known."""
    if given == wanted:
        return "right"
    return "wrong" if given else "nothing"


# -- publishing ------------------------------------------------------------------------------------


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    served: Counts
    absence: Counts
    cascade: dict[str, list[int]]  # what must happen -> [right, asked]


def measure() -> Record:
    """Measure everything that is published."""
    cascade = {name: list(found) for name, found in falls.falls().items()}
    del cascade["reached"]  # counted by `falls` alone
    return Record(
        *note_origin(COMMAND),
        list(SEEDS),
        measure_served(),
        measure_absence(),
        cascade,
    )


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    return json.dumps(record._asdict(), indent=1, sort_keys=True) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    return Record(**json.loads(text))


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    number = sum(record.served["ask"].values())
    head = _HEAD.format(
        **record._asdict(), number=f"{number:,}", count=len(record.seeds)
    )
    return "\n".join(
        [
            head,
            *_write_served(record.served),
            _ABSENCE,
            *_write_absence(record.absence),
            _CASCADE,
            *_write_cascade(record.cascade),
            _TAIL,
        ]
    )


def _write_served(served: Counts) -> list[str]:
    rows = [[way, *_list_served(found)] for way, found in served.items()]
    return write_table(["asked by", *CLASSES], rows)


def _list_served(found: Mapping[str, int]) -> Iterator[str]:
    whole = sum(found.values())
    for each in CLASSES:
        yield _share(found.get(each, 0), whole)


def _write_absence(counts: Counts) -> list[str]:
    rows = []
    for fate, told in _FATES.items():
        found = counts[fate]
        asked = sum(found.values())
        right = _share(found.get("right", 0), asked)
        others = (found.get("wrong", 0), found.get("nothing", 0))
        rows.append((told, asked, right, *others))
    names = ("what became of the matter", "asked", "right", "wrong")
    return write_table([*names, "no answer"], rows)


def _write_cascade(cascade: Mapping[str, Sequence[int]]) -> list[str]:
    rows = []
    for name, (right, asked) in sorted(cascade.items()):
        rows.append((name, asked, _share(right, asked)))
    return write_table(["world", "asked", "right"], rows)


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.3f})"


_FATES = {
    "told": "told once: its value is right",
    "updated": "told anew: the newer value alone is right",
    "absent": "never told, of somebody known: no answer is right",
    "retracted": "taken back by name: no answer is right",
    "struck": "taken back in the next note: no answer is right",
    "weighed": "only said to be possible: no answer is right",
    "ended": "said to be so no longer: no answer is right",
    "deleted": "its page deleted by its owner: no answer is right",
    "stranger": "of somebody nobody ever named: no answer is right",
}
_HEAD = """# Stale answers, absence and cascades

Made by `{command}` from {count} seeds on {date}, after {commit}; the figures are in
[results/staleness.json](results/staleness.json), and tests hold this page to them and live one world of it again.

Made-up worlds in four domains, English and German alike, whose every answer is known by construction
(`tests/bench/worlds.py`). Nothing of any data set is in them.

## Replaced values

{number} values were told one day and told anew the next; each was asked for once, in words of the question's own. What counts
is the first thing shown that names either value: the *new* one, the *old as present*, the *old marked* as replaced, or
*neither*. *Nearest note* and *newest of the five nearest* are a plain search by likeness over the same notes, with the vectors that
the program uses. Here and below each question is asked once: no retry is made, so none is counted, and a second asking gives the same.
"""
_ABSENCE = """
## Absence

What `ask` answers, where silence can be right and where it cannot (LED-13):
"""
_CASCADE = """
## Cascade

When a value changes or a page is deleted, what rests on it, over however many steps, must be flagged, and nothing else
(LED-12). *Sentences* say what depends on what; *links* lead to what a page rests on.
"""
_TAIL = """
## What it means

- **`ask` and `context` serve no replaced value as present**; the nearest note does so for three values in five. Taking the newest of
  the five nearest is no cure: it is mostly about something else.
- **The first excerpt of `search` is often no answer** in worlds where all pages use the same few words: it is a note on another
  matter of the same subject, or the top of the page, where the older note stands.
- **What goes wrong in `ask`**: a note that shares most of its words with the page of somebody else ("... Gateway is now owned by
  Sanna ...") may stand there, and goes when its owner deletes that page; the older value holds again. The one wrong
  answer that was traced is of this kind, and the worlds above, in which no page is deleted, have none.

**Limits.** The sentences are plain, and their makers knew the program: on [plain notes](benches.md) by others fewer facts are
heard. A context counts as new if its first line that names a value has the new one; the old may stand below it.
"""


def staleness() -> None:
    """Print the page as measured now."""
    print(write_page(measure()))


def record_run() -> None:
    """Measure, and write the results and the page of the documents."""
    record = measure()
    RESULTS.write_text(write_record(record), "utf-8")
    PAGE.write_text(write_page(record), "utf-8")


if __name__ == "__main__":
    record_run()
