"""`python -m tests.bench reasoning --data DIR`: how good the installed judges are, on sets that lie
in DIR.

Light takes half a minute, semantic (where `[semantic]` is installed) a quarter of an hour.

The sets are not part of the project (their licences are research-only or unstated): DIR holds the
folders `sick`, `bmb`, `beam`, `memops` and `vaults` as their makers publish them; one that is
missing is named and skipped. Where a set has two parts, `dev` was looked at while the rules were
written and `score` was not: a SICK pair belongs to a part by the hash of its id, a MemOps scenario
by that of its family, a BEAM chat by its number.
"""

import csv
import hashlib
import json
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from companion.config import Config
from companion.judges import configured
from companion.language.protocols import ModelUnavailable, Relater, WrongWeights
from companion.language.relations.relate import CONTRADICTS, LightRelater
from companion.values.relations import Relation, Statement

PARTS = ("dev", "score")
CHANCE = 20261121
UPDATED = 0.5  # update from which the core takes a pair for one
# pairs drawn from the vaults
UNRELATED = {"sentences": 4000, "whole notes": 1500}
COLD = 9  # interleaved cold starts


class Pair(NamedTuple):
    """Two statements and whether they oppose (or the later one updates) each other."""

    part: str
    earlier: str
    later: str
    positive: bool


def light() -> Relater:
    return LightRelater()


def semantic() -> Relater:
    """The rules on sentence embeddings, as `reasoner: semantic` has them; raises ModelUnavailable
    or WrongWeights.
    """
    found = configured.open_judges(Config(reasoner="semantic"))
    assert found.embedder is not None and found.relater is not None
    # missing weights are said before anything is measured
    found.embedder.embed(["a"])
    return found.relater


# An llm relater is whichever model its owner names, and costs a call a note: it is never measured
# by default.
RELATERS: dict[str, Callable[[], Relater]] = {
    "light": light,
    "semantic": semantic,
}


def reasoning(data: Path) -> None:
    """Run every section on *data*; a missing set is said, not skipped in silence."""
    if not data.is_dir():
        raise SystemExit(
            f"{data} is no folder; give one that holds the sets: --data DIR"
        )
    for section in SECTIONS:
        section(data)


def relaters(data: Path) -> None:
    """Print what each relater is worth on every set."""
    for name, make in RELATERS.items():
        try:
            relater = make()
        except (ModelUnavailable, WrongWeights) as error:
            print(f"\nrelater {name}: not installed ({error}), skipped")
            continue
        print(f"\nrelater {name}: {relater.identity}")
        for folder, measure in MEASURES.items():
            if (data / folder).is_dir():
                measure(relater, data / folder)
            else:
                print(f"{folder}: not in {data}, skipped")
        pace(relater)
    print(
        "\nrelater llm: no model is named here; each pair would cost a call, skipped"
    )
    cold()


# -- sets ------------------------------------------------------------------------------------------


def sick(relater: Relater, folder: Path) -> None:
    with open(
        folder / "SICK_train_trial.txt", encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    pairs = [
        Pair(
            part(r["pair_ID"]),
            r["sentence_A"],
            r["sentence_B"],
            r["entailment_label"] == "CONTRADICTION",
        )
        for r in rows
    ]
    report(
        "SICK, contradiction by opposition",
        pairs,
        [r.opposition for r in judged(relater, pairs)],
    )


def bmb(relater: Relater, folder: Path) -> None:
    """Contradictory are pairs of the groups `neg` (denial, opposite) and `es` (another value);
    others are not.
    """
    rows = json.loads(
        (folder / "claim_pairs_half.json").read_text(encoding="utf-8")
    )
    pairs = [
        Pair(
            "all",
            r["claim_a"],
            r["claim_b"],
            r["id"].split("-")[0] in ("neg", "es"),
        )
        for r in rows
    ]
    answers = judged(relater, pairs)
    report(
        "BMB claim pairs, by opposition", pairs, [r.opposition for r in answers]
    )
    report("BMB claim pairs, by either", pairs, [either(r) for r in answers])


def beam(relater: Relater, folder: Path) -> None:
    """The two statements of a contradiction as its rubric has them, against statements on two
    matters of one chat.
    """
    pairs = []
    for chat in sorted(path for path in folder.rglob("probing_questions.json")):
        questions = json.loads(chat.read_text(encoding="utf-8"))[
            "contradiction_resolution"
        ]
        quoted = [
            [_statement(line) for line in question["rubric"][1:3]]
            for question in questions
        ]
        side = PARTS[int(chat.parent.parent.name) % 2]
        pairs += [Pair(side, one, other, True) for one, other in quoted]
        crossed = combinations(quoted, 2)
        pairs += [
            Pair(side, one, other, False)
            for left, right in crossed
            for one in left
            for other in right
        ]
    answers = judged(relater, pairs)
    report(
        "BEAM statements, by opposition", pairs, [r.opposition for r in answers]
    )
    report("BEAM statements, by either", pairs, [either(r) for r in answers])


def _statement(line: str) -> str:
    told = re.sub(r"^LLM response should (?:mention|state): ", "", line)
    return re.sub(
        r"^[Yy]ou (?:also )?(?:said|mentioned|stated)(?: that)?:? ", "", told
    )


def memops(relater: Relater, folder: Path) -> None:
    """Updates against what they replace; other memories of the scenario against the same later ones
    and all others.
    """
    scenarios = [
        (part(path.name.split("_")[0]), _memories(path))
        for path in sorted(folder.glob("*.json"))
    ]
    confirmed, every = [], []
    for side, memories in scenarios:
        for at, later in enumerate(memories):
            same = [m for m in memories[:at] if _target(m) == _target(later)]
            every += [
                Pair(side, _quote(m), _quote(later), False)
                for m in memories[:at]
                if m not in same
            ]
            if later["type"] == "update" and same:
                pair = Pair(side, _quote(same[-1]), _quote(later), True)
                every.append(pair)
                confirmed += [pair] if later["validity"] == "confirmed" else []
    answers = [r.update for r in judged(relater, every)]
    report("MemOps updates, confirmed and tentative", every, answers, UPDATED)
    kept = [
        n
        for n, pair in enumerate(every)
        if not pair.positive or pair in confirmed
    ]
    report(
        "MemOps updates, confirmed",
        [every[n] for n in kept],
        [answers[n] for n in kept],
        UPDATED,
    )
    linking(relater, scenarios)


def linking(
    relater: Relater, scenarios: list[tuple[str, list[dict[str, Any]]]]
) -> None:
    """Of all other memories of the scenario, does the one with the highest update score tell of the
    update's target?
    """
    for side in (*PARTS, None):
        right = of_value = total = 0
        for home, memories in scenarios:
            for at, later in enumerate(memories):
                if later["type"] != "update" or side not in (None, home):
                    continue
                others = [m for n, m in enumerate(memories) if n != at]
                scores = [
                    r.update
                    for r in _relate(
                        relater, [(_quote(m), _quote(later)) for m in others]
                    )
                ]
                first = others[
                    max(range(len(others)), key=lambda n: (scores[n], n))
                ]
                total += 1
                right += _target(first) == _target(later)
                of_value += (
                    first
                    is [
                        m for m in memories[:at] if _target(m) == _target(later)
                    ][-1]
                )
        if total:
            row = (
                f"top-1 {right / total:.3f} (the very value replaced {of_value / total:.3f}),"
                f" {total} updates"
            )
            print(f"{'MemOps link to the target':42} {side or 'all':6} {row}")


def _memories(path: Path) -> list[dict[str, Any]]:
    operations = json.loads(path.read_text(encoding="utf-8"))["operations"]
    return [
        operation
        for operation in operations
        if operation["type"] in ("remember", "update")
    ]


def _quote(memory: dict[str, Any]) -> str:
    return str(memory["trigger_span"]["quote"])


def _target(memory: dict[str, Any]) -> str:
    return str(memory["target"]["target_id"])


def vaults(relater: Relater, folder: Path) -> None:
    """Sentences and whole notes of two different notes drawn at random: how many are called
    contradictory.
    """
    notes = [
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.rglob("*.md"))
    ]
    chance = random.Random(CHANCE)
    sentences = [
        (n, s) for n, text in enumerate(notes) for s in _sentences(text)
    ]
    for name, told in (
        ("sentences", sentences),
        ("whole notes", list(enumerate(notes))),
    ):
        drawn = (chance.sample(told, 2) for _ in range(UNRELATED[name]))
        pairs = [
            (one[1], other[1]) for one, other in drawn if one[0] != other[0]
        ]
        answers = _relate(relater, pairs)
        opposed = sum(r.label == "contradicts" for r in answers) / len(pairs)
        renewed = sum(r.update >= UPDATED for r in answers) / len(pairs)
        row = f"contradictory {opposed:.4f}, update {renewed:.4f}, {len(pairs)} pairs"
        print(f"{'vaults, unrelated ' + name:42} {'all':6} {row}")


def _sentences(text: str) -> Iterator[str]:
    body = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.DOTALL)
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", body):
        if len(re.findall(r"[^\W\d_]+", sentence)) >= 4:
            yield sentence.strip()


# -- cost ------------------------------------------------------------------------------------------


def pace(relater: Relater) -> None:
    """Pairs judged per CPU second, of distinct short statements; fewer of a judge that takes long
    for each.
    """
    count = 5000 if relater.identity.name == "light" else 100
    pairs = [
        (
            f"the owner of house {n} lives in town {n % 97}",
            f"house {n} belongs to {n} people",
        )
        for n in range(count)
    ]
    _relate(relater, pairs[:1])
    begun = time.process_time()
    _relate(relater, pairs)
    print(
        f"{'pairs per CPU second':42} {'':6} {len(pairs) / (time.process_time() - begun):,.0f}"
    )


def cold() -> None:
    """A process that judges one pair, as a multiple of `python -c pass`."""
    from tests.bench.__main__ import child

    judge = (
        "from companion.language.relations.relate import LightRelater as R; from"
        " companion.values.relations import Statement as S; "
        "R().relate([(S('the door is open'), S('the door is closed'))])"
    )
    commands = {
        name: [sys.executable, "-c", code]
        for name, code in (("pass", "pass"), ("judge", judge))
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(COLD):
        for name, command in commands.items():
            times[name].append(child(command, Path(os.getcwd()))[0])
    ratio = statistics.median(
        j / p for j, p in zip(times["judge"], times["pass"], strict=True)
    )
    print(
        f"\n{'light, cold: one pair judged':42} {'':6} {ratio:.1f} x python -c pass"
    )


# -- measures --------------------------------------------------------------------------------------


def part(name: str) -> str:
    """Return the part that an item belongs to, by the hash of its name."""
    return PARTS[int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2]


def either(relation: Relation) -> float:
    return max(relation.opposition, relation.update)


def judged(relater: Relater, pairs: Sequence[Pair]) -> list[Relation]:
    return _relate(relater, [(pair.earlier, pair.later) for pair in pairs])


def _relate(
    relater: Relater, pairs: Sequence[tuple[str, str]]
) -> list[Relation]:
    return relater.relate(
        [(Statement(one), Statement(other)) for one, other in pairs]
    )


def report(
    name: str,
    pairs: Sequence[Pair],
    scores: Sequence[float],
    threshold: float = CONTRADICTS,
) -> None:
    """Print AUROC, F1 at *threshold* (the one that is in use) and the best F1, by part."""
    sides = [side for side in PARTS if any(pair.part == side for pair in pairs)]
    for side in [*sides, "all"]:
        kept = [
            (s, pair.positive)
            for s, pair in zip(scores, pairs, strict=True)
            if side in ("all", pair.part)
        ]
        positives = sum(positive for _, positive in kept)
        best, at = max(
            (f1(kept, score), score) for score in {score for score, _ in kept}
        )
        row = (
            f"AUROC {auroc(kept):.3f}  F1 at {threshold} {f1(kept, threshold):.3f}  best F1"
            f" {best:.3f} at {at:.2f}"
        )
        print(f"{name:42} {side:6} {row}  {positives} of {len(kept)}")


def auroc(scored: Sequence[tuple[float, bool]]) -> float:
    """Return the chance that a positive scores above a negative, a tie counting half; 0.5 where one
    kind is missing.
    """
    ordered = sorted(scored)
    positives = sum(positive for _, positive in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return 0.5
    below = won = 0.0
    at = 0
    while at < len(ordered):
        end = next(
            (
                n
                for n in range(at, len(ordered))
                if ordered[n][0] != ordered[at][0]
            ),
            len(ordered),
        )
        here = sum(positive for _, positive in ordered[at:end])
        won += here * (below + (end - at - here) / 2)
        below += end - at - here
        at = end
    return won / (positives * negatives)


def f1(scored: Sequence[tuple[float, bool]], threshold: float) -> float:
    called = [positive for score, positive in scored if score >= threshold]
    return (
        2
        * sum(called)
        / (len(called) + sum(positive for _, positive in scored))
        if called
        else 0.0
    )


MEASURES: dict[str, Callable[[Relater, Path], None]] = {
    "sick": sick,
    "bmb": bmb,
    "beam": beam,
    "memops": memops,
    "vaults": vaults,
}
# What the command prints, in order: a judge of another kind adds its own section here.
SECTIONS: list[Callable[[Path], None]] = [relaters]
