"""Measure how consistent a capture is with what it was compared with, in [0, 1], and say why (MaM
§5.5, phases 1 and 2).

Consistency is 1 less the contradiction cost, which weighs by the gravity of the page it meets.
Three findings are told apart: *opposition* costs what it is sure of; a *later value*, told with a
later time of its own or stated as a change ("moved to", "no longer"), is an update and costs
nothing; one without either may be an update or not, and costs half, which is mid at worst against a
page without gravity. Inside the buffer nobody is the incumbent: a contradiction there costs half,
too. An answer of a person outweighs the judge's.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from companion.comparison.alignment import weigh_cost
from companion.comparison.cohesion import Cohesion, place_score
from companion.tuples import NamedTuple
from companion.values import hashing
from companion.values.relations import Relation
from companion.values.wording import many

Choice = Literal["accept", "reject", "prefer-new", "prefer-old", "merge"]
Kind = Literal["contradicts", "updates", "supports", "same"]

CHANGED = 0.5  # from here an update is one
HALF = 0.5


class Judged(NamedTuple):
    """One judged pair, from the capture's side."""

    capture: str
    other: str  # an entry's id or a capture's
    phase: int  # 1: another capture, 2: the wiki
    relation: Relation
    key: str  # the verdict's
    # the capture has an event time of its own, after that of the other side
    later: bool
    answer: Choice | None = None  # what a person said about this pair
    path: str = ""  # the other side's, where it is a page
    # the capture's own words state a change of what the other side speaks of
    changed: bool = False
    # the capture whose statement on the page `other` is meant; None: the page as a whole
    statement: str | None = None
    name: str = ""  # what sentences call that statement: "Anna (2026-03-02)"
    # effective gravity of the page that a doubt meets, in [0, 1]
    gravity: float = 0.0

    @property
    def other_name(self) -> str:
        """The other side's name in sentences: a statement's, else a page's; empty for a capture."""
        return self.name or self.path

    def name_other(self) -> dict[str, str]:
        """Return the fields of ledger lines that say what the other side is."""
        if self.statement is None:
            return {"other": self.other}
        return {"other": self.other, "statement": self.statement}


class Standing(NamedTuple):
    """How a capture stands to everything it was compared with."""

    consistency: float
    against: Judged | None  # what speaks against it most
    words: str  # for the reason; empty when nothing was judged
    warning: str = ""  # why it meets more friction than others, in a sentence


CLEAR = Standing(1.0, None, "")


class Page(NamedTuple):
    """A page of the wiki or of a branch."""

    entry: str
    path: str


class Related(NamedTuple):
    """How a capture stands to a page; entry and path are None while the other side has no page.

    *capture* is the note of the other side, where one note is meant and not a page as a whole.
    """

    kind: Kind
    entry: str | None
    path: str | None
    capture: str | None


def measure_standing(judged: Sequence[Judged]) -> Standing:
    """Return how a capture stands, by the relation that speaks against it most."""
    if not judged:
        return CLEAR
    worst = max(
        judged,
        key=lambda one: (
            contradiction_cost(one),
            one.phase,
            one.other,
            one.key,
        ),
    )
    cost = contradiction_cost(worst)
    against = worst if cost else None
    return Standing(round(1.0 - cost, 6), against, _describe(judged, against))


def flag_id(key: str, entry: str) -> str:
    """Return the name of a question for `review`, the same on every machine."""
    digest = hashing.sha256()
    digest.update(f"{key} {entry}".encode())
    return str(digest.hexdigest()[:12])


def contradiction_cost(judged: Judged) -> float:
    """Return the contradiction cost of one relation, in [0, 1]."""
    relation = judged.relation
    if judged.answer in ("accept", "prefer-new", "merge"):
        return 0.0
    if judged.answer in ("reject", "prefer-old"):
        return 1.0
    if relation.label != "contradicts" or judged.changed:
        return 0.0
    cost = max(relation.opposition, relation.update)
    if relation.update >= CHANGED:
        if judged.later:
            return 0.0
        cost *= HALF
    cost = min(1.0, cost)
    if judged.phase == 1:
        return round(cost * HALF, 6)
    return weigh_cost(cost, judged.gravity)


def describe_cost(judged: Judged) -> str:
    """Return the contradiction cost of one relation in words, with the gravity that raised it."""
    words = f"cost {contradiction_cost(judged):.2f}"
    if judged.gravity:
        words += f" at gravity {judged.gravity:.2f}"
    return words


def is_update(judged: Judged) -> bool:
    """Tell whether a relation is a knowledge update.

    It is one if a later value was told with a later time, or if words state a change.
    """
    if judged.changed:
        return judged.relation.label == "contradicts"
    return judged.later and judged.relation.update >= CHANGED


def list_relations(
    judged: Sequence[Judged], pages: Mapping[str, Page]
) -> list[Related]:
    """Return how a capture stands to what it was compared with: each finding once, sorted.

    *pages* has the page that each capture of tonight became.
    """
    found: set[Related] = set()
    for each in judged:
        kind = find_kind(each)
        if kind is not None:
            found.add(_related(kind, each, pages))
    return sorted(found, key=_place_related)


def _place_related(related: Related) -> tuple[str, ...]:
    return tuple(part or "" for part in related)


def find_kind(judged: Judged) -> Kind | None:
    """Return the kind of one relation.

    None where the judge saw no relation or could not tell, and where a person settled a
    contradiction in favour of the capture.
    """
    if contradiction_cost(judged):
        return "contradicts"
    if is_update(judged):
        return "updates"
    label = judged.relation.label
    if label in ("supports", "same"):
        return label
    return None


def _related(kind: Kind, judged: Judged, pages: Mapping[str, Page]) -> Related:
    if judged.phase == 2:
        place = judged.path or None
        return Related(kind, judged.other, place, judged.statement)
    page = pages.get(judged.other)
    if page is None:
        return Related(kind, None, None, judged.other)
    return Related(kind, page.entry, page.path, judged.other)


def _describe(judged: Sequence[Judged], against: Judged | None) -> str:
    """Return what *judged* found, in words, with what speaks *against* the capture most."""
    findings = [f"compared with {many(_count_others(judged), 'text')}"]
    support = _count_others(
        one for one in judged if one.relation.label in ("same", "supports")
    )
    if support:
        findings.append(f"{support} say the same or support it")
    updated = {
        one.other_name or one.other[:8] for one in judged if is_update(one)
    }
    if updated:
        findings.append(
            f"it has a later value than {', '.join(sorted(updated))}"
        )
    if against is not None:
        findings.append(_describe_contradiction(against))
    return "; ".join(findings)


def _count_others(judged: Iterable[Judged]) -> int:
    return len({(one.other, one.statement) for one in judged})


def _describe_contradiction(against: Judged) -> str:
    why = against.relation.reason
    if against.answer:
        why = f"a person answered {against.answer}"
    other = against.other_name or against.other[:8]
    return f"it contradicts {other} ({describe_cost(against)}: {why})"


def place_again(
    judged: Sequence[Judged], voices: int, friction: float = 1.0
) -> tuple[Cohesion, str]:
    """Return where a page in quarantine stands now against *friction*, 1 or more, and why (CON-12).

    What two *voices* say is no lone contradiction any more: as inside the buffer, nobody is the
    incumbent between them and the wiki, and it costs half. That is mid at best, and the question
    stays.
    """
    standing = measure_standing(judged)
    consistency = standing.consistency
    why = standing.words
    if standing.against is None:
        why = "nothing contradicts it any more"
    elif voices >= 2:
        consistency = 1.0 - (1.0 - consistency) * HALF
        why += f"; {voices} sources say it, so the contradiction costs half"
    return place_score(consistency / friction), why


def place_answered(
    relation: Relation, answer: Choice, phase: int, friction: float = 1.0
) -> tuple[Cohesion, str]:
    """Return where a capture stands once a person has answered, and why.

    Their answer outweighs the judge, and no friction.
    """
    judged = Judged("", "", phase, relation, "", False, answer)
    place = place_score((1.0 - contradiction_cost(judged)) / friction)
    return (
        place,
        f"The answer is {answer}; the judge had said {relation.label}. "
        f"(cohesion {place.score:.2f} ({place.bucket}))",
    )
