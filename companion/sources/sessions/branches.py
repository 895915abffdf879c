"""Branches of a log that grows at its end: which of them a person left."""

from collections.abc import Iterable

Node = tuple[
    str, str, bool
]  # id, id of its parent, whether the person typed it


def find_abandoned(nodes: Iterable[Node]) -> frozenset[str]:
    """Return the ids of all nodes in branches that were left.

    A branch was left where the person typed something and then went back: what they typed has a
    younger sibling that they typed as well. Whatever else branches off is kept: results of tools
    that ran side by side, notes of the program.
    """
    listed = list(nodes)
    last: dict[str, str] = {}  # parent -> the last child that the person typed
    for id, parent, typed in listed:
        if typed and parent:
            last[parent] = id
    abandoned: set[str] = set()
    for id, parent, typed in listed:
        # a parent stands before its children
        left = typed and parent in last and last[parent] != id
        if left or parent in abandoned:
            abandoned.add(id)
    return frozenset(abandoned)
