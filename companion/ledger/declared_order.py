"""The order in which a source numbers its own statements (LED-10).

A source that numbers what it states, "7. …", "12. …", says which is the later one, whenever each of
them arrives. Numbers of two notes tell that only where the notes do not count the same numbers: a
list that begins at 1 again says nothing about an older list. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from companion.values.claims import Assertion, Declared

_Numbered = list[tuple[Declared, Assertion]]


def list_outnumbered(assertions: Sequence[Assertion]) -> Mapping[str, str]:
    """Return the assertions on one key that a later statement of their source replaces, with the
    reason.

    Time goes before numbers: what was said to be so since some time competes only with what became
    so at the same instant.
    """
    outnumbered: dict[str, str] = {}
    for group in _group_comparable(assertions):
        if not _is_one_numbering(group):
            continue
        highest = max(declared.number for declared, _ in group)
        for declared, a in group:
            if declared.number < highest:
                outnumbered[a.id] = (
                    f"number {declared.number} of its source, "
                    f"and number {highest} says otherwise"
                )
    return outnumbered


def _group_comparable(assertions: Iterable[Assertion]) -> list[_Numbered]:
    """Return the numbered assertions of each voice that only their numbers put in order."""
    groups: dict[tuple[tuple[str, str], str], _Numbered] = {}
    for a in assertions:
        if a.declared is not None:
            since = a.valid_from if a.stated or a.given else ""
            group = groups.setdefault((a.voice, since), [])
            group.append((a.declared, a))
    return [group for group in groups.values() if len(group) > 1]


def _is_one_numbering(group: _Numbered) -> bool:
    """Tell whether no two notes of *group* count the same numbers."""
    ranges = sorted(
        {
            (declared.first, declared.last, declared.note)
            for declared, _ in group
        }
    )
    return all(before[1] < after[0] for before, after in pairwise(ranges))
