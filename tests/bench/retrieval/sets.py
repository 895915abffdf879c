"""The public sets as talks: turns that are told, and questions whose evidence is among them.

Each set is split before anything is tuned: `dev` may be looked at, `score` is opened once. LoCoMo is
split by conversation, BEAM by chat, MemOps by family of scenarios, LongMemEval by question.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

Half = Literal["dev", "score"]
_APART = timedelta(seconds=30)  # between two turns of a session
_FACTS_A_NIGHT = 100
_KEPT_APART = ("conv-41",)  # LoCoMo's score half
_EVIDENCE = re.compile(r"D\d+:\d+")


class Turn(NamedTuple):
    """What one person said."""

    id: str
    session: str
    speaker: str
    said_at: datetime
    text: str


class Question(NamedTuple):
    """A question, and the turns that answer it.

    *sides* are groups of turns of which each has to be found; of an update the first is the earlier
    statement and the last the one that holds.
    """

    text: str
    sides: tuple[frozenset[str], ...]
    is_update: bool = False

    @property
    def evidence(self) -> frozenset[str]:
        """Return the turns of all sides."""
        return frozenset().union(*self.sides)


class Talk(NamedTuple):
    """One wiki's worth of turns, in the order in which they are told."""

    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]
    is_pool: bool = (
        False  # of many strangers' sessions: a night a month will do
    )


def load_locomo(folder: Path, half: Half) -> Iterator[Talk]:
    """Yield LoCoMo's conversations; questions without evidence are left out."""
    for sample in _read(folder / "locomo" / "locomo_3.json"):
        name = str(sample["sample_id"])
        if (name in _KEPT_APART) != (half == "score"):
            continue
        turns = _read_locomo_turns(sample["conversation"])
        known = {turn.id for turn in turns}
        questions = []
        for one in sample["qa"]:
            named = _EVIDENCE.findall(" ".join(one["evidence"]))
            evidence = frozenset(named) & known
            if evidence:
                questions.append(Question(one["question"], (evidence,)))
        yield Talk(name, turns, questions)


def _read_locomo_turns(conversation: dict[str, Any]) -> list[Turn]:
    turns = []
    number = 1
    while f"session_{number}" in conversation:
        name = f"session_{number}"
        said_at = _parse(
            conversation[f"{name}_date_time"], "%I:%M %p on %d %B, %Y"
        )
        for one in conversation[name]:
            turns.append(
                Turn(one["dia_id"], name, one["speaker"], said_at, one["text"])
            )
            said_at += _APART
        number += 1
    return turns


def load_longmemeval(folder: Path, half: Half) -> Iterator[Talk]:
    """Yield one talk: the evidence turns of all questions of the half, pooled."""
    turns: list[Turn] = []
    questions = []
    for one in _read(folder / "longmemeval" / "evidence_turns_half.json"):
        if _bit(one["question_id"]) != (half == "score"):
            continue
        sides = []
        sessions = sorted(one["evidence_sessions"], key=_parse_session_date)
        for place, session in enumerate(sessions):
            added = _read_session(one["question_id"], place, session)
            turns += added
            sides.append(frozenset(turn.id for turn in added))
        is_update = one["question_type"] == "knowledge-update"
        if sides:
            questions.append(
                Question(
                    one["question"],
                    tuple(sides),
                    is_update and len(sides) > 1,
                )
            )
    turns.sort(key=lambda turn: turn.said_at)
    yield Talk("pool", turns, questions, is_pool=True)


def _read_session(
    question: str, place: int, session: dict[str, Any]
) -> list[Turn]:
    name = f"{question}/{place}"
    said_at = _parse_session_date(session)
    return [
        Turn(
            f"{name}/{number}",
            name,
            turn["role"],
            said_at + number * _APART,
            turn["content"],
        )
        for number, turn in enumerate(session["turns"])
    ]


def _parse_session_date(session: dict[str, Any]) -> datetime:
    day, _, hour = session["date"].split()
    return _parse(f"{day} {hour}", "%Y/%m/%d %H:%M")


def load_beam(folder: Path, half: Half) -> Iterator[Talk]:
    """Yield BEAM's chats with their contradictions and updates; the person's turns are told."""
    for chat in sorted((folder / "beam").glob("*/*/chat.json")):
        if (int(chat.parent.name) % 2 == 0) != (half == "score"):
            continue
        turns = list(_read_beam_turns(_read(chat)))
        known = {turn.id for turn in turns}
        probing = _read(
            chat.parent / "probing_questions/probing_questions.json"
        )
        questions = []
        for kind, names in _BEAM_SIDES.items():
            for one in probing[kind]:
                sides = tuple(
                    frozenset(map(str, one["source_chat_ids"][name])) & known
                    for name in names
                )
                if all(sides):
                    is_update = kind == "knowledge_update"
                    questions.append(
                        Question(one["question"], sides, is_update)
                    )
        yield Talk(f"chat {chat.parent.name}", turns, questions)


_BEAM_SIDES = {
    "contradiction_resolution": ("first_statement", "second_statement"),
    "knowledge_update": ("original_info", "updated_info"),
}


def _read_beam_turns(batches: Sequence[dict[str, Any]]) -> Iterator[Turn]:
    said_at = datetime(2024, 1, 1, tzinfo=UTC)
    for batch in batches:
        session = str(batch["batch_number"])
        for turn in [turn for group in batch["turns"] for turn in group]:
            if turn.get("time_anchor"):
                anchor = _parse(turn["time_anchor"], "%B-%d-%Y")
                said_at = max(said_at, anchor)
            said_at += _APART
            if turn["role"] == "user":
                text = turn["content"].partition("->->")[0].strip()
                yield Turn(str(turn["id"]), session, "me", said_at, text)


def load_memops(folder: Path, half: Half) -> Iterator[Talk]:
    """Yield MemOps' scenarios, all of their turns told; the evidence is what the set quotes."""
    for path in sorted((folder / "memops").glob("*.json")):
        family = int(path.name[1:3])
        if (family % 2 == 0) != (half == "score"):
            continue
        scene = _read(path)
        turns = [
            Turn(
                f"{session['segment_index']}:{number}",
                str(session["segment_index"]),
                one["role"],
                datetime(2026, 1, session["segment_index"], 18, tzinfo=UTC)
                + number * _APART,
                one["content"],
            )
            for session in scene["conversations"]
            for number, one in enumerate(session["dialogue"], 1)
        ]
        questions = []
        for one in scene["answer"]:
            evidence = frozenset(
                f"{span['segment_index']}:{span['turn_index']}"
                for span in one["gold_provenance"]
            )
            if evidence:
                questions.append(Question(one["question"], (evidence,)))
        yield Talk(path.stem, turns, questions)


def load_facts(folder: Path, half: Half) -> Iterator[Talk]:
    """Yield FactConsolidation's facts, one told an hour, all in `dev`; a question for each that
    another replaces, in the words of the fact.
    """
    if half == "score":
        return
    facts = _read(folder / "factconsolidation/factconsolidation_6k_facts.json")
    began = datetime(2026, 1, 1, tzinfo=UTC)
    turns = []
    told: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for number, fact in enumerate(facts):
        at = began + timedelta(hours=number)
        name = str(fact["serial"])
        session = str(number // _FACTS_A_NIGHT)
        turns.append(Turn(name, session, "me", at, fact["text"]))
        key = fact["relation_id"], fact["subject"]
        told.setdefault(key, []).append(fact)
    questions = []
    for some in told.values():
        first, last = some[0], some[-1]
        if first["object"] == last["object"]:
            continue
        asked = last["text"].rstrip(".").replace(last["object"], "").strip()
        sides = [frozenset((str(one["serial"]),)) for one in (first, last)]
        text = f"What is it that {asked}?"
        questions.append(Question(text, tuple(sides), is_update=True))
    yield Talk("facts", turns, questions)


def _parse(text: str, form: str) -> datetime:
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def _bit(text: str) -> bool:
    return bool(hashlib.sha256(text.encode()).digest()[0] & 1)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


SETS: dict[str, Callable[[Path, Half], Iterator[Talk]]] = {
    "locomo": load_locomo,
    "longmemeval": load_longmemeval,
    "beam": load_beam,
    "memops": load_memops,
    "facts": load_facts,
}
