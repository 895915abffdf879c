"""`python -m tests.bench notebook [--half score]`, second part: notes of some months with a night
behind each day, and questions whose answers changed on the way.

Ten courses were worked on, five were shut. A value that gave way is a wrong answer; where values
that differ are given together, one of them right, both sides are shown.
"""

import tempfile
import tomllib
from collections import Counter
from pathlib import Path

from tests.bench.notebook.run import (
    FOLDER,
    Asked,
    Outcome,
    has_one,
    judge,
    run_json,
)

COURSES = {
    "dev": (
        "narrowboat",
        "mixed",
        "repaircafe",
        "tanzschule",
        "terrace",
        "praxis",
        "elektrobetrieb",
        "bandbus",
        "imbisswagen",
        "villageshop",
    ),
    "score": ("ringers", "kleingarten", "kletterclub", "nightshift", "aupair"),
}


def courses(half: str) -> None:
    """Print the totals of each course, and each answer of the half worked on."""
    for name in COURSES[half]:
        outcomes = live(name)
        if half == "dev":
            for one in outcomes:
                print(f"  {one.verdict:8} {one.question}  [{one.given}]")
        counts = Counter(one.verdict for one in outcomes)
        totals = ", ".join(f"{kind} {n}" for kind, n in counts.most_common())
        print(f"{name}: {totals}", flush=True)


def live(name: str) -> list[Outcome]:
    """Return what became of each question of the course *name* after its last night."""
    book = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    days = book["day"]
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        root = Path(folder) / "wiki"
        run_json(f"{days[0]['date']}T07:00:00Z", "init", str(root))
        for day in days:
            for minute, words in enumerate(day["notes"]):
                at = f"{day['date']}T09:{minute:02}:00Z"
                run_json(at, "ingest", words, "-C", str(root))
            night = f"{day['date']}T22:00:00Z"
            run_json(night, "consolidate", "-C", str(root))
        asked_at = f"{days[-1]['date']}T22:30:00Z"
        return [_ask(root, asked_at, one) for one in book["question"]]


def _ask(root: Path, at: str, question: dict[str, list[str] | str]) -> Outcome:
    asked = Asked(str(question["asks"]), tuple(question["right"]), "")
    done = run_json(at, "ask", asked.question, "-C", str(root))
    values = [each["value"] for each in done["answers"]]
    shown = sorted(done["passages"], key=lambda one: not one["of_subject"])
    texts = [each["text"] for each in shown]
    verdict = judge(asked, values, texts)
    if verdict == "right" and not all(
        has_one(value, asked.right) for value in values
    ):
        verdict = "both"
    given = " / ".join(values) or " | ".join(texts[:1])
    return Outcome(asked.question, verdict, given)
