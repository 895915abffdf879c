"""LongMemEval's knowledge updates among the turns of all its other questions, in one wiki.

Every turn of the person's is a note with the date of its session, told in the order of the dates,
with a night a month. *By slot*: the later statement's turn and the earlier one's have claims on one
key, and the values differ, one of them the answer's; *served* is a slot whose later claim stands,
*marked* one whose earlier claim fell. Search's own order is left alone: `recall@k` says where the
turns are, `later first` how often the later one happens to come first.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.values.captures import Draft
from companion.values.time import parse_instant
from tests.bench.life import STANDING, Life, closest, content, life, share

TOP = (1, 5, 10)


class Turn(NamedTuple):
    """What the person said, and when."""

    when: str
    text: str


class Found(NamedTuple):
    """What came of one update."""

    # of the earlier and of the later turn in `search`, from 0
    ranks: tuple[int, int]
    ask: str
    read: bool  # both turns have claims
    # per key that both have: the later stands, the earlier fell
    slots: list[tuple[bool, bool]]


def updates(folder: Path) -> None:
    """Print recall of the turns, what `ask` answers, and the slots of the knowledge updates."""
    questions = [
        q
        for path in sorted(folder.glob("*.json"))
        for q in json.loads(path.read_text(encoding="utf-8"))
    ]
    chosen = [
        q
        for q in questions
        if q["question_type"] == "knowledge-update" and len(sessions(q)) > 1
    ]
    with life("2023-01-01T00:00:00.000000Z") as home:
        told = _live(
            home,
            {
                turn
                for question in questions
                for turns in sessions(question)
                for turn in turns
            },
        )
        claims: dict[str, list[dict[str, Any]]] = {}
        for claim in home.claims():
            claims.setdefault(claim["capture"], []).append(claim)
        found = [_update(home, question, told, claims) for question in chosen]
        others = [q for q in questions if q not in chosen and sessions(q)]
        recalls = [_recall(home, question) for question in others]
        read = sum(id in claims for id in told.values())
    print(f"  {len(told)} turns told; {share(read, len(told))} have claims")
    _print(found)
    row = "  ".join(
        f"@{k} {sum(r < k for r in recalls) / max(1, len(recalls)):.3f}"
        for k in TOP
    )
    print(
        f"  search, other questions: recall of an evidence turn {row}  of {len(recalls)}"
    )


def sessions(question: dict[str, Any]) -> list[list[Turn]]:
    """Return the person's turns of each session of the evidence, in the order of their dates."""
    found = [
        [
            Turn(instant(session["date"]), " ".join(turn["content"].split()))
            for turn in session["turns"]
            if turn["role"] == "user"
        ]
        for session in question["evidence_sessions"]
    ]
    return sorted(turns for turns in found if turns)


def instant(date: str) -> str:
    """Return "2023/05/28 (Sun) 19:47" as RFC 3339 UTC."""
    day, _, hour = date.split()
    return parse_instant(f"{day.replace('/', '-')}T{hour}:00Z")


def _live(home: Life, turns: set[Turn]) -> dict[Turn, str]:
    """Tell *turns* in their order, with a night whenever a month is over; which capture each is."""
    told: dict[Turn, str] = {}
    month = ""
    for turn in sorted(turns):
        if month and turn.when[:7] != month:
            home.night()
        month = turn.when[:7]
        home.at(turn.when)
        told.update(
            (turn, id)
            for id in home.tell(
                [Draft(turn.text, source="me", channel="lines")]
            )
            if id is not None
        )
    home.night()
    return told


def _update(
    home: Life,
    question: dict[str, Any],
    told: Mapping[Turn, str],
    claims: Mapping[str, Sequence[dict[str, Any]]],
) -> Found:
    first, *_, last = sessions(question)
    texts = home.search(question["question"], max(TOP))
    ranks = (_rank(first, texts), _rank(last, texts))
    old, new = (
        [c for turn in side for c in claims.get(told.get(turn, ""), ())]
        for side in (first, last)
    )
    values = home.values(question["question"])
    answer = str(question["answer"])
    right = any(closest(value, [answer]) for value in values)
    ask = "not known" if not values else "right" if right else "something else"
    return Found(ranks, ask, bool(old) and bool(new), _slots(old, new, answer))


def _slots(
    old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], answer: str
) -> list[tuple[bool, bool]]:
    """Return (later stands, earlier fell) of the pairs on one key with two values, one of them the
    answer's.
    """
    pairs = [
        (a, b)
        for a in old
        for b in new
        if a["key"] == b["key"] and content(a["object"]) != content(b["object"])
    ]
    about = [
        (a, b)
        for a, b in pairs
        if closest(a["object"], [answer]) or closest(b["object"], [answer])
    ]
    return [
        (b["status"] in STANDING, a["status"] not in STANDING) for a, b in about
    ]


def _recall(home: Life, question: dict[str, Any]) -> int:
    texts = home.search(question["question"], max(TOP))
    return min(_rank(turns, texts) for turns in sessions(question))


def _rank(turns: Sequence[Turn], texts: Sequence[str]) -> int:
    return next(
        (
            n
            for n, text in enumerate(texts)
            if any(turn.text in text for turn in turns)
        ),
        max(TOP),
    )


def _print(found: Sequence[Found]) -> None:
    count = len(found)
    for name, side in (("earlier", 0), ("later", 1)):
        row = "  ".join(
            f"@{k} {sum(one.ranks[side] < k for one in found) / max(1, count):.3f}"
            for k in TOP
        )
        print(f"  search, {name} statement: recall {row}  of {count}")
    both = [one for one in found if max(one.ranks) < max(TOP)]
    print(
        f"  search, both in the first {max(TOP)}: later first"
        f" {share(sum(a > b for (a, b), *_ in both), len(both))}"
    )
    slotted = [one.slots for one in found if one.slots]
    served = sum(any(later for later, _ in slots) for slots in slotted)
    marked = sum(
        any(later and fell for later, fell in slots) for slots in slotted
    )
    print(
        f"  claims: both turns read {share(sum(one.read for one in found), count)}, on one key "
        f"{share(len(slotted), count)}; of these later served {share(served, len(slotted))}, "
        f"and the earlier marked as replaced {share(marked, len(slotted))}"
    )
    rows = (
        (kind, sum(one.ask == kind for one in found))
        for kind in ("right", "something else", "not known")
    )
    print(
        f"  ask: {', '.join(f'{kind} {share(n, count)}' for kind, n in rows)}"
    )
