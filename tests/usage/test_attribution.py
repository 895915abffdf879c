"""Whose outcome it was: openings and words of feedback find what was shown then."""

from datetime import UTC, datetime, timedelta

import pytest

from companion.usage import attribution, utility
from companion.usage.attribution import Evidence, Read, attribute

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def at(minutes: float) -> str:
    return (NOON + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def asked(
    id: str,
    *shown: str,
    minutes: float = 0,
    words: str = "port",
    agent: str = "owner",
    verb: str = "search",
) -> Read:
    return Read(id, at(minutes), agent, verb, words, shown)


def opened(entry: str, minutes: float, agent: str = "owner") -> Read:
    return Read(
        f"open-{entry}-{minutes}", at(minutes), agent, "show", "", (entry,)
    )


def said(word: str, about: str | None, *shown: str, minutes: float = 1) -> Read:
    return Read(
        f"said-{word}-{about}-{minutes}",
        at(minutes),
        "owner",
        "feedback",
        word,
        shown,
        about,
    )


def credits(evidence: Evidence) -> dict[str, tuple[float, float]]:
    return {
        entry: (t.gain, t.loss)
        for entry, t in evidence.tallies.items()
        if t.gain or t.loss
    }


def test_what_is_opened_gains_and_what_stood_above_it_loses_a_little() -> None:
    found = credits(
        attribute([asked("q", "a", "b", "c", "d"), opened("c", 0)], [])
    )
    assert found == {
        "a": (0, utility.PASSED),
        "b": (0, utility.PASSED),
        "c": (utility.OPENED, 0),
    }


def test_credit_decays_with_the_time_until_it_was_opened() -> None:
    gains = [
        credits(attribute([asked("q", "a"), opened("a", m)], [])).get(
            "a", (0.0, 0.0)
        )[0]
        for m in (0, 30, 1500)
    ]
    assert gains == [utility.OPENED, utility.OPENED / 2, 0]


def test_an_opening_belongs_to_its_readers_own_last_query_that_showed_it() -> (
    None
):
    reads = [
        asked("q1", "x", "a"),
        asked("q2", "a", words="other"),
        asked("q3", "y", "a", agent="bot"),
        opened("a", 1),
    ]
    evidence = attribute(reads, [])
    assert [q.opened for q in evidence.questions] == [[], ["a"], []]
    assert "x" not in credits(evidence) and "y" not in credits(evidence)


def test_an_opening_by_name_is_an_access_and_no_evidence() -> None:
    tally = attribute([opened("a", 0)], []).tallies["a"]
    assert (tally.accesses, tally.opened, tally.gain, tally.last) == (
        1,
        1,
        0,
        at(0),
    )


def test_good_is_spread_over_what_was_shown_by_place() -> None:
    tallies = attribute([asked("q", "a", "b"), said("good", "q")], []).tallies
    assert [round(tallies[entry].gain, 4) for entry in "ab"] == [0.6667, 0.3333]


def test_what_was_opened_takes_the_word_for_itself() -> None:
    tallies = attribute(
        [asked("q", "a", "b"), opened("b", 0), said("wrong", "q")], []
    ).tallies
    assert (tallies["b"].bad, tallies["b"].loss) == (1, 1)
    assert tallies["a"].bad == 0


def test_feedback_days_later_finds_what_was_shown_then() -> None:
    earlier = [asked("q", "a", "b"), asked("q2", "c", minutes=60)]
    evidence = attribute(
        [
            asked("q3", "z", minutes=9000, words="other"),
            said("bad", "q", minutes=9001),
        ],
        earlier,
    )
    assert evidence.tallies["a"].loss > evidence.tallies["b"].loss > 0
    assert "c" not in evidence.tallies, "a run has counted that already"
    assert [q.id for q in evidence.questions] == ["q", "q3"]


def test_feedback_on_an_entry_is_all_its_own() -> None:
    assert (
        attribute([said("useful", None, "a")], []).tallies["a"].gain
        == utility.SAID
    )


def test_a_loop_is_one_question_with_a_count_and_one_voice() -> None:
    loop: list[Read] = []
    for n in range(500):
        loop += [
            asked(f"q{n}", "a", "b", minutes=n / 100),
            opened("b", n / 100),
            said("good", f"q{n}", minutes=n / 100),
        ]
    evidence = attribute(loop, [])
    (question,) = evidence.questions
    assert (question.id, question.count) == ("q0", 500)
    assert evidence.tallies["a"].accesses == 500
    assert evidence.tallies["b"].gain == utility.OPENED + utility.SAID
    assert evidence.tallies["a"].loss == utility.PASSED


def test_the_last_word_on_an_answer_counts_once() -> None:
    evidence = attribute(
        [asked("q", "a"), said("good", "q"), said("bad", "q", minutes=2)], []
    )
    tally = evidence.tallies["a"]
    assert (tally.good, tally.bad, tally.loss) == (
        0,
        1,
        1,
    ) and tally.gain == pytest.approx(0, abs=1e-4)
    assert evidence.questions[0].outcome == "bad"


def test_to_and_fro_is_no_more_than_the_last_word() -> None:
    words = [
        said(("good", "bad")[n % 2], "q", minutes=n) for n in range(1, 100)
    ]
    tally = attribute([asked("q", "a"), *words], []).tallies["a"]
    assert (tally.good, tally.bad) == (0, 1)
    assert (tally.gain, tally.loss) == (
        pytest.approx(0, abs=1e-3),
        pytest.approx(1, abs=1e-3),
    )


def test_a_word_that_a_run_has_is_taken_back_by_a_later_one_on_the_same_answer() -> (
    None
):
    earlier = [asked("q", "a", "b"), said("good", "q")]
    tallies = attribute([said("wrong", "q", minutes=14_400)], earlier).tallies
    assert [round(tallies[each].good, 4) for each in "ab"] == [-0.6667, -0.3333]
    assert 0.9 * -0.6667 > tallies["a"].gain > -0.6667, (
        "it has aged by ten days, and so has what is taken back"
    )
    assert [round(tallies[each].loss, 4) for each in "ab"] == [0.6667, 0.3333]


def test_what_a_run_has_heard_of_an_answer_is_not_heard_again() -> None:
    earlier = [asked("q", "a"), said("good", "q")]
    assert attribute([said("useful", "q", minutes=3000)], earlier).tallies == {}


def test_the_same_question_asked_again_is_another_answer() -> None:
    earlier = [asked("q", "a"), said("good", "q")]
    tallies = attribute(
        [asked("q2", "a", minutes=3000), said("bad", "q2", minutes=3001)],
        earlier,
    ).tallies
    assert (tallies["a"].good, tallies["a"].gain, tallies["a"].loss) == (
        0,
        0,
        1,
    )


def test_a_word_on_an_entry_counts_once_in_a_run_and_the_last_one() -> None:
    words = [
        *(said("good", None, "a", minutes=n) for n in range(9)),
        said("bad", None, "a"),
    ]
    tally = attribute(words, []).tallies["a"]
    assert (tally.good, tally.bad) == (0, 1)


def test_what_was_opened_again_was_opened_last() -> None:
    reads = [
        asked("q", "a", "b"),
        opened("b", 1),
        opened("a", 2),
        opened("b", 3),
    ]
    assert attribute(reads, []).questions[0].opened == ["a", "b"]


def test_a_clock_set_back_neither_loses_nor_multiplies() -> None:
    evidence = attribute([asked("q", "a"), opened("a", -525_600)], [])
    assert evidence.tallies["a"].gain == utility.OPENED
    assert evidence.tallies["a"].last == at(0), "last does not go backwards"


def test_only_the_first_places_of_a_search_are_taken_for_read_and_an_answer_whole() -> (
    None
):
    entries = tuple("abcdefgh")
    assert sorted(attribute([asked("q", *entries)], []).tallies) == [
        "a",
        "b",
        "c",
    ]
    assert sorted(
        attribute([asked("q", *entries, verb="ask")], []).tallies
    ) == list(entries)


def lines(
    evidence: Evidence, known: tuple[str, ...] = (), most: int = 50
) -> list[dict[str, object]]:
    return attribution.use_events(evidence, known, now=at(60), most=most)


def test_the_lines_name_no_quiet_words_and_no_time_to_come() -> None:
    quiet = asked("q", "a", words="secret plan", minutes=999)._replace(
        quiet=True
    )
    (line,) = lines(attribute([quiet], []))
    assert line["e"] == "used" and line["last"] == at(60)
    assert "secret" not in str(line)


def test_a_run_tells_of_the_questions_that_something_came_of_first() -> None:
    reads = [
        asked(f"q{n}", "a", words=f"w{n}", minutes=n) for n in range(9)
    ] + [said("good", "q3", minutes=20)]
    told = [
        line
        for line in lines(attribute(reads, []), most=2)
        if line["e"] == "asked"
    ]
    assert [line["query"] for line in told] == ["q0", "q3"]


@pytest.mark.parametrize(
    ("known", "kinds"), [(("q",), ["rated", "used"]), ((), ["used"])]
)
def test_what_comes_later_of_a_query_on_record_is_told_of_that_query(
    known: tuple[str, ...], kinds: list[str]
) -> None:
    told = lines(attribute([said("good", "q")], [asked("q", "a")]), known)
    assert sorted(str(line["e"]) for line in told) == kinds
