"""Absence on generated worlds: a thing never told, taken back, only weighed, ended or deleted is
"not known" (LED-13).

And the other half, without which silence would be perfect: what was told is answered, what was
updated with its newest value only. Everything through `ingest`, nights, `adopt` and `ask`; each
world is a wiki, each line a note of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from companion.adoption import run as adopting
from companion.values.captures import Draft
from companion.values.claims import split_words
from tests.bench import worlds
from tests.bench.life import Life, life, share
from tests.bench.worlds import DOMAINS, KNOWN, UNKNOWN, Fact, Language

SEEDS = (1, 2)
LANGUAGES: tuple[Language, ...] = ("en", "de")
_DAYS = (1, 2, 3)


def absence(
    seeds: Sequence[int] = SEEDS, *, verbose: bool = False
) -> dict[str, tuple[int, int]]:
    """Print how many questions are answered as they must be; return {fate and language: (right,
    asked)}.
    """
    right, asked, stale = Counter[str](), Counter[str](), 0
    for seed in seeds:
        for domain in DOMAINS:
            for language in LANGUAGES:
                facts = worlds.world(seed, domain, language)
                with life("2026-03-01T08:00:00.000000Z") as home:
                    live(home, facts)
                    for fact in facts:
                        values = home.values(fact.question)
                        good = _right(fact, values)
                        asked[f"{fact.fate} {language}"] += 1
                        right[f"{fact.fate} {language}"] += good
                        stale += fact.fate == "updated" and _key(
                            fact.old
                        ) in map(_key, values)
                        if verbose and not good:
                            print(
                                f"    {fact.fate} {language}: {fact.said} {fact.question} ->"
                                f" {values}"
                            )
                    for question in worlds.stranger(seed, domain, language):
                        asked[f"stranger {language}"] += 1
                        right[f"stranger {language}"] += not home.values(
                            question
                        )
    _print(right, asked, stale)
    return {name: (right[name], asked[name]) for name in asked}


def live(home: Life, facts: Sequence[Fact]) -> None:
    """Tell *facts* day by day, each its own line; the pages of deleted ones are removed by their
    owner on the last.
    """
    pages: dict[str, list[str]] = defaultdict(list)
    for day in _DAYS:
        home.at(f"2026-03-{day:02d}T18:00:00.000000Z")
        drafts = [
            Draft(said)
            for fact in facts
            for when, said in fact.said
            if when == day and not fact.page
        ]
        if day == 1:
            for fact in facts:
                pages[fact.page] += [said for _, said in fact.said if fact.page]
            drafts += [
                Draft("\n".join(said), title=title)
                for title, said in pages.items()
                if said
            ]
        home.tell_all(drafts)
        home.night()
    for page in (home.root / "entries").rglob("*.md"):
        # not what only names it: notes of others stand there, too
        if page.stem in pages:
            page.unlink()
    adopting.adopt(home.ws)


def _right(fact: Fact, values: Sequence[str]) -> bool:
    return {_key(value) for value in values} == (
        {_key(fact.value)} if fact.fate in KNOWN else set()
    )


def _key(value: str) -> str:
    return " ".join(split_words(value))


def _print(right: Counter[str], asked: Counter[str], stale: int) -> None:
    for name, fates in (
        ("known", KNOWN),
        ("not known", (*UNKNOWN, "stranger")),
    ):
        for language in (*LANGUAGES, ""):
            chosen = [
                key
                for key in asked
                if key.split()[0] in fates and key.endswith(language)
            ]
            rows = (
                ", ".join(
                    f"{key.split()[0]} {right[key]}/{asked[key]}"
                    for key in sorted(chosen)
                )
                if language
                else ""
            )
            whole = share(
                sum(right[key] for key in chosen),
                sum(asked[key] for key in chosen),
            )
            print(f"  {name:9} {language or 'all':3} {whole}  {rows}")
    print(
        "  a replaced value among the answers:"
        f" {share(stale, sum(asked[f'updated {each}'] for each in LANGUAGES))}"
    )
