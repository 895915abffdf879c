"""Tell whether a person took lines out of a page that two machines wrote. Pure."""

from collections.abc import Sequence

from companion.adoption.merges.unite_facts import list_lines_of_person
from companion.pages.merge_sides import merge_sides
from companion.pages.statements import bare_lines
from companion.runs.parallel_texts import ParallelTexts


def lacks_shared(text: str, tips: Sequence[str]) -> bool:
    """Tell whether *text* lacks a line that the person had on all machines: they took it out."""
    shared = set.intersection(*map(list_lines_of_person, tips))
    return not shared <= set(bare_lines(text))


def lacks_merged(text: str, parallel: ParallelTexts) -> bool:
    """Tell whether *text* lacks a line of the person that every merge of all machines leaves there.

    Where two changed the same, a merge may have left out either.
    """
    merged = parallel.tips[0]
    for tip in parallel.tips[1:]:
        united = merge_sides(parallel.base, merged, tip)
        if united is None or united.both or not parallel.base:
            return False
        merged = united.text
    told = set().union(*map(list_lines_of_person, parallel.tips))
    left = told & list_lines_of_person(merged)
    return not left <= set(bare_lines(text))
