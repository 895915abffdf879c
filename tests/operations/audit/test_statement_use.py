"""Which statements of a page the replayed answers used."""

from companion.operations.audit.questions.query_set import Probe
from companion.operations.audit.statement_use import (
    MOST,
    StatementWords,
    as_statement,
    choose_used,
)

OSLO = StatementWords("a", frozenset({"oslo", "anna"}))
BIKE = StatementWords("b", frozenset({"bike"}))


def probe(words: str, **options: object) -> Probe:
    base = Probe(
        id=words,
        kind="recorded",
        group=words,
        words=words,
        verb="search",
        at="",
        useful={"page": 1.0, "other": 0.1},
        harmful=frozenset({"page"}),
    )
    return base._replace(**options)


def used(*probes: Probe, **answering: set[str]) -> list[tuple[str, int]]:
    rankings = {each.id: ["other", "page"] for each in probes}
    uses = choose_used("page", [OSLO, BIKE], probes, rankings, answering)
    return [(use.capture, len(use.probes)) for use in uses]


def test_a_search_used_the_one_statement_that_has_words_of_it():
    assert used(probe("Oslo trip"), probe("Bike"), probe("bike shop")) == [
        ("b", 2),
        ("a", 1),
    ]


def test_a_search_in_words_of_two_statements_used_neither_alone():
    assert used(probe("bike in Oslo"), probe("weather")) == []


def test_an_answer_from_claims_used_the_statements_that_tell_them():
    assert used(probe("who"), who={"a", "b"}) == [("a", 1), ("b", 1)]
    assert used(probe("Oslo"), Oslo=set()) == []
    assert used(probe("Oslo"), Oslo={"gone"}) == []


def test_a_challenge_concerns_the_statement_that_it_contradicts():
    against = probe("Oslo", kind="challenge", statement="b")

    assert used(against) == [("b", 1)]


def test_a_page_that_was_not_found_was_not_used():
    asked = probe("Oslo")

    assert choose_used("page", [OSLO], [asked], {asked.id: ["x"]}, {}) == []


def test_the_most_used_statements_are_audited_and_ten_at_most():
    many = [StatementWords(f"c{n:02}", frozenset({f"w{n}"})) for n in range(15)]
    probes = [probe(f"w{n}") for n in range(15)]
    probes.append(probe("w14 more", group="more"))
    rankings = {each.id: ["page"] for each in probes}

    uses = choose_used("page", many, probes, rankings, {})

    assert len(uses) == MOST
    assert [use.capture for use in uses][:3] == ["c14", "c00", "c01"]


def test_the_statement_takes_the_place_of_its_page_in_a_question():
    asked = as_statement("page", "page#^a", probe("Oslo"))

    assert asked.useful == {"page#^a": 1.0, "other": 0.1}
    assert asked.harmful == {"page#^a"}
