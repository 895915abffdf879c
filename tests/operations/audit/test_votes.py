"""How the votes of a suspension are counted: which decide, and from which number on (AUD-5)."""

from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.audit import verdict as audit
from companion.operations.audit.questions.judged_answers import Judged
from companion.operations.audit.questions.query_set import (
    EARLIER,
    TOP,
    Kind,
    Probe,
)
from companion.operations.audit.verdict import Change, Evidence, Matter

X, Y, Z = "x", "y", "z"


def change(
    name: str,
    delta: float,
    *,
    kind: Kind = "recorded",
    group: str = "",
    harmful: bool = False,
    spoken: bool = True,
    tested: bool = True,
    missed: bool = False,
    at: str = "",
) -> Change:
    blamed = frozenset({X}) if harmful else frozenset[str]()
    probe = Probe(
        name,
        kind,
        group or name,
        "words",
        "search",
        at,
        {},
        blamed,
        spoken=spoken,
    )
    return Change(probe, 1, delta, tested, (Y,) if missed else ())


def several(count: int, prefix: str, delta: float, **more: Any) -> list[Change]:
    return [change(f"{prefix}{n}", delta, **more) for n in range(count)]


def find(*changes: Change, **more: Any) -> audit.Verdict:
    return audit.reach_verdict(X, Evidence(changes, **more))


def result(*changes: Change, **more: Any) -> str | None:
    return find(*changes, **more).result


# -- what one question shows ------------------------------------------------


def test_a_change_has_the_place_the_weight_and_what_is_missed() -> None:
    probe = Probe(
        "q",
        "recorded",
        "g",
        "words",
        "search",
        "",
        {X: 1.0, Y: EARLIER, Z: EARLIER + 0.1},
        frozenset(),
        weight=0.5,
    )
    found = audit.compare_rankings(X, probe, [Y, X, Z], [])
    assert found.before == 2
    assert found.missed == (X, Z)
    whole = audit.compare_rankings(X, probe._replace(weight=1.0), [Y, X, Z], [])
    assert found.delta == pytest.approx(whole.delta / 2, abs=1e-6)
    assert found.delta < 0
    assert audit.compare_rankings(X, probe, [Y], [Y]).before is None


def test_a_question_tests_what_leads_in_it_or_what_somebody_took_up() -> None:
    plain = Probe("q", "recorded", "g", "w", "search", "", {}, frozenset())
    far = [f"o{n}" for n in range(TOP)] + [X]
    assert audit.compare_rankings(X, plain, far[1:], []).tested
    assert not audit.compare_rankings(X, plain, far, []).tested
    opened = plain._replace(useful={X: 1.0})
    blamed = plain._replace(harmful=frozenset({X}))
    assert audit.compare_rankings(X, opened, far, []).tested
    assert audit.compare_rankings(X, blamed, far, []).tested


# -- which votes decide -----------------------------------------------------


def test_the_mean_is_of_what_tested_it_or_changed() -> None:
    lost = change("a", -0.5)
    same = change("b", 0.0)
    moved = change("c", 0.2, tested=False)
    elsewhere = change("d", 0.0, tested=False)
    assert find(lost, same).numbers["mean"] == -0.25
    assert find(lost, moved).numbers["mean"] == -0.15
    assert find(lost, elsewhere).numbers["mean"] == -0.5
    assert find(lost, same, moved, elsewhere).numbers["tested"] == 2


def test_those_of_one_group_are_one_vote_of_their_mean() -> None:
    found = find(
        change("a", -0.6, group="g", tested=False),
        change("b", -0.2, group="g", missed=True),
        change("c", 0.4),
    )
    assert found.numbers["mean"] == 0.0
    assert (found.numbers["tested"], found.numbers["needed"]) == (2, 1)


def test_a_challenge_of_the_same_words_is_a_vote_of_its_own() -> None:
    found = find(
        change("a", 0.5, group="g"),
        change("b", 0.5, group="g", kind="challenge"),
    )
    assert found.numbers["tested"] == 2


def test_what_is_held_out_does_not_decide() -> None:
    held = several(9, "h", -1.0, kind="held out")
    found = find(change("a", 0.5), *held)
    assert (found.numbers["mean"], found.numbers["held_out"]) == (0.5, -1.0)


# -- degraded ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("needed", "better", "found"),
    [
        (5, 2, "degraded"),  # plainly needed, though chance would do it
        (4, 2, None),
        (5, 3, None),  # it may stand in the way as often
        (6, 3, "degraded"),
        (4, 0, None),  # one in sixteen
        (5, 0, "degraded"),  # one in thirty-two
    ],
)
def test_five_needs_twice_as_many_as_complaints_are_enough(
    needed: int, better: int, found: str | None
) -> None:
    losses = several(needed, "l", -0.5, missed=True)
    assert result(*losses, *several(better, "g", 0.5)) == found


def test_losses_that_could_be_chance_are_none() -> None:
    assert result(*several(4, "l", -0.5)) is None
    assert result(*several(5, "l", -0.5)) == "degraded"


# -- improved ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("harmed", "gained", "found"),
    [(4, 0, "improved"), (3, 0, None), (3, 1, "improved"), (2, 9, None)],
)
def test_three_consequences_and_a_gain_beyond_chance_archive(
    harmed: int, gained: int, found: str | None
) -> None:
    bad = several(harmed, "b", 0.5, harmful=True)
    assert result(*bad, *several(gained, "g", 0.5)) == found


def test_a_gain_that_nobody_spoke_of_adds_nothing() -> None:
    bad = several(3, "b", 0.5, harmful=True)
    assert result(*bad, *several(9, "g", 0.5, spoken=False)) is None


def test_what_was_held_out_may_add_to_a_finding_against_it() -> None:
    bad = several(3, "b", 0.5, harmful=True)
    held = several(1, "h", 0.5, kind="held out")
    assert result(*bad, *held) == "improved"
    assert result(*several(2, "b", 0.5, harmful=True), *held) is None


def test_a_consequence_is_of_a_group_that_is_better_without_it() -> None:
    mixed = [
        change("a", 0.5, group="g", harmful=True),
        change("b", -0.9, group="g"),
    ]
    assert find(*mixed).numbers["consequences"] == 0
    assert find(mixed[0]).numbers["consequences"] == 1
    even = mixed[1]._replace(delta=-0.5)
    assert find(mixed[0], even).numbers["consequences"] == 0
    assert find(change("c", -0.5, harmful=True)).numbers["consequences"] == 0
    assert find(change("d", 0.0, harmful=True)).numbers["consequences"] == 0


# -- objections -------------------------------------------------------------


def test_what_was_held_out_objects_from_one_chance_in_five() -> None:
    losses = several(6, "l", -0.5)
    # two of two are one chance in four, three of three one in eight
    assert result(*losses, *several(2, "h", 1.0, kind="held out")) == "degraded"
    found = find(*losses, *several(3, "h", 1.0, kind="held out"))
    assert found.result is None and "held out" in found.reason


def test_small_answers_of_many_that_were_held_out_object_too() -> None:
    losses = several(6, "l", -0.1)
    found = find(*losses, *several(6, "h", 0.1, kind="held out"))
    assert found.result is None and "held out" in found.reason


def test_held_out_answers_that_cancel_object_to_nothing() -> None:
    losses = several(6, "l", -0.5)
    held = [
        change("h1", 0.5, kind="held out"),
        change("h2", -0.5, kind="held out"),
    ]
    assert result(*losses, *held) == "degraded"


def test_a_model_objects_where_only_silence_confirms() -> None:
    silent = several(8, "s", -0.9, spoken=False, missed=True)
    names = [one.probe.group for one in silent]
    against = {one: Judged(one, "without", 0.9, "") for one in names}
    assert result(*silent) == "degraded"
    found = find(*silent, judged=against, judge="model")
    assert (
        found.result is None and "the model says the opposite" in found.reason
    )
    loud = several(5, "l", -0.9, missed=True)
    assert result(*silent, *loud, judged=against, judge="model") == "degraded"
    # two answers in a model's favour could be chance
    few = {one: against[one] for one in names[:2]}
    assert result(*silent, judged=few, judge="model") == "degraded"


def test_a_model_that_needs_it_makes_a_need() -> None:
    silent = several(1, "s", 0.0, spoken=False)
    wants = {"s0": Judged("s0", "with", 0.9, "")}
    found = find(*silent, judged=wants, judge="model")
    assert found.numbers["needed"] == 1
    other = {"s0": Judged("s0", "without", 0.9, "")}
    assert find(*silent, judged=other, judge="model").numbers["needed"] == 0
    # a loss of its own, of which a model says that it is none, is no need
    lost = change("s0", -0.1, spoken=False, missed=True)
    assert find(lost, judged=other, judge="model").numbers["needed"] == 0


# -- unneeded ---------------------------------------------------------------


def test_twenty_nine_questions_without_a_need_are_enough() -> None:
    """Of 28, each of which might need it by one in ten, none would by more than one in twenty."""
    assert (1 - audit.SPARED) ** 28 > audit.SURE >= (1 - audit.SPARED) ** 29
    assert result(*several(28, "q", 0.0)) is None
    assert result(*several(29, "q", 0.0)) == "unchanged"


@pytest.mark.parametrize(
    ("asked", "found"), [(2, None), (3, "unchanged"), (4, "unchanged")]
)
def test_where_it_lost_three_questions_are_enough(
    asked: int, found: str | None
) -> None:
    assert result(*several(asked, "q", 0.0), lost=True) == found
    need = change("n", -0.1, missed=True)
    assert result(*several(asked, "q", 0.0), need, lost=True) is None


def test_whoever_opened_it_by_name_needed_it() -> None:
    asked = several(29, "q", 0.0)
    found = find(*asked, named=1)
    assert found.result is None
    assert found.reason.startswith("Too few questions asked")
    assert "It was opened once by name." in found.reason
    few = find(*several(3, "q", 0.0), lost=True, named=1)
    assert few.result is None
    # opened and never asked about
    assert "none concerns it" not in find(named=1).reason


@pytest.mark.parametrize(
    ("asked", "words"), [(27, "Too few questions"), (28, "Too many questions")]
)
def test_many_questions_of_which_some_need_it_are_not_too_few(
    asked: int, words: str
) -> None:
    need = change("n", -0.1, missed=True)
    found = find(*several(asked, "q", 0.0), need)
    assert found.result is None and found.reason.startswith(words)


def test_what_builds_on_it_alone_keeps_it_unless_it_lost() -> None:
    asked = several(29, "q", 0.0)
    needs = [Matter("k", "needed"), Matter("l", "needed")]
    found = find(*asked, matters=needs)
    assert found.result is None and "need 2 facts" in found.reason
    assert result(*asked, matters=needs, lost=True) == "unchanged"


# -- what it led astray -----------------------------------------------------


def test_what_came_before_the_last_audit_was_weighed_then() -> None:
    changes = [
        change("a", 0.5, harmful=True, at="2026-01-01"),
        change("b", 0.5, harmful=True, at="2026-01-02"),
        change("c", 0.5, harmful=True, at="2026-01-03"),
        change("d", 0.5, at="2026-01-03"),
    ]
    assert find(*changes, since="2026-01-02").poor == 1
    assert find(*changes).poor == 3
    told = [Matter("k", "contradicted", 2), Matter("l", "same")]
    assert find(*changes, since="2026-01-02", matters=told).poor == 2


def test_what_the_ledger_agrees_with_leads_nobody_astray() -> None:
    told = [
        Matter("k", "contradicted", 2),
        Matter("l", "same"),
        Matter("m", "same"),
    ]
    assert find(matters=told).poor == 1


def test_a_group_leads_astray_once() -> None:
    poor = [change(f"a{n}", 0.5, group="g", harmful=True, at="2") for n in "12"]
    good = change("b", -0.5, group="g", at="3")
    assert find(*poor, good, since="1").poor == 1


# -- chances ----------------------------------------------------------------


@given(st.integers(0, 40), st.integers(0, 40))
def test_so_few_needs_are_a_sum_of_the_binomial(tested: int, need: int) -> None:
    share = audit.SPARED
    terms = [
        comb(tested, k) * share**k * (1 - share) ** (tested - k)
        for k in range(min(need, tested) + 1)
    ]
    found = audit.chance_of_so_few(tested, min(need, tested))
    assert found == pytest.approx(sum(terms))


@given(st.lists(st.sampled_from([-0.35, -0.05, 0.1, 0.5]), max_size=8))
def test_no_sum_is_less_likely_than_one_larger(deltas: list[float]) -> None:
    more = [delta + 0.05 for delta in deltas]
    if all(abs(one) >= 0.05 for one in more):
        steps = [round(20 * one) for one in more]
        signs = product((1, -1), repeat=len(steps))
        sums = [
            sum(a * abs(b) for a, b in zip(row, steps, strict=True))
            for row in signs
        ]
        expected = sum(one >= sum(steps) for one in sums) / len(sums)
        assert audit.chance_of_sum(more) == pytest.approx(expected)


def test_what_the_ledger_says_is_no_word_of_a_model() -> None:
    silent = several(8, "s", -0.9, spoken=False, missed=True)
    same = [Matter(f"k{n}", "same") for n in range(9)]
    assert result(*silent, matters=same, lost=True) == "degraded"
