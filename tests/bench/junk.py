"""How much junk there is after a hundred simulated nights, through the program (users.md's oldest
complaint).

Each night four notes come in, from a fixed seed: a new thing with its port and a link to an older
one; the same words again from another source; a port that changed on that day; and a remark about
something known. Somebody looks three things up a day, the newer the likelier, and opens the first.
DECAY runs weekly, AUDIT and what follows monthly. At the end the wiki is counted, against what was
told.
"""

import random
import tempfile
from itertools import combinations
from pathlib import Path

from companion.answers.claims import answer_question
from companion.lookup.search import search_wiki
from companion.operations.audit import run as audit
from companion.operations.audit import settle
from companion.operations.decay import run as decay
from companion.reading.entry.show import show_target
from companion.storage.index import schema as index
from companion.usage.record_read import record_search, record_show
from tests.wiki import Wiki

NIGHTS = 100
SEED = 7


def name(n: int) -> str:
    return "".join(
        "bdfgklmnprst"[n // 12**k % 12] + "aeiou"[(n + k) % 5]
        for k in (2, 1, 0)
    ).title()


def live(folder: Path, nights: int = NIGHTS) -> tuple[Wiki, dict[str, str]]:
    """Live through *nights*; the wiki, and the port that each thing has at the end."""
    chance, wiki, ports = (
        random.Random(SEED),
        Wiki.new(folder),
        dict[str, str](),
    )
    for night in range(nights):
        wiki.tick(days=1)
        fresh = name(night + 200)
        known = list(ports) or [fresh]
        ports[fresh] = str(4000 + night)
        new = (
            f"# {fresh}\nThe port of {fresh} is {ports[fresh]}. It was set up beside"
            f" [[{chance.choice(known)}]]."
        )
        changed = chance.choice(known)
        ports[changed] = str(6000 + night)
        wiki.ingest(new, source="the runbook")
        wiki.ingest(new, source="a mail")
        wiki.ingest(
            f"Since {wiki.now:%d %B %Y} the port of {changed} is {ports[changed]}.",
            source="the runbook",
        )
        wiki.ingest(
            f"# {chance.choice(known)}\nOn day {night} somebody asked about it again.",
            source="the chat",
        )
        wiki.consolidate()
        for _ in range(3):
            looked = known[
                -1 - min(len(known) - 1, int(chance.expovariate(1 / 15)))
            ]
            doc = search_wiki(wiki.ws, f"{looked} port")
            record_search(wiki.ws, doc)
            for hit in [hit for hit in doc["results"] if hit["path"]][:1]:
                record_show(wiki.ws, show_target(wiki.ws, hit["id"]))
        if night % 7 == 6:
            decay.decay(wiki.ws)
        if night % 30 == 29:
            audit.audit(wiki.ws)
            settle.settle(wiki.ws)
    return wiki, ports


def run() -> None:
    """Print what is junk at the end."""
    with tempfile.TemporaryDirectory(prefix="companion-junk-") as folder:
        wiki, ports = live(Path(folder) / "wiki")
        db = index.open_for_reading(wiki.ws.place.index_db)
        assert db is not None
        entries = db.execute(
            "SELECT id, title, path, state FROM entries WHERE NOT tombstone"
        ).fetchall()
        texts = {
            path: frozenset(wiki.read(path).split("---")[-1].split())
            for _, _, path, _ in entries
        }
        pairs = combinations(texts.values(), 2)
        same = sum(a == b for a, b in pairs)
        titles = [title for _, title, _, _ in entries]
        stale = sum(
            _answer(wiki, thing) != port for thing, port in ports.items()
        )
        linked = "(SELECT source FROM edges UNION SELECT target FROM edges)"
        lonely = f"SELECT count(*) FROM entries WHERE NOT tombstone AND id NOT IN {linked}"
        never = (
            "SELECT count(*) FROM entries WHERE NOT tombstone AND id NOT IN (SELECT entry FROM"
            " accesses WHERE count)"
        )
        states = [state for _, _, _, state in entries]
        print(
            f"\n(c) after {NIGHTS} nights with {4 * NIGHTS} notes, through the program:"
            f" {len(entries)} entries, "
            f"{states.count('decaying')} of them decaying\n"
        )
        for what, count, of in (
            ("pairs of pages with the same words", same, len(entries)),
            (
                "pages of one title",
                len(titles) - len(set(titles)),
                len(entries),
            ),
            ("things whose port is answered stale, or not", stale, len(ports)),
            (
                "entries without any link",
                db.execute(lonely).fetchone()[0],
                len(entries),
            ),
            (
                "links that lead nowhere",
                db.execute(
                    "SELECT count(*) FROM links WHERE to_path IS NULL"
                ).fetchone()[0],
                db.execute("SELECT count(*) FROM links").fetchone()[0],
            ),
            (
                "entries that nobody ever read",
                db.execute(never).fetchone()[0],
                len(entries),
            ),
        ):
            print(
                f"{what:<46} {count:>5} of {of:<5} {count / max(1, of):>6.1%}"
            )


def _answer(wiki: Wiki, thing: str) -> str | None:
    doc = answer_question(
        wiki.ws, f"What is the port of {thing}?", as_of=None, budget=500
    )
    found = doc["answers"]
    return str(found[0]["value"]) if found else None
