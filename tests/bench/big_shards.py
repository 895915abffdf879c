"""Shards of many notes, made through the program: a vault that is adopted, and notes that are told.

Each shard has its own pages, from its own seed. People are known in several shards, which do not
always say the same of them.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from tests.wiki import Wiki

PEOPLE, CITIES, FIRMS = 4_000, 60, 200
TOLD = 1_000  # notes of the first night of a shard, one sentence each
DAILY = 20
_WORDS = 20_000  # of the made-up language; their frequencies follow a power law
#: in nine pages of ten
COMMONEST = "w00001"
_ASKED = (50, 10_000)  # ranks: the first is in one page of twelve
_FOLDERS = 200
_SYLLABLES = (
    "ba",
    "do",
    "fe",
    "gi",
    "ku",
    "la",
    "mo",
    "ne",
    "ri",
    "sa",
    "te",
    "vu",
)


def name_one(number: int, kind: str) -> str:
    """Return the made-up name of a person, a city or a firm: another number has another one."""
    letters = ""
    rest = number + 13
    while rest:
        rest, place = divmod(rest, len(_SYLLABLES))
        letters += _SYLLABLES[place]
    name = letters.capitalize()
    return {"person": f"{name} Meyer", "city": f"{name}burg"}.get(
        kind, f"{name} Works"
    )


def make_shard(root: Path, number: int, pages: int) -> Wiki:
    """Return a wiki of *pages* pages that were there, and TOLD notes that were told and read."""
    chance = random.Random(f"shard {number}")
    for n in range(pages):
        path = root / f"{n % _FOLDERS:03d}/note {number}-{n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_write_page(chance, number, n, pages))
    wiki = Wiki(root)
    wiki.init()
    wiki.tick()
    wiki.ingest_pages(*dict.fromkeys(_tell(chance, TOLD)))
    wiki.consolidate()
    return wiki


def tell_day(wiki: Wiki, number: int, day: int) -> None:
    """Tell *wiki* the notes of one day: of who moved, and of what nobody spoke of before."""
    chance = random.Random(f"shard {number} day {day}")
    wiki.ingest(*dict.fromkeys(_tell(chance, DAILY, moved=True)))


def draw_person(chance: random.Random) -> str:
    """Return somebody of whom some shards know something."""
    return name_one(chance.randrange(PEOPLE), "person")


def draw_words(chance: random.Random, count: int) -> list[str]:
    """Return words of the made-up language, the common ones more often."""
    return [
        f"w{min(int(chance.paretovariate(0.7)), _WORDS - 1):05d}"
        for _ in range(count)
    ]


def draw_asked_words(chance: random.Random, count: int) -> list[str]:
    """Return words as people search for them: none that more than a tenth of the pages have."""
    least, most = _ASKED
    ratio = most / least
    return [
        f"w{int(least * ratio ** chance.random()):05d}" for _ in range(count)
    ]


def _tell(
    chance: random.Random, count: int, *, moved: bool = False
) -> Iterator[str]:
    for _ in range(count):
        who = draw_person(chance)
        city = name_one(chance.randrange(CITIES), "city")
        firm = name_one(chance.randrange(FIRMS), "firm")
        yield chance.choice(
            (
                f"{who} {'moved to' if moved else 'lives in'} {city}.",
                f"{who} works for {firm}.",
                f"{firm} is based in {city}.",
                f"{who} met {draw_person(chance)} in {city}.",
            )
        )


def _write_page(chance: random.Random, number: int, n: int, pages: int) -> str:
    words = draw_words(chance, chance.randint(20, 60))
    links = (min(int(chance.paretovariate(0.5)), pages) - 1 for _ in range(3))
    named = " ".join(f"[[note {number}-{link}]]" for link in links)
    return f"# note {number}-{n}\n\n{' '.join(words)}.\n\n{named}\n"
