"""Find what tonight's captures contradict: a page, or one statement on it (CON-17)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import Judged, contradiction_cost
from companion.comparison.evidence import Evidence
from companion.comparison.pending import PendingCapture, requested_title
from companion.minority.contested.contested_pages import ContestedPages
from companion.minority.contested.contests import note_statement
from companion.minority.wordings import COMPARED
from companion.routing.watch_signals import SignalWatch
from companion.values.relations import Statement
from companion.values.wording import without_frontmatter


class Contradiction(NamedTuple):
    """The belief that a capture contradicts, and the answer that says so."""

    belief: str  # the name of the entry, or of one statement on its page
    judged: Judged


def find_contradictions(
    pending: Mapping[str, PendingCapture],
    contents: Mapping[str, bytes],
    pages: ContestedPages,
    evidence: Evidence,
    watch: SignalWatch,
) -> dict[str, Sequence[Contradiction]]:
    """Return what the *pending* captures contradict, without what repeats a flagged note."""
    contradictions: dict[str, Sequence[Contradiction]] = {}
    for capture, told in pending.items():
        text = contents[capture].decode("utf-8", "replace")
        costly = [
            one
            for one in list_costly(evidence.judged.get(capture, ()))
            if not watch.is_reinforced(one.other, capture, text)
        ]
        if costly:
            title = requested_title(told)
            note = note_statement(without_frontmatter(text)[:COMPARED], title)
            contradictions[capture] = _name_contradicted(pages, costly, note)
    return contradictions


def list_costly(judged: Sequence[Judged]) -> list[Judged]:
    """Return the contradictions of pages that cost more than a capture of high cohesion may, the
    dearest first.
    """
    costly = []
    for one in judged:
        cost = contradiction_cost(one)
        if one.phase == 2 and place_score(1.0 - cost).bucket != "high":
            costly.append((-cost, one.other, one.key, one))
    costly.sort(key=lambda item: item[:3])
    return [one for *_, one in costly]


def _name_contradicted(
    pages: ContestedPages, costly: Sequence[Judged], note: Statement
) -> list[Contradiction]:
    """Return the contradictions *costly* of a *note*, the dearest of each belief."""
    dearest: dict[str, Contradiction] = {}
    for one in costly:
        belief = pages.find_contradicted(one.other, one.statement, note)
        dearest.setdefault(belief, Contradiction(belief, one))
    return list(dearest.values())
