"""MemOps, replayed turn by turn: what stands of what was said, what was replaced, taken back or
only weighed.

A scenario is one wiki; a session is one evening, with a night after it. The person's own turns are
told, each a note of one source; the assistant's are not, for they are nobody's claims. An operation
is *read* where a claim from its own turn has an object that means its value; what became of that
claim then counts, by `claims --history`. `ask` is asked "What is my …?" with the set's own name of
the target, `search` for that name.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.values.captures import Draft
from tests.bench.life import STANDING, Life, closest, content, life, share

SOURCE = "me"
TOP = (1, 3, 5, 10)
Claims = Sequence[dict[str, Any]]


class Target(NamedTuple):
    """One matter of a scenario: its operations in order, and what they come to."""

    name: str
    operations: list[dict[str, Any]]

    @property
    def confirmed(self) -> list[dict[str, Any]]:
        return [
            o
            for o in self.operations
            if o["type"] in ("remember", "update")
            and o["validity"] == "confirmed"
        ]

    @property
    def weighed(self) -> list[dict[str, Any]]:
        return [
            o
            for o in self.operations
            if o["type"] in ("remember", "update")
            and o["validity"] == "tentative"
        ]

    @property
    def forgotten(self) -> bool:
        return any(
            o["type"] == "forget" and o["validity"] == "confirmed"
            for o in self.operations
        )


def memops(folder: Path) -> None:
    """Print what became of every operation, what `ask` answers and what `search` finds."""
    paths = sorted(folder.glob("*.json"))
    told, asked, found, scenes = (
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
    )
    for path in paths:
        scene = json.loads(path.read_text(encoding="utf-8"))
        with life("2026-11-01T18:00:00.000000Z") as home:
            turns = _replay(home, scene["conversations"])
            claims = home.claims()
            marks = [
                _target(home, target, turns, claims)
                for target in targets(scene["operations"])
            ]
        for fates, answer, ranks in marks:
            told.update(fates)
            asked.update([answer] if answer else [])
            found.update(
                f"{kind}@{k}"
                for kind, rank in ranks
                for k in (*TOP, 10**6)
                if rank < k
            )
        scenes["claims"] += all(_stood(fates) for fates, _, _ in marks)
        scenes["some"] += any(
            "current: stands" in fates for fates, _, _ in marks
        )
        scenes["search"] += all(
            rank < 5 for _, _, ranks in marks for _, rank in ranks
        )
    _print(told, asked, found, scenes, len(paths))


def targets(operations: Sequence[dict[str, Any]]) -> list[Target]:
    """Return the matters of a scenario that have a value; conclusions that only a reader draws are
    left out.
    """
    by_id: dict[str, Target] = {}
    for operation in operations:
        target = operation["target"]
        for one in target if isinstance(target, list) else [target]:
            if one and operation["type"] != "reflect":
                by_id.setdefault(
                    one["target_id"], Target(one["target_name"], [])
                ).operations.append(operation)
    return [target for target in by_id.values() if target.confirmed]


def _replay(
    home: Life, sessions: Sequence[dict[str, Any]]
) -> dict[tuple[int, int], str | None]:
    turns: dict[tuple[int, int], str | None] = {}
    for session in sessions:
        day = session["segment_index"]
        home.at(f"2026-11-{day:02d}T18:00:00.000000Z")
        said = [
            (n, turn["content"])
            for n, turn in enumerate(session["dialogue"], 1)
            if turn["role"] == "user"
        ]
        ids = home.tell(
            Draft(text, source=SOURCE, channel="lines") for _, text in said
        )
        turns |= {(day, n): id for (n, _), id in zip(said, ids, strict=True)}
        home.night()
    return turns


def _target(
    home: Life,
    target: Target,
    turns: dict[tuple[int, int], str | None],
    claims: Claims,
) -> tuple[list[str], str | None, list[tuple[str, int]]]:
    """Return (fates of the operations, what `ask` answered, ranks of the quotes in `search`)."""
    fates = [
        f"{kind}: {_fate(one, target, turns, claims)}"
        for kind, one in _kinds(target)
    ]
    answer = (
        None
        if target.forgotten
        else _answered(home.values(f"What is my {target.name}?"), target)
    )
    texts = home.search(target.name, max(TOP))
    ranks = []
    for kind, one in _kinds(target):
        quote = " ".join(one["trigger_span"]["quote"].split())
        ranks.append(
            (
                kind,
                next(
                    (n for n, text in enumerate(texts) if quote in text),
                    10**6 - 1,
                ),
            )
        )
    return fates, answer, ranks


def _kinds(target: Target) -> Iterator[tuple[str, dict[str, Any]]]:
    *old, last = target.confirmed
    yield ("forgotten" if target.forgotten else "current"), last
    for one in old:
        # what came back is no old value
        if content(one["new_value"]) != content(last["new_value"]):
            yield ("forgotten" if target.forgotten else "replaced"), one
    for one in target.weighed:
        yield "tentative", one


def _fate(
    operation: dict[str, Any],
    target: Target,
    turns: dict[tuple[int, int], str | None],
    claims: Claims,
) -> str:
    """Return what became of what *operation* said: stands, fell, past (an event, or not yet),
    tentative, or unread.
    """
    at = operation["trigger_span"]
    capture = turns.get((at["segment_index"], at["turn_index"]))
    values = [
        str(one["new_value"]) for one in (*target.confirmed, *target.weighed)
    ]
    own = [
        c
        for c in claims
        if c["capture"] == capture and c["object"] and not c["negated"]
    ]
    read = {
        c["status"]
        for c in own
        if closest(c["object"], values) == str(operation["new_value"])
    }
    if read & set(STANDING):
        return "stands"
    if "tentative" in read or not read:
        return "tentative" if read else "unread"
    return "fell" if read & {"superseded", "retracted"} else "past"


def _answered(answers: Sequence[str], target: Target) -> str:
    if not answers:
        return "not known"
    values = [
        str(one["new_value"]) for one in (*target.confirmed, *target.weighed)
    ]
    meant = {closest(answer, values) for answer in answers}
    if str(target.confirmed[-1]["new_value"]) in meant:
        return "right" if len(meant) == 1 else "right among others"
    if meant & {str(one["new_value"]) for one in target.confirmed}:
        return "replaced value"
    return "tentative value" if meant - {None} else "something else"


def _stood(fates: Sequence[str]) -> bool:
    return not set(fates) & {
        "current: unread",
        "current: fell",
        "current: tentative",
        *_WRONG,
    }


_WRONG = ("replaced: stands", "forgotten: stands", "tentative: stands")


def _print(
    told: Counter[str],
    asked: Counter[str],
    found: Counter[str],
    scenes: Counter[str],
    count: int,
) -> None:
    for kind in ("current", "replaced", "forgotten", "tentative"):
        fates = {
            fate: told[f"{kind}: {fate}"]
            for fate in ("stands", "fell", "past", "tentative", "unread")
        }
        whole = sum(fates.values())
        rows = ", ".join(f"{fate} {n}" for fate, n in fates.items())
        read = whole - fates["unread"]
        wrong = (
            ""
            if kind == "current"
            else f"; wrongly stands {share(fates['stands'], read)} of those read"
        )
        print(
            f"  {kind:10} values {whole:4}: {rows}; read {share(read, whole)}{wrong}"
        )
    whole = sum(asked.values())
    stale = asked["replaced value"]
    print(
        f"  ask: {', '.join(f'{what} {share(n, whole)}' for what, n in asked.most_common())};"
        f" stale {stale}"
    )
    for kind in ("current", "replaced", "forgotten", "tentative"):
        whole = found[f"{kind}@{10**6}"]
        row = "  ".join(
            f"@{k} {found[f'{kind}@{k}'] / max(1, whole):.3f}" for k in TOP
        )
        print(
            f"  search, the verbatim quote of the {kind:10} value: recall {row}  of {whole}"
        )
    print(
        f"  scenarios: by claims wholly {share(scenes['claims'], count)}, in part"
        f" {share(scenes['some'], count)}; "
        f"by search, every quote in the first five, {share(scenes['search'], count)}"
    )
