"""Chains of claims that answer a question: from whom it names, along claims that cover its words, else not known."""

from collections.abc import Collection, Sequence

from companion.core.ask import Step, Words, answer

WORDS = Words(
    {"live": ["live"], "lives": ["live"], "sister": ["sister"], "boss": ["head"], "director": ["head"]},
    {"where", "does", "who", "is", "the", "of", "s", "in", "what"},
    {"i", "my"},
)
TOLD = {
    "me": [("sister", "sister", "anna")],
    "anna": [("live in", "lives in", "bern"), ("boss", "boss", "paul")],
    "bern": [("mayor", "mayor", "alec")],
    "acme": [("director", "director", "eve")],
}


def ask(question: str, told: dict[str, list[tuple[str, str, str]]] = TOLD) -> list[str]:
    def facts(name: str) -> Sequence[Step]:
        return [Step((name, key), said, value, (value,)) for key, said, value in told.get(name, [])]

    def known(names: Sequence[str]) -> Collection[str]:
        return [name for name in names if name in told]

    return [chain.steps[-1].value for chain in answer(question, known, facts, WORDS)]


def test_one_hop_by_the_words_of_the_claim_or_by_others_of_one_concept() -> None:
    assert ask("Where does Anna live?") == ["bern"]
    assert ask("Who is the boss of Acme?") == ["eve"]


def test_several_hops_and_the_first_person() -> None:
    assert ask("Where does my sister live?") == ["bern"]
    assert ask("Who is the boss of my sister?") == ["paul"]


def test_what_was_never_told_is_not_known() -> None:
    assert ask("What is the salary of Anna?") == []
    assert ask("Where does Nobody live?") == []
    assert ask("") == ask("?!") == []


def test_both_sides_of_one_matter_are_answered() -> None:
    two = {"anna": [("live in", "lives in", "bern"), ("live in", "lives in", "rome"), ("boss", "boss", "paul")]}
    assert ask("Where does Anna live?", two) == ["bern", "rome"]


def test_a_circle_of_claims_ends() -> None:
    circle = {"a": [("live", "live", "b")], "b": [("live", "live", "a")]}
    assert ask("Where does a live?", circle) == ["b"]


def test_the_order_in_which_claims_come_does_not_matter() -> None:
    turned = {name: list(reversed(steps)) for name, steps in TOLD.items()}
    for question in ("Where does my sister live?", "Who is the boss of Anna?"):
        assert ask(question, turned) == ask(question)
