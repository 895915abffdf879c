"""Pages of one basename: every machine renames the same one, once, to a name that is free."""

import posixpath
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from companion.operations.consolidate import same_names
from companion.operations.consolidate.same_names import Move, Namesake
from companion.pages import links

NAMES = ("oat-milk", "oat-milk-2", "tea", "Tea")


@st.composite
def pages(draw: Callable[..., str]) -> list[Namesake]:
    number = draw(st.integers(0, 6))
    return [
        Namesake(
            f"id{n}",
            f"entries/2026/{n:02}/{draw(st.sampled_from(NAMES))}.md",
            f"blob{n}",
            (draw(st.sampled_from("ab")), draw(st.sampled_from("xyz"))),
            draw(st.booleans()),
        )
        for n in range(number)
    ]


def after(found: list[Namesake], moves: list[Move]) -> list[str]:
    to = {move.entry: move.to for move in moves}
    return [links.key(to.get(page.entry, page.path)) for page in found]


@given(pages(), st.randoms())
def test_the_outcome_is_the_same_on_every_machine_and_leaves_no_name_twice(
    found, shuffler
) -> None:  # type: ignore[no-untyped-def]
    taken = {links.key(page.path) for page in found}.__contains__
    moves = same_names.plan_moves(found, taken)
    shuffled = list(found)
    shuffler.shuffle(shuffled)
    assert same_names.plan_moves(shuffled, taken) == moves
    assert all(
        posixpath.dirname(move.path) == posixpath.dirname(move.to)
        for move in moves
    )
    still = {page.entry for page in found} - {move.entry for move in moves}
    free = [page for page in found if page.movable and page.entry in still]
    firsts = {}
    for page in sorted(found, key=lambda page: (page.made, page.entry)):
        firsts.setdefault(links.key(page.path), page.entry)
    assert all(firsts[links.key(page.path)] == page.entry for page in free), (
        "only the earliest keeps its name"
    )
    new = [links.key(move.to) for move in moves]
    assert len(set(new)) == len(new)
    assert not any(map(taken, new))


def test_the_reason_names_the_page_and_the_run_that_came_first() -> None:
    first = Namesake("a", "entries/2026/10/tea.md", "x", ("t1", "run-1"), True)
    later = Namesake("b", "entries/2026/11/tea.md", "y", ("t2", "run-2"), True)
    (move,) = same_names.plan_moves([later, first], {"tea"}.__contains__)
    assert (move.path, move.to) == (
        "entries/2026/11/tea.md",
        "entries/2026/11/tea (2).md",
    )
    assert (
        move.reason
        == "entries/2026/10/tea.md, made by the earlier run run-1, has the same name"
    )
    (line,) = same_names.make_move_lines([move])
    assert (line["e"], line["from"], line["path"], line["blob"]) == (
        "renamed",
        move.path,
        move.to,
        "y",
    )
