"""Whose outcome it was: openings and words of feedback find what was shown then."""

from datetime import UTC, datetime, timedelta

import pytest

from companion.core import attribution, utility
from companion.core.attribution import Evidence, Read, attribute

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def at(minutes: float) -> str:
    return (NOON + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def asked(
    id: str, *shown: str, minutes: float = 0, words: str = "port", agent: str = "owner", verb: str = "search"
) -> Read:
    return Read(id, at(minutes), agent, verb, words, shown)


def opened(entry: str, minutes: float, agent: str = "owner") -> Read:
    return Read(f"open-{entry}-{minutes}", at(minutes), agent, "show", "", (entry,))


def said(word: str, about: str | None, *shown: str, minutes: float = 1) -> Read:
    return Read(f"said-{word}-{about}-{minutes}", at(minutes), "owner", "feedback", word, shown, about)


def credits(evidence: Evidence) -> dict[str, tuple[float, float]]:
    return {entry: (t.gain, t.loss) for entry, t in evidence.tallies.items() if t.gain or t.loss}


def test_what_is_opened_gains_and_what_stood_above_it_loses_a_little() -> None:
    found = credits(attribute([asked("q", "a", "b", "c", "d"), opened("c", 0)], []))
    assert found == {"a": (0, utility.PASSED), "b": (0, utility.PASSED), "c": (utility.OPENED, 0)}


def test_credit_decays_with_the_time_until_it_was_opened() -> None:
    gains = [credits(attribute([asked("q", "a"), opened("a", m)], [])).get("a", (0.0, 0.0))[0] for m in (0, 30, 1500)]
    assert gains == [utility.OPENED, utility.OPENED / 2, 0]


def test_an_opening_belongs_to_its_readers_own_last_query_that_showed_it() -> None:
    reads = [asked("q1", "x", "a"), asked("q2", "a", words="other"), asked("q3", "y", "a", agent="bot"), opened("a", 1)]
    evidence = attribute(reads, [])
    assert [q.opened for q in evidence.questions] == [[], ["a"], []]
    assert "x" not in credits(evidence) and "y" not in credits(evidence)


def test_an_opening_by_name_is_an_access_and_no_evidence() -> None:
    tally = attribute([opened("a", 0)], []).tallies["a"]
    assert (tally.accesses, tally.opened, tally.gain, tally.last) == (1, 1, 0, at(0))


def test_good_is_spread_over_what_was_shown_by_place() -> None:
    tallies = attribute([asked("q", "a", "b"), said("good", "q")], []).tallies
    assert [round(tallies[entry].gain, 4) for entry in "ab"] == [0.6667, 0.3333]


def test_what_was_opened_takes_the_word_for_itself() -> None:
    tallies = attribute([asked("q", "a", "b"), opened("b", 0), said("wrong", "q")], []).tallies
    assert (tallies["b"].bad, tallies["b"].loss) == (1, 1)
    assert tallies["a"].bad == 0


def test_feedback_days_later_finds_what_was_shown_then() -> None:
    earlier = [asked("q", "a", "b"), asked("q2", "c", minutes=60)]
    evidence = attribute([asked("q3", "z", minutes=9000, words="other"), said("bad", "q", minutes=9001)], earlier)
    assert evidence.tallies["a"].loss > evidence.tallies["b"].loss > 0
    assert "c" not in evidence.tallies, "a run has counted that already"
    assert [q.id for q in evidence.questions] == ["q", "q3"]


def test_feedback_on_an_entry_is_all_its_own() -> None:
    assert attribute([said("useful", None, "a")], []).tallies["a"].gain == utility.SAID


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


def test_a_change_of_mind_counts_and_the_last_word_stands() -> None:
    evidence = attribute([asked("q", "a"), said("good", "q"), said("bad", "q", minutes=2)], [])
    assert (evidence.tallies["a"].good, evidence.tallies["a"].bad) == (1, 1)
    assert evidence.questions[0].outcome == "bad"


def test_a_clock_set_back_neither_loses_nor_multiplies() -> None:
    evidence = attribute([asked("q", "a"), opened("a", -525_600)], [])
    assert evidence.tallies["a"].gain == utility.OPENED
    assert evidence.tallies["a"].last == at(0), "last does not go backwards"


def test_only_the_first_places_of_a_search_are_taken_for_read_and_an_answer_whole() -> None:
    entries = tuple("abcdefgh")
    assert sorted(attribute([asked("q", *entries)], []).tallies) == ["a", "b", "c"]
    assert sorted(attribute([asked("q", *entries, verb="ask")], []).tallies) == list(entries)


def lines(evidence: Evidence, known: tuple[str, ...] = (), most: int = 50) -> list[dict[str, object]]:
    return attribution.lines(evidence, known, now=at(60), most=most)


def test_the_lines_name_no_quiet_words_and_no_time_to_come() -> None:
    quiet = asked("q", "a", words="secret plan", minutes=999)._replace(quiet=True)
    (line,) = lines(attribute([quiet], []))
    assert line["e"] == "used" and line["last"] == at(60)
    assert "secret" not in str(line)


def test_a_run_tells_of_the_questions_that_something_came_of_first() -> None:
    reads = [asked(f"q{n}", "a", words=f"w{n}", minutes=n) for n in range(9)] + [said("good", "q3", minutes=20)]
    told = [line for line in lines(attribute(reads, []), most=2) if line["e"] == "asked"]
    assert [line["query"] for line in told] == ["q0", "q3"]


@pytest.mark.parametrize(("known", "kinds"), [(("q",), ["rated", "used"]), ((), ["used"])])
def test_what_comes_later_of_a_query_on_record_is_told_of_that_query(known: tuple[str, ...], kinds: list[str]) -> None:
    told = lines(attribute([said("good", "q")], [asked("q", "a")]), known)
    assert sorted(str(line["e"]) for line in told) == kinds
