"""`python -m tests.bench audit`: does AUDIT find the belief that leads astray, and does it spare
what is needed?

The open problem of MaM §9, measured on planted entries. Each leads the list for every question
about it. What differs is what the user does then, which AUDIT sees, and why, which it does not:

- *harmful*: half of the users believe it and open it; most of those look on, or leave without a word, and some say that
  it was wrong. A third know better and pass it over, and one in ten is content.
- *foundation*: opened in a share of its questions between .2 and .9, now and then with praise, rarely with blame.
- *quiet*: a foundation that was asked for four times at most.
- *dead*: one opening in a hundred; the rest want what stands below it.

The user speaks up in a share of the cases, `speaks`. Query sets go from rich to self-confirming:
there a share of the users is convinced, opens the harmful entry and says that it was good. Nothing
here knows AUDIT's thresholds. They were chosen on the seeds DEV; the table is made on others.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.operations.audit import verdict as audit
from companion.operations.audit.questions.query_set import (
    RecordedQuery,
    build_query_set,
)
from companion.operations.audit.verdict import Evidence, Verdict

DEV = range(100, 110)
SCORE = range(1, 11)
EACH = 40  # entries of a kind and seed
ENTRY, BEST = "entry", "best"
KINDS = ("harmful", "foundation", "quiet", "dead")


class Set(NamedTuple):
    """A query set: how much was asked, how often anybody said what they thought, and how many were
    convinced.
    """

    name: str
    questions: int = 40  # distinct ones
    repeats: int = 1
    speaks: float = 0.5
    convinced: float = 0.0
    named: bool = False  # asked by the entry's name


SETS = (
    Set(
        "rich: 60 questions, every second user says what they think",
        questions=60,
    ),
    Set("40 questions"),
    Set("20 questions", questions=20),
    Set("10 questions", questions=10),
    Set("5 questions", questions=5),
    Set("60 questions, one user in three speaks", questions=60, speaks=0.33),
    Set("60 questions, one in five speaks", questions=60, speaks=0.2),
    Set("60 questions, one in ten speaks", questions=60, speaks=0.1),
    Set("60 questions, nobody speaks", questions=60, speaks=0.0),
    Set("narrow: 5 questions, each asked 12 times", questions=5, repeats=12),
    Set("narrow: 1 question, asked 60 times", questions=1, repeats=60),
    Set(
        "60 questions, a quarter of the users convinced",
        questions=60,
        convinced=0.25,
    ),
    Set("half of them convinced", questions=60, convinced=0.5),
    Set("three quarters convinced", questions=60, convinced=0.75),
    Set("self-confirming: all of them convinced", questions=60, convinced=1.0),
    Set(
        "self-confirming: all asked by its name",
        questions=60,
        convinced=1.0,
        named=True,
    ),
)

Act = tuple[tuple[str, ...], str | None]  # what was opened, and what was said
Show = Callable[[str], Sequence[str]]  # a question to what a search shows


def harmful(
    chance: random.Random, speaks: float, convinced: float, need: float
) -> Act:
    if chance.random() < convinced:
        return (ENTRY,), "good" if chance.random() < speaks else None
    mood = chance.random()
    if mood < 0.55:
        if chance.random() < speaks:
            return (ENTRY,), "bad"
        return ((ENTRY, BEST) if chance.random() < 0.7 else (ENTRY,)), None
    if mood < 0.9:
        return (BEST,), "good" if chance.random() < speaks else None
    return (ENTRY,), "good" if chance.random() < speaks else None


def foundation(
    chance: random.Random, speaks: float, convinced: float, need: float
) -> Act:
    opened = ENTRY if chance.random() < need else BEST
    said = (
        None
        if chance.random() >= speaks
        else "bad"
        if chance.random() < 0.08
        else "good"
    )
    return (opened,), said


def dead(
    chance: random.Random, speaks: float, convinced: float, need: float
) -> Act:
    return foundation(chance, speaks, convinced, 0.01)


USERS = {
    "harmful": harmful,
    "foundation": foundation,
    "quiet": foundation,
    "dead": dead,
}


def asked(
    kind: str,
    queries: Set,
    chance: random.Random,
    words: Callable[[int], str],
    show: Show,
) -> list[RecordedQuery]:
    """Return what *kind* of entry was asked for, and what came of it, the newest first."""
    need = chance.uniform(0.2, 0.9)
    count = chance.randint(0, 4) if kind == "quiet" else queries.questions
    found = []
    for n in range(count):
        question = (
            f"{ENTRY} {' '.join([ENTRY] * n)}" if queries.named else words(n)
        )
        for again in range(queries.repeats):
            opened, said = USERS[kind](
                chance, queries.speaks, queries.convinced, need
            )
            found.append(
                RecordedQuery(
                    f"{n}.{again}",
                    f"{n:04}.{again}",
                    question,
                    "search",
                    show(question),
                    opened,
                    said,
                )
            )
    return found[::-1]


def shown(chance: random.Random) -> Show:
    """Return a search without a wiki: the entry leads, and what is best stands right below it, or
    further down.
    """

    def show(question: str) -> list[str]:
        others = [f"other{n}" for n in range(8)]
        others.insert(min(8, int(chance.expovariate(0.8))), BEST)
        others.insert(
            0 if chance.random() < 0.8 else chance.randint(1, 2), ENTRY
        )
        return others

    return show


def judged(kind: str, queries: Set, chance: random.Random) -> Verdict:
    """Return the core's verdict on one entry, its rankings those that the users saw."""

    def words(n: int) -> str:
        return f"{n:x}a {n:x}b {chance.randint(0, 9**6)}"

    log = asked(kind, queries, chance, words, shown(chance))
    rankings = {each.id: each.shown for each in log}
    probes = build_query_set(ENTRY, [ENTRY], log, [], [])
    changes = [
        audit.compare_rankings(
            ENTRY,
            p,
            rankings[p.id],
            [each for each in rankings[p.id] if each != ENTRY],
        )
        for p in probes
    ]
    return audit.reach_verdict(ENTRY, Evidence(changes))


class Tally(NamedTuple):
    """What audits made of entries of one kind, in shares."""

    improved: float
    unchanged: float
    inconclusive: float
    degraded: float


def tally(results: Sequence[str | None]) -> Tally:
    return Tally(
        *(
            results.count(r) / max(1, len(results))
            for r in ("improved", "unchanged", None, "degraded")
        )
    )


def core(
    seeds: Sequence[int], each: int = EACH
) -> Iterator[tuple[Set, dict[str, Tally]]]:
    """Yield, for every query set, what became of each kind of entry."""
    for queries in SETS:
        yield (
            queries,
            {
                kind: tally(
                    [
                        judged(
                            kind, queries, random.Random(f"{seed} {n} {kind}")
                        ).result
                        for seed in seeds
                        for n in range(each)
                    ]
                )
                for kind in KINDS
            },
        )


def run(seeds: Sequence[int] = SCORE, each: int = EACH) -> None:
    """Print the table: what was found of the harmful, and what was harmed of the rest."""
    print(
        f"(a) what AUDIT makes of planted entries, {len(seeds) * each:,} of each kind and set"
        f" (seeds {seeds[0]} … "
        f"{seeds[-1]}),\n    through core/queryset and core/audit, on the rankings that the"
        " users saw\n"
    )
    print(
        f"{'':<60}  harmful                               harmed               dead"
    )
    print(
        f"{'query set':<60}  found  weakened  open  confirmed      foundation  quiet    found"
    )
    for queries, found in core(seeds, each):
        bad, dull = found["harmful"], found["dead"]
        harm = [
            found[kind].improved + found[kind].unchanged
            for kind in ("foundation", "quiet")
        ]
        print(
            f"{queries.name:<60}  {bad.improved:>5.1%}  {bad.unchanged:>8.1%} "
            f" {bad.inconclusive:>4.0%}  "
            f"{bad.degraded:>9.1%}      {harm[0]:>10.2%}  {harm[1]:>5.2%} "
            f" {dull.unchanged + dull.improved:>6.1%}"
        )
    # they rest on this, make wikis and graphs
    from tests.bench import judged, junk, pruning, suspensions

    judged.run(seeds, each)
    suspensions.run()
    pruning.run()
    junk.run()
