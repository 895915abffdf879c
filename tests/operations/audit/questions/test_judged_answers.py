"""What a model's word counts for in an audit, and what it can never do (AUD-6)."""

import pytest

from companion.operations.audit import verdict as audit
from companion.operations.audit.questions import judged_answers, query_set
from companion.operations.audit.questions.judged_answers import Better, Judged
from companion.operations.audit.questions.query_set import RecordedQuery
from companion.operations.audit.verdict import Evidence
from tests.bench import judged as bench

X, Y, Z = "x", "y", "z"


def ask(n: int, opened: str = "", outcome: str | None = None) -> RecordedQuery:
    return RecordedQuery(
        f"q{n}",
        f"2026-01-{n % 28 + 1:02}",
        f"word{n} other{n}",
        "search",
        (X, Y, Z),
        tuple(opened),
        outcome,
    )


def judge(
    asked: list[RecordedQuery], better: Better | None, sure: float = 0.9
) -> audit.Verdict:
    """The verdict where X, Y and Z are found, and a model finds one answer *better* wherever it is
    asked.
    """
    probes = query_set.build_query_set(X, ["entry x"], asked, [], [])
    before, after = (
        {probe.id: ranking for probe in probes}
        for ranking in ([X, Y, Z], [Y, Z])
    )
    said = {}
    if better is not None:
        wanted = judged_answers.choose_questions(X, probes, before, after)
        said = {
            probe.group: Judged(probe.id, better, sure, "other")
            for probe in wanted
        }
    changes = [
        audit.compare_rankings(X, probe, before[probe.id], after[probe.id])
        for probe in probes
    ]
    return audit.reach_verdict(X, Evidence(changes, judged=said, judge="m"))


def test_a_judged_answer_weighs_what_silence_weighs_in_both_directions() -> (
    None
):
    said = [
        judged_answers.judged_change(Judged("q", better, 0.9, ""))
        for better in ("with", "without", "same")
    ]
    assert said == [-query_set.SILENT, query_set.SILENT, 0.0]
    assert (
        judged_answers.judged_change(Judged("q", "with", 0.49, ""))
        == judged_answers.judged_change(None)
        == 0.0
    )


def test_only_agreement_of_both_orders_is_a_preference() -> None:
    one = Judged("q", "with", 0.9, "answer")
    assert judged_answers.combine_orders(one, one._replace(confidence=0.6)) == (
        "q",
        "with",
        0.6,
        "answer",
    )
    for other in ("without", "same"):
        assert (
            judged_answers.combine_orders(
                one, one._replace(better=other)
            ).better
            == "same"
        )


@pytest.mark.parametrize(
    ("calls", "entries", "most"),
    ((200, 10, 10), (200, 1, 20), (200, 40, 2), (6, 4, 0), (0, 1, 0)),
)
def test_the_calls_of_a_night_last_for_every_entry(
    calls: int, entries: int, most: int
) -> None:
    assert judged_answers.questions_per_entry(calls, entries) == most
    assert most * judged_answers.ORDERS * entries <= calls


@pytest.mark.parametrize("opened", (X, ""))
def test_a_model_alone_neither_archives_nor_weakens(opened: str) -> None:
    for count in range(4, 70, 6):
        asked = [ask(n, opened) for n in range(count)]
        without, silent = judge(asked, "without"), judge(asked, None)
        assert (
            without.result in (None, silent.result)
            and without.result != "improved"
        ), count
        assert opened == "" or without.result != "unchanged", (
            "an opening was taken back"
        )


def test_silence_confirms_where_the_model_agrees_or_is_not_asked_and_not_against_its_word() -> (
    None
):
    asked = [ask(n, X) for n in range(40)]
    assert [
        judge(asked, better).result
        for better in (None, "with", "same", "without")
    ] == [
        "degraded",
        "degraded",
        "degraded",
        None,
    ]
    assert "the model says the opposite" in judge(asked, "without").reason
    assert judge(asked, "without", sure=0.3).result == "degraded"


def test_what_users_said_stands_against_any_model() -> None:
    praised = [ask(n, X, "good") for n in range(12)] + [
        ask(n, X) for n in range(12, 40)
    ]
    blamed = [ask(n, X, "bad") for n in range(12)] + [
        ask(n, X) for n in range(12, 14)
    ]
    assert judge(praised, "without").result == "degraded"
    assert judge(blamed, "with").result == "improved"


def test_what_nobody_opens_is_found_needed() -> None:
    asked = [ask(n) for n in range(40)]
    assert (judge(asked, None).result, judge(asked, "with").result) == (
        "unchanged",
        "degraded",
    )


def test_the_verdict_counts_what_was_judged_and_says_by_whom() -> None:
    found = judge([ask(n, X) for n in range(3)], "without")
    assert "3 answers judged by m: 3 better without it, 0 worse" in found.reason
    assert {
        name: found.numbers[name]
        for name in ("judged", "judged_better", "judged_worse")
    } == {
        "judged": 3,
        "judged_better": 3,
        "judged_worse": 0,
    }
    assert "judged" not in judge([ask(1, X)], None).numbers


@pytest.mark.parametrize(
    "queries", bench.SETS, ids=lambda queries: queries.name
)
def test_of_planted_entries_no_judge_harms_what_is_needed(
    queries: bench.Set,
) -> None:
    for _, accuracy, found in bench.core([501], 20, [queries]):
        harmed = [
            found[kind].improved + found[kind].unchanged
            for kind in ("foundation", "quiet")
        ]
        assert sum(harmed) <= 0.05, (
            f"a judge that is right {accuracy} harmed what is needed"
        )
        if accuracy == 1.0 and not queries.speaks:
            assert found["harmful"].degraded <= 0.1, "silence confirmed it"
