"""What an opening, a growing and a waiting say, and whom they concern (CON-13, ROW-4)."""

import pytest

from companion.minority.beliefs import name_belief
from companion.minority.challenge import (
    Challenger,
    Incumbent,
    JoinedCapture,
    OpenBranch,
)
from companion.minority.clusters import Tie
from companion.minority.plan import list_repeating_sources, plan_branches
from companion.minority.pressure import (
    Policy,
    list_voices,
    measure_pressure,
    measure_threshold,
)
from tests.minority.test_plan import X, among, challenger, joined, now, told


def open_all(*some: Challenger, ties: tuple[Tie, ...] = (), **more: Incumbent):
    incumbents = {"x": X, **more}
    return plan_branches(some, [], ties, incumbents, cycle=1, now=now(9))


def test_a_branch_is_named_by_its_incumbent_and_its_first_note() -> None:
    long = X._replace(slug="a" * 39 + "-bcd")
    early, late = challenger("e" * 64, 2), challenger("d" * 64, 3)
    ties = tuple(among("d" * 64, "e" * 64))
    (one,) = open_all(late, early, ties=ties, x=long)
    assert one.branch == f"{'a' * 39}-eeeeeeee"
    (whole,) = open_all(early, x=X._replace(slug="b" * 41))
    assert whole.branch == f"{'b' * 40}-eeeeeeee"


def test_what_opens_came_in_one_cycle_however_many_speak() -> None:
    names = tuple(f"e{n}" for n in range(1, 6))
    five = [challenger(name, n * 2) for n, name in enumerate(names, 1)]
    (one,) = open_all(*five, ties=tuple(among(*names)))
    assert one.routing is not None and one.routing.row == 4
    assert "it can win from the next cycle on" in one.reason
    assert one.reason.startswith("Several sources contradict a protected entry")


def test_a_statement_is_contradicted_as_one() -> None:
    belief = name_belief("x", "c" * 64)
    note = X._replace(id=belief)
    lone = challenger("e", 3, against=belief)
    (one,) = open_all(lone, **{belief: note})
    entry = open_all(challenger("e", 3))[0]
    assert "one statement of a protected page" in one.reason
    assert "One source contradicts a protected entry." in entry.reason


@pytest.mark.parametrize(
    ("joining", "words", "count"),
    [
        (("f",), "One capture supports this branch.", 2),
        (("f", "g"), "2 captures support this branch.", 3),
    ],
)
def test_a_branch_says_how_it_grew_and_by_what(
    joining: tuple[str, ...], words: str, count: int
) -> None:
    lone = {"e": challenger("e", 3)}
    standing = joined(open_all(*lone.values()), lone, 1)
    ties = [*among("e", *joining, support=0.7)]
    ties[0] = ties[0]._replace(support=0.95, reason="the same")
    some = [challenger(name, 5) for name in joining]
    grown = plan_branches(some, standing, ties, {"x": X}, cycle=2, now=now(5))
    assert told(grown)[0] == ("grow", joining)
    assert grown[0].reason == (
        f"{words} ({count} members; closest support 0.95: the same)"
    )


def test_what_a_note_contradicts_most_is_its_incumbent() -> None:
    light = Incumbent("y", "light", 0.3, 0.3, True)
    bare = Incumbent("z", "bare", 0.99, 0.99, False)
    both = challenger("e", 3)._replace(incumbents=("x", "y", "z"))
    (one,) = open_all(both, y=light, z=bare)
    assert one.incumbent == "x"
    (equal,) = open_all(both, y=light._replace(base=X.base), z=bare)
    assert equal.incumbent == "x"


def test_a_cluster_is_about_what_all_of_it_contradict() -> None:
    heavy = Incumbent("y", "heavy", 0.99, 0.99, True)
    one = challenger("e", 3)._replace(incumbents=("x", "y"))
    other = challenger("f", 4)
    (opened,) = open_all(one, other, ties=tuple(among("e", "f")), y=heavy)
    assert (opened.incumbent, opened.captures) == ("x", ("e", "f"))


def test_beside_a_new_cluster_a_lone_note_waits_and_is_told_why() -> None:
    names = ("e1", "e2")
    two = [challenger(name, n) for n, name in enumerate(names, 1)]
    ties = tuple(among(*names))
    opened, waits = open_all(*two, challenger("f", 3), ties=ties)
    assert told((opened, waits)) == [("open", names), ("extend", ("f",))]
    assert "the cluster that opens a branch on x in this cycle" in waits.reason
    other = Incumbent("y", "other", 0.9, 0.8, True)
    elsewhere = challenger("g", 3, against="y")
    both = open_all(*two, elsewhere, ties=ties, y=other)
    assert [one.action for one in both] == ["open", "open"]


def test_beside_a_branch_of_one_what_waited_opens_its_own() -> None:
    lone = {"e": challenger("e", 3)}
    standing = joined(open_all(*lone.values()), lone, 1)
    waited = challenger("f", 2, origin="extended")
    said = plan_branches([waited], standing, [], {"x": X}, cycle=2, now=now(5))
    assert told(said)[0] == ("open", ("f",))


def test_what_contradicts_what_has_just_been_replaced_waits() -> None:
    names = ("e1", "e2", "e3")
    members = tuple(
        JoinedCapture(
            name,
            cycle,
            challenger(name, cycle * 4).tellings,
            challenger(name, 1).text,
        )
        for cycle, name in enumerate(names, 1)
    )
    branch = OpenBranch("b", "x", 1, members)
    late = challenger("f", 20)
    said = plan_branches(
        [late], [branch], among(*names), {"x": X}, cycle=5, now=now(20)
    )
    assert [one.action for one in said] == ["extend", "promote"]
    assert "x was replaced in this cycle" in said[0].reason


def test_what_is_in_quarantine_opens_nothing_alone() -> None:
    lone = challenger("e", 3, origin="quarantine")
    assert open_all(lone) == ()
    pair = (lone, challenger("f", 4))
    (opened,) = open_all(*pair, ties=tuple(among("e", "f")))
    assert opened.captures == ("e", "f")


# -- who repeats whom -------------------------------------------------------


def test_a_source_repeats_whose_words_somebody_told_before() -> None:
    first = challenger("e", 3, "ana")
    copy = challenger("f", 5, "ben")._replace(text=first.text)
    own = challenger("g", 6, "cleo")
    ties = [Tie("e", "f", 1.0, False, 1.0, "same")]
    assert list_repeating_sources([first, copy, own], [], ties) == {"ben"}
    # whoever repeats himself repeats nobody
    again = copy._replace(tellings=challenger("f", 5, "ana").tellings)
    assert list_repeating_sources([first, again, own], [], ties) == set()


def test_who_repeats_what_stands_in_a_branch_repeats_too() -> None:
    first = challenger("e", 3, "ana")
    member = JoinedCapture("e", 1, first.tellings, first.text)
    branch = OpenBranch("b", "x", 1, (member,))
    copy = challenger("f", 5, "ben")._replace(text=first.text)
    ties = [Tie("e", "f", 1.0, False, 1.0, "same")]
    assert list_repeating_sources([copy], [branch], ties) == {"ben"}
    silent = copy._replace(incumbents=())
    assert list_repeating_sources([silent], [branch], ties) == {"ben"}


# -- numbers ----------------------------------------------------------------


def test_a_threshold_is_told_to_a_millionth() -> None:
    assert measure_threshold(0.123456, 1.0).value == 1.394074
    assert Policy().promotes


def test_one_voice_weighs_one_and_a_half_whoever_it_is() -> None:
    trusted = challenger("e", 9).tellings[0]._replace(trust=9.0, useful=1.0)
    assert measure_pressure([trusted], now=now(9)).value == 1.5
    both = [trusted, trusted._replace(capture="f", source="another")]
    assert measure_pressure(both, now=now(9)).value > 1.5


@pytest.mark.parametrize(("useful", "weight"), [(0.0, 0.9), (1.0, 1.0)])
def test_what_never_was_of_use_weighs_a_tenth_less(
    useful: float, weight: float
) -> None:
    one = challenger("e", 9).tellings[0]._replace(useful=useful)
    at = one.seen_at
    (voice,) = list_voices([one], now=at)
    assert (voice.fresh, voice.plain, voice.bonus) == (weight, weight, 0.0)
    assert measure_pressure([one], now=at).value == weight


def test_weights_are_told_to_a_billionth_and_pressure_to_a_millionth() -> None:
    one = challenger("e", 2).tellings[0]._replace(trust=1.37, useful=0.123)
    (voice,) = list_voices([one], now=now(17))
    for number in (voice.fresh, voice.plain, voice.bonus):
        assert abs(number - round(number, 9)) < 1e-13
    value = measure_pressure([one], now=now(17)).value
    assert value == round(value, 6)
    fine = one._replace(trust=0.123456789, useful=1.0)
    (voice,) = list_voices([fine], now=one.seen_at)
    assert voice.fresh == voice.weight == 0.123456789


def test_of_two_tellings_of_one_weight_the_younger_is_told_of() -> None:
    young = challenger("e", 9).tellings[0]
    old = young._replace(
        capture="f",
        event_time="2025-11-09T10:00:00.000000Z",
        seen_at="2025-11-09T10:00:00.000000Z",
        trust=2.0,
    )
    at = young.seen_at
    (voice,) = list_voices([old, young], now=at)
    alone = [list_voices([one], now=at)[0].weight for one in (old, young)]
    assert alone[0] == alone[1]
    assert (voice.age, voice.trust) == (0.0, 1.0)


def test_one_voice_alone_gives_up_what_is_above_one_and_a_half() -> None:
    trusted = challenger("e", 9).tellings[0]._replace(trust=2.0, useful=1.0)
    weighed = measure_pressure([trusted], now=trusted.seen_at)
    assert weighed.value == 1.5
    assert dict(weighed.parts)["one voice alone"] == -0.5


def test_gravity_counts_from_nothing_to_one() -> None:
    least, most = (measure_threshold(gravity, 1.0) for gravity in (0.0, 1.0))
    assert measure_threshold(-0.5, 1.0) == least
    assert measure_threshold(1.5, 1.0) == most
