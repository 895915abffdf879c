"""AUDIT with judged answers: what a language model that is right so often makes of the planted
entries.

The judge is simulated, a stand-in: it says how much of the rule survives a judge of that accuracy,
and nothing of how accurate any model is. It is drawn once a question (`core.comparing` asks twice,
and a real model's mistakes of content agree with each other), is always sure, and errs in the worst
way: for what is harmful or dead it takes the answer with the entry, for what is needed the one
without it. At .5 it is a coin, at 0 an adversary.
"""

import random
from collections.abc import Iterator, Mapping, Sequence

from companion.operations.audit import verdict as audit
from companion.operations.audit.questions import judged_answers
from companion.operations.audit.questions.judged_answers import Better, Judged
from companion.operations.audit.questions.query_set import (
    Probe,
    build_query_set,
)
from companion.operations.audit.verdict import Evidence, Verdict
from tests.bench import audit as plants
from tests.bench.audit import ENTRY, KINDS, Set, Tally, tally

ACCURACIES = (None, 1.0, 0.9, 0.75, 0.5, 0.0)  # None: no model
# of an entry, with the calls that a night has by default
QUESTIONS = judged_answers.questions_per_entry(200, audit.TOP_N)
SETS = (
    Set("60 questions, one in ten speaks", questions=60, speaks=0.1),
    Set("60 questions, nobody speaks", questions=60, speaks=0.0),
    Set("half of the users convinced", questions=60, convinced=0.5),
    Set("self-confirming: all of them", questions=60, convinced=1.0),
    Set(
        "all of them, and nobody speaks",
        questions=60,
        speaks=0.0,
        convinced=1.0,
    ),
)


def truth(kind: str, probe: Probe) -> Better:
    """Return which answer serves better who asked: without what is harmful, with what its reader
    wanted.
    """
    if kind == "harmful":
        return "without"
    return "with" if ENTRY in probe.useful else "same"


def mistake(kind: str) -> Better:
    return "with" if kind in ("harmful", "dead") else "without"


def judged(
    kind: str, queries: Set, accuracy: float | None, seed: str
) -> Verdict:
    """Return the core's verdict on one entry, some of its silent questions judged."""
    # one log, whoever judges
    chance, judge = random.Random(seed), random.Random(f"{seed} judge")

    def words(n: int) -> str:
        return f"{n:x}a {n:x}b {chance.randint(0, 9**6)}"

    log = plants.asked(kind, queries, chance, words, plants.shown(chance))
    probes = build_query_set(ENTRY, [ENTRY], log, [], [])
    before = {each.id: each.shown for each in log}
    after = {
        id: [each for each in ranking if each != ENTRY]
        for id, ranking in before.items()
    }
    changes = [
        audit.compare_rankings(ENTRY, p, before[p.id], after[p.id])
        for p in probes
    ]
    asked = (
        []
        if accuracy is None
        else judged_answers.choose_questions(
            ENTRY, probes, before, after, QUESTIONS
        )
    )
    said = {
        each.group: _said(kind, each, judge.random() < (accuracy or 0.0))
        for each in asked
    }
    return audit.reach_verdict(
        ENTRY, Evidence(changes, judged=said, judge="a simulated judge")
    )


def _said(kind: str, probe: Probe, right: bool) -> Judged:
    return Judged(
        probe.id, truth(kind, probe) if right else mistake(kind), 1.0, "other"
    )


def core(
    seeds: Sequence[int], each: int, sets: Sequence[Set] = SETS
) -> Iterator[tuple[Set, float | None, Mapping[str, Tally]]]:
    """Yield, for every query set and judge, what became of each kind of entry."""
    for queries in sets:
        for accuracy in ACCURACIES:
            yield (
                queries,
                accuracy,
                {
                    kind: tally(
                        [
                            judged(
                                kind, queries, accuracy, f"{seed} {n} {kind}"
                            ).result
                            for seed in seeds
                            for n in range(each)
                        ]
                    )
                    for kind in KINDS
                },
            )


def run(seeds: Sequence[int] = plants.SCORE, each: int = plants.EACH) -> None:
    """Print the table."""
    print(
        f"\n(a, answers judged) the same entries, {QUESTIONS} silent questions of each judged"
        " by a simulated model: a "
        "stand-in,\n    right in so many cases and else wrong in the worst way; .5 is a coin, 0"
        " an adversary\n"
    )
    print(
        f"{'':<31}  {'judge':<9}  harmful                          foundation         quiet   dead"
    )
    print(
        f"{'query set':<31}  {'right':<9}  found  weakened  open  confirmed      harmed "
        " confirmed  harmed  found"
    )
    for queries, accuracy, found in core(seeds, each):
        bad, good, quiet, dull = (found[kind] for kind in KINDS)
        right = "no model" if accuracy is None else f"{accuracy:.2f}"
        print(
            f"{queries.name:<31}  {right:<9}  {bad.improved:>5.1%}  {bad.unchanged:>8.1%} "
            f" {bad.inconclusive:>4.0%}  "
            f"{bad.degraded:>9.1%}      {good.improved + good.unchanged:>6.2%} "
            f" {good.degraded:>9.1%}  "
            f"{quiet.improved + quiet.unchanged:>6.2%}  {dull.improved + dull.unchanged:>5.1%}"
        )
