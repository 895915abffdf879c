"""AUDIT through the program: planted entries in real wikis, real searches replayed, and what an audit costs."""

import random
import tempfile
import time
from pathlib import Path

from companion.app import audit as auditing
from companion.app import decay, reads
from tests.asked import Asked, log
from tests.bench.audit import BEST, ENTRY, KINDS, SETS, USERS, Tally, tally
from tests.wiki import Wiki

EACH = 4  # entries of a kind in a wiki
SEEDS = (1, 2, 3)
TOPICS = 60
SIZES = (1000, 4000)


def words(chance: random.Random, count: int) -> list[str]:
    """Return distinct made-up words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(4))] = None
    return list(found)


def planted(seed: int, folder: Path, more: int = 0) -> tuple[Wiki, dict[str, str]]:
    """Make a wiki with entries of each kind, and what was asked of them; return it with the kinds by title."""
    chance, queries = random.Random(seed), SETS[0]
    vocabulary = iter(words(random.Random(seed + 1000), len(KINDS) * EACH * (TOPICS + 1) + more))
    kinds: dict[str, str] = {}
    pages: dict[str, str] = {}
    topics: dict[str, list[str]] = {}
    for kind in KINDS:
        for _ in range(EACH):
            name = next(vocabulary).title()
            kinds[name], topics[name] = kind, [next(vocabulary) for _ in range(TOPICS)]
            pages[f"{name}.md"] = f"# {name}\n\n" + " ".join(f"{each} rules." for each in topics[name]) + "\n"
            for each in topics[name]:
                pages[f"{each}.md"] = (
                    f"# The {each}\n\nOf the {each} rules there is much to say, at length. [[{name}]]\n"
                )
    for word in vocabulary:
        pages[f"{word}.md"] = f"# On {word}\n\nA page of {word} that has no part in any of this.\n"
    made = Wiki.new(folder, pages)
    made.tick(days=1)
    decay.decay(made.ws)
    asked = [each for name in kinds for each in _asked(made, name, kinds[name], topics[name], chance, queries.speaks)]
    for start in range(0, len(asked), 200):
        made.tick(hours=1)
        log(made, asked[start : start + 200])
    made.tick(days=40)
    return made, kinds


def _asked(made: Wiki, name: str, kind: str, topics: list[str], chance: random.Random, speaks: float) -> list[Asked]:
    need, found = chance.uniform(0.2, 0.9), []
    for topic in topics[: chance.randint(0, 4) if kind == "quiet" else len(topics)]:
        opened, said = USERS[kind](chance, speaks, 0.0, need)
        titles = {ENTRY: name, BEST: f"The {topic}"}
        question = f"{topic} rules"
        shown = [hit["title"] for hit in reads.search(made.ws, question)["results"]]
        found.append(Asked(question, shown, [titles[each] for each in opened], said))
    return found


def run() -> None:
    """Print what the program finds in real wikis, and what that costs."""
    count = EACH * len(SEEDS)
    print(f"\n(a, through the program) {count} of each kind in {len(SEEDS)} wikis, the rich set, real searches\n")
    results: dict[str, list[str | None]] = {kind: [] for kind in KINDS}
    for seed in SEEDS:
        with tempfile.TemporaryDirectory(prefix="companion-audit-") as folder:
            made, kinds = planted(seed, Path(folder) / "wiki")
            for each in auditing.audit(made.ws, top=len(kinds), dry_run=True)["audited"]:
                if each["title"] in kinds:
                    results[kinds[each["title"]]].append(each["result"])
    print(f"{'':<12} {'audited':>8}  " + "  ".join(f"{name:>12}" for name in Tally._fields))
    for kind, found in results.items():
        print(f"{kind:<12} {len(found):>8}  " + "  ".join(f"{share:>12.0%}" for share in tally(found)))
    print("\n(d) what an audit of ten entries costs, with 60 questions on record of most\n")
    print(f"{'entries':>8}  {'questions':>9}  {'CPU seconds':>11}")
    for size in SIZES:
        with tempfile.TemporaryDirectory(prefix="companion-audit-") as folder:
            made, _ = planted(9, Path(folder) / "wiki", max(0, size - len(KINDS) * EACH * (TOPICS + 1)))
            spent = time.process_time()
            doc = auditing.audit(made.ws, top=10, dry_run=True)
            spent = time.process_time() - spent
            questions = sum(len(each["questions"]) for each in doc["audited"])
            print(f"{len(made.files()):>8,}  {questions:>9,}  {spent:>11.2f}")
