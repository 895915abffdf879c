"""Chains of claims that answer a question: from whom it names, along claims that cover its words,
else not known.
"""

from collections.abc import Collection, Sequence

import pytest

from companion.answers.asked import question_words
from companion.answers.chains.covers import Chain, Step
from companion.answers.chains.fits import Facts
from companion.answers.chains.walk import find_chains
from companion.answers.question import Known, read_question
from companion.answers.words import Words

WORDS = Words(
    concepts={
        "live": ["home"],
        "lives": ["home"],
        "sister": ["sister"],
        "boss": ["head"],
        "director": ["head"],
        "wrote": ["author"],
        "author": ["author"],
        "write": ["author"],
        "born": ["birth"],
        "mayor": ["mayor"],
    },
    kinds={"city": ["city"], "person": ["person"], "continent": ["continent"]},
    values={
        "home": ["place"],
        "head": ["person"],
        "author": ["person"],
        "birth": ["place", "time"],
        "mayor": ["person"],
    },
    wider={"city": ["place"], "person": ["agent"], "continent": ["place"]},
    asks={
        "who": ["agent"],
        "whom": ["agent"],
        "where": ["place"],
        "when": ["time"],
    },
    stop={
        "where",
        "does",
        "did",
        "who",
        "whom",
        "is",
        "was",
        "the",
        "of",
        "s",
        "in",
        "what",
        "to",
        "by",
        "which",
        "when",
    },
    weak={"famous", "person"},
    me={"i", "my"},
    called={"user"},
    us={"we", "our"},
    between={"of", "at", "in"},
    ands={"and"},
    ors={"or"},
    which={"what", "which"},
    articles={"the", "a"},
    identity={"is"},
    times={"may"},
    numbers={"two"},
    endings=("ing", "s"),
    agents={"or"},
    by={"by"},
    symmetric={"spouse"},
    past={"formerly"},
)


def _find(question: str, known: Known, facts: Facts) -> list[Chain]:
    return find_chains(read_question(question, known, WORDS), facts, WORDS)


TOLD = {
    "me": [("sister", "sister", "anna")],
    "anna": [("live in", "lives in", "bern"), ("boss", "boss", "paul")],
    "bern": [("mayor", "mayor", "alec")],
    "acme": [("director", "director", "eve")],
}


def ask(
    question: str, told: dict[str, list[tuple[str, str, str]]] = TOLD
) -> list[str]:
    def facts(name: str) -> Sequence[Step]:
        return [
            Step((name, key), said, value, (value,))
            for key, said, value in told.get(name, [])
        ]

    def known(names: Sequence[str]) -> Collection[str]:
        return [name for name in names if name in told]

    return [chain.steps[-1].value for chain in _find(question, known, facts)]


def test_one_hop_by_the_words_of_the_claim_or_by_others_of_one_concept() -> (
    None
):
    assert ask("Where does Anna live?") == ["bern"]
    assert ask("Who is the boss of Acme?") == ["eve"]


def test_several_hops_and_the_first_person() -> None:
    assert ask("Where does my sister live?") == ["bern"]
    assert ask("Who is the boss of my sister?") == ["paul"]


def test_what_was_never_told_is_not_known() -> None:
    assert ask("What is the salary of Anna?") == []
    assert ask("Where does Nobody live?") == []
    assert ask("") == ask("?!") == []


def test_what_the_question_says_itself_is_no_answer_to_it() -> None:
    keeps = {"ruth": [("keep", "keeps", "bees")]}
    assert ask("Where does Ruth keep bees?", keeps) == []
    assert ask("Does Ruth keep bees?", keeps) == ["bees"]
    assert (
        ask(
            "Where do I keep bees?",
            {
                "bees": [("keep", "keeps", "me")],
                "me": [("keep", "keeps", "bees")],
            },
        )
        == []
    )
    assert ask("Where does Anna live, Bern or Rome?") == ["bern"]


def test_both_sides_of_one_matter_are_answered() -> None:
    two = {
        "anna": [
            ("live in", "lives in", "bern"),
            ("live in", "lives in", "rome"),
            ("boss", "boss", "paul"),
        ]
    }
    assert ask("Where does Anna live?", two) == ["bern", "rome"]


def test_a_claim_answers_once_and_not_from_both_its_ends() -> None:
    ahead = Step(("ruth", "keep"), "keeps", "bees", ("1",))
    told = {
        "ruth": [ahead],
        "bees": [ahead._replace(value="ruth", inverse=True)],
    }
    found = _find(
        "Does Ruth keep bees?",
        lambda names: [n for n in names if n in told],
        told.__getitem__,
    )
    assert [chain.steps[-1].value for chain in found] == ["bees"]


def test_what_one_sentence_says_of_a_thing_counts_for_where_and_of_what() -> (
    None
):
    told = {
        "tom": [
            Step(
                ("tom", "study"), "studied", "physics", ("1",), beside=("graz",)
            ),
            Step(
                ("tom", "study in"),
                "studied in",
                "graz",
                ("2",),
                beside=("physics",),
            ),
            Step(("tom", "work in"), "works in", "rome", ("3",)),
        ]
    }

    def asked(question: str) -> list[str]:
        found = _find(
            question,
            lambda names: [n for n in names if n in told],
            lambda n: told.get(n, []),
        )
        return [chain.steps[-1].value for chain in found]

    assert (
        asked("Where did Tom study physics?")
        == asked("Where did Tom study?")
        == ["graz"]
    )
    assert asked("What did Tom study in Graz?") == ["physics"]
    assert (
        asked("Where did Tom study chemistry?")
        == asked("Where did Tom work physics?")
        == []
    )


@pytest.mark.parametrize(
    ("question", "predicate", "value", "answers"),
    [
        ("When is the bike?", "is at", "\U0001f642", []),
        ("Where is the bike?", "moved to", "\U0001f642", []),
        ("Where is the bike?", "\U0001f6b2", "Rome", ["Rome"]),
        ("When is the bike?", "\U0001f6b2", "nine", []),
    ],
)
def test_a_verb_and_a_value_may_have_no_word(
    question: str, predicate: str, value: str, answers: list[str]
) -> None:
    words = question_words(question)
    step = Step(("bike", "be"), predicate, value, ("1",), capital=False)
    asked = read_question(question, lambda _: {"bike"}, words)
    chains = find_chains(
        asked, lambda name: [step] if name == "bike" else [], words
    )
    assert [chain.steps[-1].value for chain in chains] == answers


def test_a_circle_of_claims_ends() -> None:
    circle = {"a": [("live", "live", "b")], "b": [("live", "live", "a")]}
    assert ask("Where does a live?", circle) == ["b"]


def test_the_order_in_which_claims_come_does_not_matter() -> None:
    turned = {name: list(reversed(steps)) for name, steps in TOLD.items()}
    for question in ("Where does my sister live?", "Who is the boss of Anna?"):
        assert ask(question, turned) == ask(question)


def test_a_word_that_matters_and_that_no_claim_covers_means_not_known() -> None:
    assert ask("Where does the dentist of Anna live?") == []
    assert ask("Where does the sister of Anna live?") == []
    assert (
        ask("Where does the famous Anna live?")
        == ask("Where does Anna really live?")
        == ["bern"]
    )
    assert ask("Where did Anna formerly live?") == []


def test_only_a_value_of_the_kind_that_is_asked_answers() -> None:
    assert ask("When does Anna live?") == []
    assert ask("Who does Anna live?") == []
    assert ask("On which continent does Anna live?") == []
    assert ask("In which city does Anna live?") == ["bern"]


def test_the_word_that_is_asked_for_is_covered_by_the_last_step() -> None:
    assert ask("What is the boss of the sister of my live?") == []
    assert ask("Who is the mayor of the city Anna lives in?") == ["alec"]


def test_a_claim_is_asked_in_the_direction_in_which_it_was_told() -> None:
    back = Step(
        ("paul", "report to"),
        "reports to",
        "paul",
        ("1",),
        inverse=True,
        rule="en/verb",
    )
    ahead = Step(
        ("anna", "report to"), "reports to", "eve", ("2",), rule="en/verb"
    )

    def asked(question: str) -> list[str]:
        found = _find(
            question,
            lambda names: [n for n in names if n == "anna"],
            lambda _: [back, ahead],
        )
        return [chain.steps[-1].value for chain in found]

    assert asked("Who reports to Anna?") == ["paul"]
    assert asked("Whom does Anna report to?") == ["eve"]


def test_one_wrong_letter_in_a_long_word_is_read_over_and_not_in_a_name() -> (
    None
):
    assert ask("Who is the driector of Acme?") == ["eve"]
    assert ask("Who is the diverter of Acme?") == []


def test_a_question_is_read_by_its_names_its_words_and_what_it_asks_for() -> (
    None
):
    asked = read_question(
        "Which city does Anna, a person of note, live or work in?",
        lambda names: ["anna"],
        WORDS,
    )
    assert asked.names == (("anna", 3, 4),)
    assert asked.kinds == {"city"} and asked.head == (1,)
    assert [
        slot.word for slot in asked.slots if slot.owed and not slot.proper
    ] == ["city", "live"]


def test_nobody_is_found_through_what_i_did() -> None:
    """Who speaks is nobody in particular: "took" of I is not of whom the hospital saw."""
    visited = Step(("me", "visited"), "visited", "hospital", ("1",))
    took = Step(("me", "took"), "took", "poetry class", ("2",))
    told = {
        "hospital": [visited._replace(value="me", inverse=True)],
        "me": [visited, took],
    }

    def values(question: str) -> list[str]:
        chains = _find(
            question,
            lambda names: [name for name in names if name in told],
            lambda name: told.get(name, []),
        )
        return [chain.steps[-1].value for chain in chains]

    assert values("What was took by who visited the hospital?") == []
    assert values("What I took?") == ["poetry class"]
    assert values("Who visited the hospital?") == ["me"]
