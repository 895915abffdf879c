"""Minority branches: Traces 1 and 2 of the paper's appendix, and what holds whatever comes in."""

from companion.core import branches
from companion.core.branches import Branch, Challenger, Decision, Incumbent, Joined
from companion.core.clusters import Tie
from companion.core.pressure import Member

X = Incumbent("x", "the-spring", 0.9, 0.8, True)


def telling(capture: str, day: int, source: str = "") -> Member:
    when = f"2026-11-{day:02}T10:00:00.000000Z"
    return Member(capture, when, when, "", source or f"source of {capture}", "cli")


def challenger(
    capture: str, day: int, source: str = "", origin: branches.Origin = "tonight", against: str = "x"
) -> Challenger:
    return Challenger(capture, (against,), (telling(capture, day, source),), f"words of {capture} alone", origin)


def joined(decisions: tuple[Decision, ...], all_: dict[str, Challenger], cycle: int) -> list[Branch]:
    """Return the branches that these decisions leave open, as the index would know them."""
    return [
        Branch(
            each.branch, each.incumbent, cycle,
            tuple(Joined(c, cycle, all_[c].tellings, all_[c].text) for c in each.captures),
        )
        for each in decisions if each.action == "open"
    ]  # fmt: skip


def among(*captures: str, support: float = 0.9) -> list[Tie]:
    return [Tie(a, b, support, False, 0.0, "same") for a in captures for b in captures if a < b]


def now(day: int) -> str:
    return f"2026-11-{day:02}T22:00:00.000000Z"


def told(decisions: tuple[Decision, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.action, each.captures) for each in decisions]


def test_trace_1_a_cluster_opens_a_branch_and_wins_in_the_second_cycle() -> None:
    five = {f"e{n}": challenger(f"e{n}", n * 2) for n in range(1, 6)}
    ties = among("e1", "e2", "e3")
    first = branches.plan(five.values(), [], ties, {"x": X}, cycle=1, now=now(14))
    assert told(first) == [("open", ("e1", "e2", "e3")), ("extend", ("e4",)), ("extend", ("e5",))]

    two = {f"e{n}": challenger(f"e{n}", n + 9) for n in (6, 7)}
    waiting = [five[id]._replace(origin="extended") for id in ("e4", "e5")]
    ties = among("e1", "e2", "e3", "e6", "e7")
    second = branches.plan(
        [*two.values(), *waiting], joined(first, five, 1), ties, {"x": X}, cycle=2, now=now(17)
    )  # fmt: skip
    assert told(second) == [
        ("grow", ("e6", "e7")),
        ("extend", ("e4",)),
        ("extend", ("e5",)),
        ("promote", ("e1", "e2", "e3", "e6", "e7")),
    ]


def test_trace_2_a_lone_contradiction_opens_a_branch_and_waits() -> None:
    lone = {"e": challenger("e", 3)}
    first = branches.plan(lone.values(), [], [], {"x": X}, cycle=1, now=now(3))
    assert told(first) == [("open", ("e",))]
    assert branches.plan([], joined(first, lone, 1), [], {"x": X}, cycle=2, now=now(4))[0].action == "hold"
