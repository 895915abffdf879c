"""Minority branches: Traces 1 and 2 of the paper's appendix, and what holds whatever comes in."""

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.minority.challenge import (
    Challenger,
    Decision,
    Incumbent,
    JoinedCapture,
    OpenBranch,
    Origin,
)
from companion.minority.clusters import Tie
from companion.minority.plan import plan_branches
from companion.minority.pressure import Telling

X = Incumbent("x", "the-spring", 0.9, 0.8, True)


def telling(capture: str, day: int, source: str = "") -> Telling:
    when = f"2026-11-{day:02}T10:00:00.000000Z"
    return Telling(
        capture, when, when, "", source or f"source of {capture}", "cli"
    )


def own_words(capture: str) -> str:
    return " ".join(f"{capture}{n}" for n in range(6))


def challenger(
    capture: str,
    day: int,
    source: str = "",
    origin: Origin = "tonight",
    against: str = "x",
) -> Challenger:
    return Challenger(
        capture,
        (against,),
        (telling(capture, day, source),),
        own_words(capture),
        origin,
    )


def joined(
    decisions: tuple[Decision, ...], all_: dict[str, Challenger], cycle: int
) -> list[OpenBranch]:
    """Return the branches that these decisions leave open, as the index would know them."""
    return [
        OpenBranch(
            each.branch,
            each.incumbent,
            cycle,
            tuple(
                JoinedCapture(c, cycle, all_[c].tellings, all_[c].text)
                for c in each.captures
            ),
        )
        for each in decisions
        if each.action == "open"
    ]


def among(*captures: str, support: float = 0.9) -> list[Tie]:
    return [
        Tie(a, b, support, False, 0.0, "same")
        for a in captures
        for b in captures
        if a < b
    ]


def now(day: int) -> str:
    return f"2026-11-{day:02}T22:00:00.000000Z"


def told(decisions: tuple[Decision, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.action, each.captures) for each in decisions]


def test_trace_1_a_cluster_opens_a_branch_and_wins_in_the_second_cycle() -> (
    None
):
    five = {f"e{n}": challenger(f"e{n}", n * 2) for n in range(1, 6)}
    ties = among("e1", "e2", "e3")
    first = plan_branches(
        five.values(), [], ties, {"x": X}, cycle=1, now=now(14)
    )
    assert told(first) == [
        ("open", ("e1", "e2", "e3")),
        ("extend", ("e4",)),
        ("extend", ("e5",)),
    ]
    several = "Several sources contradict a protected entry."
    assert first[0].reason.startswith(several)

    two = {f"e{n}": challenger(f"e{n}", n + 9) for n in (6, 7)}
    waiting = [five[id]._replace(origin="extended") for id in ("e4", "e5")]
    ties = among("e1", "e2", "e3", "e6", "e7")
    second = plan_branches(
        [*two.values(), *waiting],
        joined(first, five, 1),
        ties,
        {"x": X},
        cycle=2,
        now=now(17),
    )
    assert told(second) == [
        ("grow", ("e6", "e7")),
        ("extend", ("e4",)),
        ("extend", ("e5",)),
        ("promote", ("e1", "e2", "e3", "e6", "e7")),
    ]


def test_trace_2_a_lone_contradiction_opens_a_branch_and_waits() -> None:
    lone = {"e": challenger("e", 3)}
    first = plan_branches(lone.values(), [], [], {"x": X}, cycle=1, now=now(3))
    assert told(first) == [("open", ("e",))]
    assert first[0].reason.startswith("One source contradicts a protected")
    assert (
        plan_branches(
            [], joined(first, lone, 1), [], {"x": X}, cycle=2, now=now(4)
        )[0].action
        == "hold"
    )


def test_beside_an_open_cluster_what_waited_waits_and_what_is_new_opens() -> (
    None
):
    two = {f"e{n}": challenger(f"e{n}", n) for n in (1, 2)}
    ties = among("e1", "e2")
    first = plan_branches(two.values(), [], ties, {"x": X}, cycle=1, now=now(2))
    assert told(first) == [("open", ("e1", "e2"))]
    standing = joined(first, two, 1)

    def becomes(origin: Origin) -> list[str]:
        lone = challenger("f", 3)._replace(origin=origin)
        second = plan_branches(
            [lone], standing, ties, {"x": X}, cycle=2, now=now(3)
        )
        return [one.action for one in second if one.captures == ("f",)]

    assert becomes("tonight") == ["open"]
    assert becomes("extended") == ["extend"]
    assert becomes("quarantine") == []


# -- laws ------------------------------------------------------------------------------------------


@st.composite
def nights(
    draw: st.DrawFn,
) -> tuple[list[Challenger], list[OpenBranch], list[Tie], dict[str, Incumbent]]:
    """Draw one cycle: open branches, captures outside them, ties among all, and two incumbents."""
    incumbents = {
        id: Incumbent(
            id,
            f"page-{id}",
            draw(st.floats(0, 1)),
            draw(st.floats(0, 1)),
            draw(st.booleans()),
        )
        for id in ("x", "y")
    }
    against = st.sampled_from([("x",), ("y",), ("x", "y"), ()])
    days = st.integers(1, 28)
    loose = [
        challenger(f"c{n}", draw(days), draw(sources), draw(origins))._replace(
            incumbents=draw(against)
        )
        for n in range(draw(st.integers(0, 6)))
    ]
    opened = [
        OpenBranch(
            f"b{n}",
            draw(st.sampled_from(["x", "y"])),
            draw(st.integers(1, 3)),
            tuple(
                JoinedCapture(
                    id,
                    draw(st.integers(1, 3)),
                    (telling(id, draw(days), draw(sources)),),
                    id,
                )
                for id in (f"m{n}{k}" for k in range(draw(st.integers(1, 4))))
            ),
        )
        for n in range(draw(st.integers(0, 3)))
    ]
    everybody = [each.capture for each in loose] + [
        m.capture for branch in opened for m in branch.members
    ]
    ties = []
    for n, one in enumerate(everybody):
        for other in everybody[n + 1 :]:
            kind = draw(st.sampled_from(["none", "none", "support", "rival"]))
            if kind != "none":
                a, b = sorted((one, other))
                ties.append(
                    Tie(
                        a,
                        b,
                        0.9 * (kind == "support"),
                        kind == "rival",
                        0.0,
                        kind,
                    )
                )
    return loose, opened, ties, incumbents


sources = st.sampled_from(["", "s1", "s2", "s3", "s4"])
origins: st.SearchStrategy[Origin] = st.sampled_from(
    ["tonight", "extended", "quarantine"]
)
Night = tuple[
    list[Challenger], list[OpenBranch], list[Tie], dict[str, Incumbent]
]


def decide(night: Night, cycle: int = 4) -> tuple[Decision, ...]:
    loose, opened, ties, incumbents = night
    return plan_branches(
        loose, opened, ties, incumbents, cycle=cycle, now=now(28)
    )


@given(nights(), st.randoms())
def test_the_order_in_which_anything_is_handed_in_does_not_matter(
    night: Night, chance: random.Random
) -> None:
    loose, opened, ties, incumbents = night
    said = decide(night)
    for some in (loose, opened, ties):
        chance.shuffle(some)
    assert decide((loose, opened, ties, incumbents)) == said


@given(nights())
def test_no_capture_is_lost_and_none_is_in_two_places(night: Night) -> None:
    loose, _, _, incumbents = night
    moved = [
        c
        for each in decide(night)
        if each.action in ("open", "grow", "extend")
        for c in each.captures
    ]
    assert len(moved) == len(set(moved))
    for each in loose:
        protected = any(incumbents[id].protected for id in each.incumbents)
        if protected and each.origin != "quarantine":
            assert each.capture in moved


@given(nights())
def test_every_branch_is_answered_for_and_none_is_closed(night: Night) -> None:
    _, opened, _, _ = night
    said = [
        each.branch
        for each in decide(night)
        if each.action in ("hold", "promote", "follow")
    ]
    assert sorted(said) == sorted(branch.name for branch in opened)


@given(nights(), st.integers(1, 5))
def test_no_cycle_promotes_what_it_opened_nor_what_came_in_one_cycle(
    night: Night, cycle: int
) -> None:
    _, opened, _, _ = night
    born = {branch.name: branch for branch in opened}
    for each in decide(night, cycle):
        if each.action == "promote" and not each.after:
            assert born[each.branch].opened < cycle
            assert each.pressure is not None and each.threshold is not None
            assert each.pressure.value > each.threshold.value


@given(nights())
def test_one_position_wins_on_an_incumbent_and_the_rest_follow_it(
    night: Night,
) -> None:
    said = decide(night)
    for incumbent in ("x", "y"):
        won = [
            each
            for each in said
            if each.incumbent == incumbent and each.action == "promote"
        ]
        heads = [each.branch for each in won if not each.after]
        assert len(heads) <= 1
        assert all(
            each.after in heads
            for each in said
            if each.incumbent == incumbent
            and each.after
            and each.action != "hold"
        )
        held = [
            each
            for each in said
            if each.incumbent == incumbent and each.action == "hold"
        ]
        assert not (won and held)


@given(nights())
def test_what_grows_a_branch_supports_it_and_rivals_nobody_in_it(
    night: Night,
) -> None:
    _, opened, ties, _ = night
    members = {
        branch.name: {m.capture for m in branch.members} for branch in opened
    }
    for each in decide(night):
        if each.action == "grow":
            together = members[each.branch] | set(each.captures)
            new_rivals = [
                t
                for t in ties
                if t.rival
                and {t.one, t.other} <= together
                and {t.one, t.other} - members[each.branch]
            ]
            assert not new_rivals
            assert any(
                t.support and t.one in together and t.other in together
                for t in ties
            )


@given(nights())
def test_every_decision_says_why_in_one_line(night: Night) -> None:
    for each in decide(night):
        assert each.reason
        assert "\n" not in each.reason


# -- cases -----------------------------------------------------------------------------------------


def test_a_lone_contradiction_joins_the_branch_it_supports() -> None:
    lone = {"e": challenger("e", 3)}
    opened = joined(
        plan_branches(lone.values(), [], [], {"x": X}, cycle=1, now=now(3)),
        lone,
        1,
    )
    said = plan_branches(
        [challenger("f", 5)],
        opened,
        among("e", "f"),
        {"x": X},
        cycle=2,
        now=now(5),
    )
    assert told(said) == [("grow", ("f",)), ("hold", ("e", "f"))]


def test_what_contradicts_nothing_itself_joins_by_what_it_says_and_not_by_likeness() -> (
    None
):
    lone = {"e": challenger("e", 3)}
    opened = joined(
        plan_branches(lone.values(), [], [], {"x": X}, cycle=1, now=now(3)),
        lone,
        1,
    )
    beside = challenger("f", 5)._replace(incumbents=())
    supports, alike = (
        Tie("e", "f", 0.8, False, 0.8, "supports"),
        Tie("e", "f", 0.8, False, 0.8, "0.80 alike", True),
    )
    said = [
        plan_branches([beside], opened, [tie], {"x": X}, cycle=2, now=now(5))
        for tie in (supports, alike)
    ]
    assert [told(each)[0] for each in said] == [
        ("grow", ("f",)),
        ("hold", ("e",)),
    ]


def test_a_lone_contradiction_of_what_is_not_protected_takes_no_branch() -> (
    None
):
    plain = X._replace(protected=False)
    assert (
        plan_branches(
            [challenger("e", 3)], [], [], {"x": plain}, cycle=1, now=now(3)
        )
        == ()
    )


def test_rival_alternatives_open_a_branch_each() -> None:
    two = [challenger("e", 3), challenger("f", 4)]
    rivals = [Tie("e", "f", 0.0, True, 0.9, "they exclude each other")]
    assert told(
        plan_branches(two, [], rivals, {"x": X}, cycle=1, now=now(4))
    ) == [
        ("open", ("e",)),
        ("open", ("f",)),
    ]


def test_one_voice_three_times_is_no_cluster_and_keeps_nobody_waiting() -> None:
    three = [challenger(f"e{n}", n, source="one") for n in (1, 2, 3)]
    said = plan_branches(
        [*three, challenger("f", 4)],
        [],
        among("e1", "e2", "e3"),
        {"x": X},
        cycle=1,
        now=now(4),
    )
    assert told(said) == [("open", ("e1", "e2", "e3")), ("open", ("f",))]


def test_what_waits_opens_nothing_beside_an_open_cluster_and_joins_what_comes_to_support_it() -> (
    None
):
    three = {f"e{n}": challenger(f"e{n}", n) for n in (1, 2, 3)}
    ties = among("e1", "e2", "e3")
    opened = joined(
        plan_branches(three.values(), [], ties, {"x": X}, cycle=1, now=now(3)),
        three,
        1,
    )
    waits = challenger("f", 2, origin="extended")
    alone = plan_branches([waits], opened, ties, {"x": X}, cycle=2, now=now(4))
    assert told(alone)[0] == ("extend", ("f",))
    helped = plan_branches(
        [waits, challenger("g", 5)],
        opened,
        [*ties, *among("f", "g")],
        {"x": X},
        cycle=3,
        now=now(5),
    )
    assert told(helped)[0] == ("open", ("f", "g"))


def test_all_at_once_is_no_accumulation() -> None:
    five = {f"e{n}": challenger(f"e{n}", n * 3) for n in range(1, 6)}
    ties = among(*five)
    opened = joined(
        plan_branches(five.values(), [], ties, {"x": X}, cycle=1, now=now(16)),
        five,
        1,
    )
    (next_night,) = plan_branches(
        [], opened, ties, {"x": X}, cycle=2, now=now(17)
    )
    assert next_night.action == "hold"
    assert "one cycle" in next_night.reason
    said = plan_branches(
        [challenger("f", 18)],
        opened,
        [*ties, *among("e1", "f")],
        {"x": X},
        cycle=3,
        now=now(18),
    )
    assert told(said)[-1][0] == "promote"


def test_branches_that_come_to_support_each_other_press_together_and_both_are_merged() -> (
    None
):
    def branch(name: str, opened: int, *captures: str) -> OpenBranch:
        return OpenBranch(
            name,
            "x",
            opened,
            tuple(
                JoinedCapture(c, opened, (telling(c, opened * 5),), c)
                for c in captures
            ),
        )

    apart = [
        branch("b1", 1, "a"),
        branch("b2", 2, "b", "c"),
        branch("b3", 3, "z"),
    ]
    ties = [
        *among("a", "b", "c"),
        Tie("a", "z", 0.0, True, 0.0, "they exclude each other"),
    ]
    said = {
        each.branch: each
        for each in plan_branches(
            [], apart, ties, {"x": X}, cycle=4, now=now(20)
        )
    }
    assert (said["b1"].action, said["b1"].after) == ("promote", "")
    assert (said["b2"].action, said["b2"].after) == ("promote", "b1")
    assert (said["b3"].action, said["b3"].after) == ("follow", "b1")


def test_what_is_flagged_as_harmful_meets_the_highest_friction() -> None:
    plain, flagged = (
        challenger("e", 3),
        challenger("e", 3)._replace(harmful=True),
    )
    (one,) = plan_branches([plain], [], [], {"x": X}, cycle=1, now=now(3))
    (other,) = plan_branches([flagged], [], [], {"x": X}, cycle=1, now=now(3))
    assert (
        one.routing is not None
        and other.routing is not None
        and one.threshold
        and other.threshold
    )
    assert (one.routing.row, other.routing.row) == (4, 3)
    assert other.threshold.value > one.threshold.value


def test_the_threshold_falls_with_effective_gravity_and_not_with_base_gravity() -> (
    None
):
    two = [
        JoinedCapture(f"e{n}", n, (telling(f"e{n}", n * 9),), f"{n}")
        for n in (1, 2)
    ]
    branch = OpenBranch("b", "x", 1, tuple(two))
    read = plan_branches(
        [], [branch], among("e1", "e2"), {"x": X}, cycle=3, now=now(20)
    )
    unread = plan_branches(
        [],
        [branch],
        among("e1", "e2"),
        {"x": X._replace(effective=0.1)},
        cycle=3,
        now=now(20),
    )
    assert (read[0].action, unread[0].action) == ("hold", "promote")


def test_a_branch_whose_incumbent_is_gone_stays_open_and_says_so() -> None:
    branch = OpenBranch(
        "b",
        "gone",
        1,
        tuple(
            JoinedCapture(f"e{n}", n, (telling(f"e{n}", n),), f"{n}")
            for n in range(1, 9)
        ),
    )
    (said,) = plan_branches(
        [],
        [branch],
        among(*(m.capture for m in branch.members)),
        {},
        cycle=9,
        now=now(20),
    )
    assert (said.action, said.threshold) == ("hold", None)
    assert "nothing stands at gone" in said.reason
