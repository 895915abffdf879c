"""What the judged relations of a capture come to: consistency, in [0, 1], with its reason (MaM
§5.5, phases 1 and 2).

Consistency is 1 less the contradiction cost. Three findings are told apart: *opposition* costs what
it is sure of; a *later value*, told with a later time of its own or stated as a change ("moved to",
"no longer"), is an update and costs nothing; one without either may be an update or not, and costs
half, which is mid at worst. Inside the buffer nobody is the incumbent: a contradiction there costs
half, too. An answer of a person outweighs the judge's.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from companion.comparison import cohesion
from companion.comparison.cohesion import Cohesion
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


class Standing(NamedTuple):
    """A capture against everything it was compared with."""

    consistency: float
    against: Judged | None  # what speaks against it most
    words: str  # for the reason; empty when nothing was judged


CLEAR = Standing(1.0, None, "")


class Page(NamedTuple):
    """A page of the wiki or of a branch."""

    entry: str
    path: str


class Related(NamedTuple):
    """How a capture stands to a page; entry and path are None while the other side has no page."""

    kind: Kind
    entry: str | None
    path: str | None


def measure_standing(judged: Sequence[Judged]) -> Standing:
    """Return where a capture stands, by the relation that speaks against it most."""
    if not judged:
        return CLEAR
    worst = max(
        judged,
        key=lambda each: (
            contradiction_cost(each),
            each.phase,
            each.other,
            each.key,
        ),
    )
    price = contradiction_cost(worst)
    return Standing(
        round(1.0 - price, 6),
        worst if price else None,
        _words(judged, worst, price),
    )


def flag_id(key: str, entry: str) -> str:
    """Return the name of a question for `review`: the same question has the same name on every
    machine.
    """
    return hashlib.sha256(f"{key} {entry}".encode()).hexdigest()[:12]


def contradiction_cost(judged: Judged) -> float:
    """Return the contradiction cost of one relation, in [0, 1]."""
    relation = judged.relation
    if judged.answer in ("accept", "prefer-new", "merge"):
        return 0.0
    if judged.answer in ("reject", "prefer-old"):
        return 1.0
    if relation.label != "contradicts" or judged.changed:
        return 0.0
    price = max(relation.opposition, relation.update)
    if relation.update >= CHANGED:
        price = 0.0 if judged.later else price * HALF
    return round(min(1.0, price) * (HALF if judged.phase == 1 else 1.0), 6)


def is_update(judged: Judged) -> bool:
    """Tell whether a relation is a knowledge update: a later value told with a later time, or a
    change in words.
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
    return sorted(
        found, key=lambda each: (each.kind, each.path or "", each.entry or "")
    )


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
    return label if label in ("supports", "same") else None


def _related(kind: Kind, judged: Judged, pages: Mapping[str, Page]) -> Related:
    if judged.phase == 2:
        return Related(kind, judged.other, judged.path or None)
    page = pages.get(judged.other)
    if page is None:
        return Related(kind, None, None)
    return Related(kind, page.entry, page.path)


def _words(judged: Sequence[Judged], worst: Judged, price: float) -> str:
    support = len(
        {
            each.other
            for each in judged
            if each.relation.label in ("same", "supports")
        }
    )
    updates = sorted(
        {each.path or each.other[:8] for each in judged if is_update(each)}
    )
    others = {each.other for each in judged}
    said = [f"compared with {many(len(others), 'text')}"]
    if support:
        said.append(f"{support} say the same or support it")
    if updates:
        said.append(f"it has a later value than {', '.join(updates)}")
    if price:
        why = (
            f"a person answered {worst.answer}"
            if worst.answer
            else worst.relation.reason
        )
        said.append(
            f"it contradicts {worst.path or worst.other[:8]} (cost {price:.2f}: {why})"
        )
    return "; ".join(said)


def place_again(
    judged: Sequence[Judged], voices: int, friction: float = 1.0
) -> tuple[Cohesion, str]:
    """Return where a page in quarantine stands now against *friction*, 1 or more, and why (CON-12).

    What two *voices* say is no lone contradiction any more: as inside the buffer, nobody is the
    incumbent between them and the wiki, and it costs half. That is mid at best, and the question
    stays.
    """
    stood = measure_standing(judged)
    against = (
        "nothing contradicts it any more"
        if stood.against is None
        else stood.words
    )
    if stood.against is None or voices < 2:
        return cohesion.place_score(stood.consistency / friction), against
    place = cohesion.place_score(
        (1.0 - (1.0 - stood.consistency) * HALF) / friction
    )
    return (
        place,
        f"{against}; {voices} sources say it, so the contradiction costs half",
    )


def place_answered(
    relation: Relation, answer: Choice, phase: int, friction: float = 1.0
) -> tuple[Cohesion, str]:
    """Return where a capture stands once a person has answered; their answer outweighs the judge,
    and no friction.
    """
    judged = Judged("", "", phase, relation, "", False, answer)
    place = cohesion.place_score((1.0 - contradiction_cost(judged)) / friction)
    return (
        place,
        f"The answer is {answer}; the judge had said {relation.label}. "
        f"(cohesion {place.score:.2f} ({place.bucket}))",
    )
