"""Every judge is asked through the log: replay reads it, and a changed judge is another
question.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judges.ask import (
    Tally,
    ask_claims,
    ask_relations,
    ask_summaries,
    question_key,
)
from companion.judges.encode_answers import decode_relation, encode_relation
from companion.language.protocols import Identity, Summary
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import Claim, Period, Span
from companion.values.relations import Relation, Statement
from tests.scripted_judges import Scripted, neutral, opposed

NOW = "2026-11-01T00:00:00.000000Z"
PAIRS = [
    (Statement("The door is open."), Statement(f"The door is {what}."))
    for what in ("shut", "red", "open")
]


@pytest.fixture
def log(tmp_path: Path) -> Verdicts:
    return Verdicts(Journal.open(str(tmp_path / "journal.db")), None)


def test_what_was_answered_is_not_asked_again(log: Verdicts) -> None:
    first = Scripted(opposed())
    before = ask_relations(log, first, PAIRS, NOW)
    second = Scripted(neutral)
    after = ask_relations(log, second, [*PAIRS, PAIRS[0]], NOW)

    assert (len(first.asked), len(second.asked)) == (3, 0)
    assert after.answers == [*before.answers, before.answers[0]]
    assert {answer.label for answer in after.answers if answer} == {
        "contradicts"
    }
    assert after.tally._replace(judge="") == Tally("", 3, 3, 0, 0, None)


def test_without_the_log_a_judge_of_two_minds_changes_a_replay(
    log: Verdicts, tmp_path: Path
) -> None:
    """LED-8: the anomaly happens with the defence off, and not with it."""
    answers = [
        ask_relations(log, Scripted(rule), PAIRS[:1], NOW).answers
        for rule in (opposed(), neutral)
    ]
    assert answers[0] == answers[1]

    empty = Verdicts(Journal.open(str(tmp_path / "other.db")), None)
    assert (
        ask_relations(empty, Scripted(neutral), PAIRS[:1], NOW).answers
        != answers[0]
    )


@pytest.mark.parametrize("field", Identity._fields)
def test_whatever_changes_about_a_judge_is_a_new_key(
    log: Verdicts, field: str
) -> None:
    old, new = Scripted(opposed()), Scripted(neutral)
    new.identity = old.identity._replace(**{field: "other"})
    ask_relations(log, old, PAIRS, NOW)

    ask_relations(log, new, PAIRS, NOW)

    assert len(new.asked) == 3


def test_every_part_of_the_question_is_in_the_key() -> None:
    pair = (Statement("a", "t", "w"), Statement("b", "t", "w"))
    others = [
        (pair[1], pair[0]),
        *(
            (pair[0]._replace(**{name: "x"}), pair[1])
            for name in Statement._fields
        ),
    ]
    who = Identity("light", "1")
    keys = {question_key("relate", who, each) for each in [pair, *others]}

    assert len(keys | {question_key("extract", who, pair)}) == 6


def test_a_model_that_fails_leaves_its_answers_and_no_others(
    log: Verdicts,
) -> None:
    failing = Scripted(opposed(), name="llm", fails_after=2)
    asked = ask_relations(log, failing, PAIRS, NOW)

    assert [answer is None for answer in asked.answers] == [False, False, True]
    assert asked.tally.trouble == "the scripted model is out of order"
    assert "1 without an answer" in str(asked.tally)
    again = Scripted(opposed(), name="llm")
    ask_relations(log, again, PAIRS, NOW)
    assert again.asked == PAIRS[2:]


def test_of_rules_only_decisive_answers_are_kept(log: Verdicts) -> None:
    rules = Scripted(
        lambda a, b: opposed()(a, b) if "shut" in b.text else neutral(a, b),
        name="light",
        model="",
    )
    asked = ask_relations(log, rules, PAIRS, NOW)

    assert [answer.label for answer in asked.answers if answer] == [
        "contradicts",
        "neutral",
        "neutral",
    ]
    assert list(asked.used) == asked.keys[:1]
    assert list(log.find(asked.keys)) == asked.keys[:1]


scores = st.floats(0, 1).map(lambda score: round(score, 6))


@given(
    st.builds(
        Relation,
        st.sampled_from(["same", "neutral", "unsure"]),
        scores,
        st.text(),
        scores,
        scores,
        scores,
    )
)
def test_a_relation_survives_the_log(answer: Relation) -> None:
    assert decode_relation(encode_relation(answer)) == answer


def test_claims_and_summaries_survive_the_log(log: Verdicts) -> None:
    claim = Claim(
        "x",
        "is",
        "y",
        ("x", "is"),
        True,
        False,
        Period("2026", None, "year", True),
        "tentative",
        True,
        Span(0, 4),
        "r",
    )

    class Both:
        identity = Identity("scripted", "1", "m")

        def extract(self, text: str, *, event_time: str) -> list[Claim]:
            return [claim._replace(subject=f"{text} {event_time}")]

        def summarise(self, text: str, *, depth: float) -> Summary:
            return Summary(text, str(depth), (Span(0, 1),))

    for _ in range(2):
        assert ask_claims(log, Both(), [("x", NOW)], NOW).answers == [
            [claim._replace(subject=f"x {NOW}")]
        ]
        assert ask_summaries(log, Both(), [("x", 0.5)], NOW).answers == [
            Summary("x", "0.5", (Span(0, 1),))
        ]
