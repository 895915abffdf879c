"""The verdict on a suspension: what it takes, what is no evidence, and what follows (AUD-5,
AUD-6).
"""

from itertools import product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.audit import consequence
from companion.operations.audit import verdict as audit
from companion.operations.audit.questions import query_set
from companion.operations.audit.questions.query_set import (
    Challenge,
    Probe,
    RecordedQuery,
)
from companion.operations.audit.verdict import Evidence, Matter

X, Y, Z = "x", "y", "z"


def ask(
    n: int,
    opened: str = "",
    outcome: str | None = None,
    *,
    words: str = "",
    verb: str = "search",
) -> RecordedQuery:
    return RecordedQuery(
        f"q{n}",
        f"2026-01-{n % 28 + 1:02}",
        words or f"word{n} other{n}",
        verb,
        (X, Y, Z),
        tuple(opened),
        outcome,
    )


def judge(
    asked: list[RecordedQuery],
    challenges: list[Challenge] | None = None,
    matters: tuple[Matter, ...] = (),
    named: int = 0,
    lost: bool = False,
) -> audit.Verdict:
    """The verdict where X, Y and Z are found in this order, and Y and Z without X."""
    probes = query_set.build_query_set(
        X, ["entry x"], asked, [], challenges or []
    )
    changes = [
        audit.compare_rankings(X, probe, [X, Y, Z], [Y, Z]) for probe in probes
    ]
    return audit.reach_verdict(X, Evidence(changes, matters, named, lost=lost))


@given(st.lists(st.integers(-20, 20), max_size=9))
def test_chance_is_that_of_every_way_the_signs_might_fall(
    steps: list[int],
) -> None:
    deltas = [step / 20 for step in steps]
    sums = [
        sum(a * b for a, b in zip(signs, steps, strict=True))
        for signs in product((1, -1), repeat=len(steps))
    ]
    assert audit.chance_of_sum(deltas) == pytest.approx(
        sum(each >= sum(steps) for each in sums) / len(sums)
    )


@given(st.integers(0, 80))
def test_so_few_needs_are_as_likely_as_the_binomial_says(tested: int) -> None:
    assert audit.chance_of_so_few(tested, tested) == pytest.approx(1)
    assert audit.chance_of_so_few(tested, 0) == pytest.approx(
        (1 - audit.SPARED) ** tested
    )


def _changed(n: int, delta: float, kind: query_set.Kind) -> audit.Change:
    """One question in which the entry stood first and was called bad, or good."""
    useful, harmful = (
        ({}, frozenset({X})) if delta > 0 else ({X: 1.0}, frozenset[str]())
    )
    return audit.Change(
        Probe(f"q{n}", kind, f"g{n}", "", "search", "", useful, harmful),
        1,
        delta,
        True,
    )


@pytest.mark.parametrize(
    ("delta", "missed", "needed", "better"),
    [
        (-0.5, (X,), 1, 0),
        (-0.02, (X,), 1, 0),
        (-0.019, (X,), 0, 0),
        (-0.5, (), 0, 0),
        (0.019, (), 0, 0),
        (0.02, (), 0, 1),
    ],
)
def test_a_question_needs_what_it_finds_nowhere_else(
    delta: float, missed: tuple[str, ...], needed: int, better: int
) -> None:
    change = _changed(1, delta, "recorded")._replace(missed=missed)
    numbers = audit.reach_verdict(X, Evidence([change])).numbers
    assert (numbers["needed"], numbers["better"]) == (needed, better)


@pytest.mark.parametrize(
    ("kind", "lost", "tested", "better"),
    [
        ("same", True, 1, 0),
        ("same", False, 0, 0),
        ("contradicted", False, 1, 1),
        ("needed", False, 0, 0),
    ],
)
def test_what_the_ledger_says_of_a_matter_needs_no_page(
    kind: Literal["same", "needed", "contradicted"],
    lost: bool,
    tested: int,
    better: int,
) -> None:
    evidence = Evidence([], [Matter("key", kind)], lost=lost)
    numbers = audit.reach_verdict(X, evidence).numbers
    assert (numbers["tested"], numbers["better"]) == (tested, better)
    assert (numbers["needed"], numbers["consequences"]) == (0, better)


def test_a_page_of_which_another_states_all_is_not_needed() -> None:
    matters = [Matter(f"key {n}", "same") for n in range(20)]
    found = audit.reach_verdict(X, Evidence([], matters, lost=True))
    assert found.result == "unchanged" and "none needs it" in found.reason


@given(st.lists(st.text("ab ", max_size=6), max_size=8))
def test_little_words_make_no_two_questions_alike(texts: list[str]) -> None:
    plain = [f"port {text}" for text in texts]
    full = [f"what is the port of {text} then" for text in texts]
    little = ("what", "is", "the", "of", "then")
    groups = [
        [
            p.group
            for p in query_set.build_query_set(
                X,
                [],
                [ask(n, X, words=w) for n, w in enumerate(said)],
                [],
                [],
                little,
            )
        ]
        for said in (plain, full)
    ]
    assert groups[0] == groups[1]


def test_a_sentence_of_little_words_is_still_a_question() -> None:
    said = [
        ask(n, X, words=words)
        for n, words in enumerate(("Who is it?", "What is the port of Atlas?"))
    ]
    said.append(ask(3, X, words="What is the port of Borea?"))
    assert (
        len(
            {
                p.group
                for p in query_set.build_query_set(
                    X,
                    [],
                    said,
                    [],
                    [],
                    ("who", "is", "it", "what", "the", "of"),
                )
            }
        )
        == 3
    )
    assert (
        len({p.group for p in query_set.build_query_set(X, [], said, [], [])})
        == 2
    ), "the case needs no little words"


def test_where_there_is_too_much_questions_in_which_it_had_a_part_go_first() -> (
    None
):
    far = [ask(n, Y)._replace(shown=(Y, Z, "v", X)) for n in range(200)]
    near = [ask(n, Y) for n in range(200, 230)]
    found = {
        probe.id
        for probe in query_set.build_query_set(X, [], [*far, *near], [], [])
    }
    assert {each.id for each in near} <= found and len(found) > len(near)


class TestVerdict:
    def test_nothing_asked_is_inconclusive(self) -> None:
        assert judge([]).result is None

    def test_what_users_open_is_needed(self) -> None:
        assert judge([ask(n, X) for n in range(12)]).result == "degraded"

    def test_what_users_call_wrong_is_in_the_way(self) -> None:
        found = judge([ask(n, X, "bad") for n in range(12)])
        assert found.result == "improved" and found.poor == 12

    @pytest.mark.parametrize("count", (5, 15, 28))
    def test_what_is_passed_over_a_few_times_may_still_be_needed(
        self, count: int
    ) -> None:
        assert judge([ask(n, Y, "good") for n in range(count)]).result is None

    def test_what_is_always_passed_over_is_dead_weight_and_never_archived_for_it(
        self,
    ) -> None:
        assert (
            judge([ask(n, Y, "good") for n in range(50)]).result == "unchanged"
        )

    def test_three_complaints_among_much_praise_are_none(self) -> None:
        asked = [ask(n, X, "bad" if n < 3 else "good") for n in range(20)]
        assert judge(asked).result == "degraded"

    def test_two_complaints_are_too_few(self) -> None:
        assert judge([ask(n, X, "bad") for n in range(2)]).result is None

    def test_a_bad_answer_that_was_never_opened_is_nobodys_fault(self) -> None:
        assert (
            judge([ask(n, "", "bad") for n in range(40)]).result == "unchanged"
        )

    def test_an_answer_from_claims_is_read_whole_and_blamed_whole(self) -> None:
        assert (
            judge([ask(n, "", "bad", verb="ask") for n in range(12)]).result
            == "improved"
        )

    def test_what_another_opening_followed_counts_little(self) -> None:
        (probe,) = query_set.build_query_set(X, [], [ask(1, X + Y)], [], [])
        assert probe.useful == {X: query_set.EARLIER, Y: 1.0}

    @pytest.mark.parametrize(
        "words", ("entry x", "X entry", "the same words again")
    )
    def test_one_query_is_one_however_often(self, words: str) -> None:
        asked = [ask(n, X, "bad", words=f"{words}{'?' * n}") for n in range(50)]
        found = judge(asked)
        assert found.result is None and found.numbers["tested"] == 1

    def test_half_of_it_in_other_words_is_not_the_same_question(self) -> None:
        asked = [
            ask(n, X, "bad", words=f"always these two {n} {n}a {n}b")
            for n in range(12)
        ]
        assert judge(asked).numbers["tested"] == 12

    def test_what_others_rest_on_and_nobody_else_tells_is_not_called_unneeded(
        self,
    ) -> None:
        asked = [ask(n, Y, "good") for n in range(50)]
        assert (
            judge(asked, matters=(Matter("x · port", "needed"),)).result is None
        )
        assert (
            judge(asked, matters=(Matter("x · port", "same"),)).result
            == "unchanged"
        )

    def test_its_own_claims_are_no_reason_to_archive_it(self) -> None:
        matters = tuple(Matter(f"x · {n}", "same") for n in range(60))
        assert judge([], matters=matters).result is None, (
            "quiet foundations die of what others repeat"
        )

    def test_several_voices_against_what_it_states_are_consequences(
        self,
    ) -> None:
        matters = tuple(Matter(f"x · {n}", "contradicted", 2) for n in range(4))
        assert (
            judge([ask(n, Y) for n in range(10)], matters=matters).result
            == "improved"
        )

    def test_a_branch_is_heard_by_its_pressure(self) -> None:
        words = [f"challenge{n} against{n}" for n in range(4)]
        assert (
            judge([], [Challenge(each, each, 1.0) for each in words]).result
            == "improved"
        )
        loud = judge(
            [ask(n, X, "good") for n in range(20)],
            [Challenge(each, each, 1.0) for each in words],
        )
        assert loud.result == "degraded", (
            "a branch alone outweighs twenty users who were served"
        )

    def test_what_is_held_out_may_only_contradict(self) -> None:
        probes = query_set.build_query_set(
            X, [], [ask(n, X) for n in range(200)], [], []
        )
        held = [probe for probe in probes if probe.kind == "held out"]
        assert (
            len({probe.group for probe in held})
            == query_set.RECORDED // query_set.HELD_OUT
        )
        changes = [
            audit.compare_rankings(X, probe, [X, Y], [Y]) for probe in held
        ]
        assert audit.reach_verdict(X, Evidence(changes)).result is None, (
            "what is held out decides alone"
        )

    def test_what_is_held_out_contradicts_only_where_both_together_do_not_bear_it(
        self,
    ) -> None:
        def verdict(counted: int, held: int) -> str | None:
            spoken = [_changed(n, 1.0, "recorded") for n in range(counted)]
            return audit.reach_verdict(
                X,
                Evidence(
                    spoken
                    + [_changed(900 + n, -1.0, "held out") for n in range(held)]
                ),
            ).result

        assert verdict(4, 0) == "improved"
        assert verdict(4, 3) is None, "what was held out is not heard"
        assert verdict(20, 3) == "improved", (
            "three that were held out outweigh twenty that were not"
        )

    @pytest.mark.parametrize(
        ("sign", "silent", "result"),
        [(1, 0, None), (1, 20, None), (-1, 0, None), (-1, 20, "degraded")],
    )
    def test_silent_readers_hold_up_what_confirms_and_nothing_that_improves(
        self, sign: int, silent: int, result: str | None
    ) -> None:
        spoken = [_changed(n, 1.0 * sign, "recorded") for n in range(6)]
        quiet = []
        for n in range(100, 100 + silent):
            change = _changed(n, 1.0 * sign, "recorded")
            probe = change.probe._replace(spoken=False)
            quiet.append(change._replace(probe=probe))
        held = [_changed(900 + n, -1.0 * sign, "held out") for n in range(4)]
        verdict = audit.reach_verdict(X, Evidence([*spoken, *quiet, *held]))
        assert verdict.result == result
        if result is None:
            assert "held out say the opposite" in verdict.reason

    def test_what_is_opened_and_left_for_another_is_not_missed(self) -> None:
        both = RecordedQuery(
            "q", "2026-01-01", "these words", "search", (Y, X, Z), (X, Y), None
        )
        (probe,) = query_set.build_query_set(X, [], [both], [], [])
        assert audit.compare_rankings(X, probe, [Y, X, Z], [Y, Z]).missed == ()
        (probe,) = query_set.build_query_set(
            X, [], [both._replace(opened=(Y, X))], [], []
        )
        assert audit.compare_rankings(X, probe, [Y, X, Z], [Y, Z]).missed == (
            X,
        )

    def test_too_many_needs_are_not_told_as_too_few_questions(self) -> None:
        asked = [ask(n, Y) for n in range(57)] + [
            ask(n, X) for n in range(57, 60)
        ]
        assert (
            judge(asked).result is None
            and "Too many questions need" in judge(asked).reason
        )
        assert "Too few questions asked" in judge(asked[:9]).reason

    def test_an_entry_that_lost_its_place_needs_little_to_be_let_go(
        self,
    ) -> None:
        asked = [ask(n, Y) for n in range(3)]
        assert judge(asked, lost=True).result == "unchanged"
        assert judge(asked).result is None

    def test_every_verdict_says_how_it_was_reached(self) -> None:
        assert judge([]).reason == (
            "Too few questions asked to judge this page: none concerns it."
        )
        assert judge([ask(n, X) for n in range(9)]).reason == (
            "Answers depend on this page. (of 9 questions 9 need it and none is better without it; "
            "on average -0.30, held out -0.30, by chance 0.016)"
        )
        assert judge([ask(1, X)], named=2).reason == (
            "Too few questions asked to judge this page. It was opened 2 times by name. "
            "(of 1 question 1 needs it and none is better without it)"
        )


class TestWhatFollows:
    def test_degraded_restores_and_gives_back(self) -> None:
        assert consequence.decide_consequence(
            "degraded", factor=0.25, poor_cycles=0, protected=True
        )[:2] == (
            "restored",
            1.0,
        )

    def test_unchanged_halves_and_halves_again(self) -> None:
        first = consequence.decide_consequence(
            "unchanged", factor=1.0, poor_cycles=0, protected=True
        )
        assert first[:2] == ("gravity-reduced", 0.5)
        assert (
            consequence.decide_consequence(
                "unchanged", factor=first.factor, poor_cycles=0, protected=False
            ).factor
            == 0.25
        )

    def test_improved_archives_and_takes_the_protection(self) -> None:
        assert consequence.decide_consequence(
            "improved", factor=1.0, poor_cycles=1, protected=True
        )[:2] == (
            "archived",
            0.25,
        )

    def test_row_6_overrides_what_the_measure_says(self) -> None:
        found = consequence.decide_consequence(
            "degraded", factor=1.0, poor_cycles=2, protected=True
        )
        assert (
            found[:2] == ("gravity-reduced", 0.25) and "row 6" in found.reason
        )

    def test_a_factor_never_reaches_zero(self) -> None:
        factor = 1.0
        for _ in range(50):
            factor = consequence.decide_consequence(
                "improved", factor=factor, poor_cycles=9, protected=True
            ).factor
        assert factor == consequence.LEAST

    @pytest.mark.parametrize(
        ("incumbent", "audited", "grown", "cycles", "closes"),
        (
            ("degraded", "2026-03", "2026-02", 6, True),
            ("degraded", "2026-03", "2026-02", 5, False),
            ("degraded", "2026-01", "2026-02", 9, False),
            ("unchanged", "2026-03", "2026-02", 9, False),
            (None, "2026-03", "2026-02", 9, False),
        ),
    )
    def test_a_branch_closes_only_as_inv_4_has_it(
        self,
        incumbent: str | None,
        audited: str,
        grown: str,
        cycles: int,
        closes: bool,
    ) -> None:
        assert (
            consequence.may_close(incumbent, audited, grown, cycles) is closes
        )
