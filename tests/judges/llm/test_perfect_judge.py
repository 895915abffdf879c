"""With a judge that hears everything, a belief falls as the paper says (MaM §5.5): a real server on
loopback behind the door of language models, and the installed night.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.maintenance import switch_reasoner
from companion.reading.branches.branches import list_branches
from companion.values.captures import Draft
from tests.perfect_judge import (
    CONTRADICTS,
    MODEL,
    NEUTRAL,
    PerfectJudge,
    serve_judge,
)
from tests.wiki import Wiki

BELIEF = "# Sourdough\n\nThe dough rests in the warm kitchen overnight."
DISSENTS = {
    "Baker": "What comes out of that is sour and flat; the fridge is where it belongs.",
    "Course": "Eight degrees and twenty hours, that is all a good loaf asks for.",
    "Neighbour": "Mine went over the rim twice, so now it stands in the cellar.",
    "Book": "Cold slows the yeast and not the taste, chapter four.",
}
BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def hears_all(earlier: str, later: str) -> dict[str, Any]:
    """What speaks against the warm kitchen contradicts whatever says it."""
    against = any(words in later for words in DISSENTS.values())
    return CONTRADICTS if against and "warm kitchen" in earlier else NEUTRAL


def tell(wiki: Wiki, text: str, source: str) -> None:
    from companion.operations.triage import capture

    done = capture.ingest(wiki.ws, [Draft(text, source=source)])
    assert not done["refused"]


def live(wiki: Wiki, judge: PerfectJudge) -> list[int]:
    """Tell the belief and what rests on it, then one dissent a week; return the calls a night."""
    wiki.init()
    switch_reasoner.use(wiki.ws, f"llm:{MODEL}")
    tell(wiki, BELIEF, "Kitchen book")
    for n in range(34):
        link = "[[Sourdough]] " if n < 9 else ""
        tell(
            wiki, f"# Recipe {n}\n\n{link}Page {n} of the tin.", "Kitchen book"
        )
    wiki.consolidate()
    calls = []
    for week, (source, words) in enumerate(DISSENTS.items(), 1):
        wiki.now = BEGUN + timedelta(weeks=week)
        before = len(judge.prompts)
        tell(wiki, f"Sourdough: {words}", source)
        wiki.consolidate()
        calls.append(len(judge.prompts) - before)
    return calls


def test_a_belief_that_independent_voices_contest_falls_within_weeks(
    tmp_path: Path,
) -> None:
    with serve_judge(hears_all, tmp_path / "llm") as judge:
        wiki = Wiki(tmp_path / "wiki", BEGUN)
        wiki.root.mkdir()
        calls = live(wiki, judge)

        (branch,) = list_branches(wiki.ws)["branches"]
        assert branch["incumbent"]["title"] == "Sourdough"
        assert branch["state"] == "promoted"
        assert 2 <= branch["cycles_open"] <= 6
        assert max(calls) == 1  # one prompt a note, whatever it is held against
        # the verdicts are in the log: the same night again asks nothing
        before = len(judge.prompts)
        wiki.consolidate(again=True)
        assert len(judge.prompts) == before
