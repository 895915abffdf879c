"""`python -m tests.bench evidence --data DIR`: what `ask` shows where no claim answers.

DIR holds the folder `locomo`. A conversation is one wiki; each turn is a note of its speaker, at the
time of its session. A question finds its evidence if one of the turns that its makers name is among
the passages. A question that claims answer shows none; right is an answer that shares half of the
shorter one's words with the makers'.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from companion.answers.ask import ask
from companion.values.captures import Draft
from tests.bench.life import Life, closest, life, share

_ADVERSARIAL = 5  # the category of questions about what nobody said
SHORT = 12  # letters of a sentence that is too short to be told from others


def evidence(data: Path) -> list[Counter[str]]:
    """Print and return, for each conversation, how often the evidence is shown, and what claims
    answer.
    """
    conversations = []
    path = data / "locomo" / "locomo_3.json"
    for number, sample in enumerate(json.loads(path.read_text("utf-8"))):
        turns = list(_list_turns(sample["conversation"]))
        with life("2024-06-01T08:00:00.000000Z") as home:
            home.tell_all([draft for _, draft in turns])
            home.night()
            # lookup by meaning knows a page from the night after the one that made it
            home.at("2024-06-02T08:00:00.000000Z")
            home.tell_all([Draft("The bins go out on Friday.")])
            home.night()
            words = {id: make_plain(draft.text) for id, draft in turns}
            found = _ask(home, sample["qa"], words)
        asked = found["asked"]
        print(
            f"{number}: evidence shown {share(found['shown'], asked)}, "
            f"{found['passages'] / asked:.1f} passages a question, "
            f"claims answer {found['right']} right and {found['wrong']} wrong"
        )
        conversations.append(found)
    return conversations


def _list_turns(conversation: dict[str, Any]) -> Iterator[tuple[str, Draft]]:
    """Yield the id and the note of each turn, in their order."""
    number = 1
    while f"session_{number}" in conversation:
        said = conversation[f"session_{number}_date_time"]
        when = datetime.strptime(f"{said} +0000", "%I:%M %p on %d %B, %Y %z")
        told = when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        for turn in conversation[f"session_{number}"]:
            draft = Draft(
                turn["text"],
                event_time=told,
                channel="lines",
                source=turn["speaker"],
            )
            yield turn["dia_id"], draft
        number += 1


def _ask(
    home: Life, questions: Sequence[dict[str, Any]], words: dict[str, str]
) -> Counter[str]:
    """Return what became of the questions whose evidence is among the turns."""
    found = Counter[str]()
    for one in questions:
        named = [words[id] for id in one.get("evidence", ()) if id in words]
        if not named:
            continue
        found["asked"] += 1
        answer = ask(home.ws, one["question"], as_of=None, budget=1000)
        if answer["known"]:
            values = [each["value"] for each in answer["answers"]]
            found["right" if _is_right(one, values) else "wrong"] += 1
        shown = [passage["text"] for passage in answer["passages"]]
        found["passages"] += len(shown)
        found["shown"] += any(shows(text, named) for text in shown)
    return found


def _is_right(question: dict[str, Any], values: Sequence[str]) -> bool:
    if question["category"] == _ADVERSARIAL:
        return False
    gold = str(question["answer"])
    if any(_says_day(value, gold) for value in values):
        return True
    return closest(gold, values) is not None


def _says_day(value: str, gold: str) -> bool:
    """Tell whether *gold* says the day or the month of *value*: "2023-07-02" is "2 July 2023"."""
    is_month = re.fullmatch(r"\d{4}-\d\d", value) is not None
    try:
        day = date.fromisoformat(f"{value}-01" if is_month else value)
    except ValueError:
        return False
    said = day.strftime("%B %Y" if is_month else "%-d %B %Y")
    return said in gold.replace(",", "")


def shows(passage: str, turns: Sequence[str]) -> bool:
    """Tell whether *passage*, which may be cut at either end, is of one of *turns*."""
    parts = [make_plain(part) for part in passage.split("\u2026")]
    long = [part for part in parts if len(part) >= SHORT] or [
        make_plain(passage)
    ]
    return any(part in turn for part in long for turn in turns)


def make_plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
