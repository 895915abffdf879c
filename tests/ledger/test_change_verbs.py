"""Verbs of change and the states that they speak of: a function of the set of what was told, and
nothing else.
"""

from hypothesis import given
from hypothesis import strategies as st

from companion.ledger.change_verbs import (
    Families,
    Family,
    Wording,
    read_as_matters,
)

HOME = Family(
    "home",
    "place",
    ("live in", "wohnen in"),
    ("move to", "relocate to"),
    ("move from", "leave"),
    "name",
    unlike=frozenset({"team"}),
)
TOOL = Family(
    "tool", "use", ("use",), ("switch to", "move to"), ("move from",), one=False
)
PRICE = Family(
    "price",
    "price",
    ("is",),
    ("raise to",),
    values="number",
    like=frozenset({"friday"}),
    roles=("", "in"),
)
TABLE = Families([HOME, TOOL, PRICE])
PREDICATES = [
    "live in",
    "wohnen in",
    "move to",
    "relocate to",
    "move from",
    "leave",
    "use",
    "switch to",
    "is",
    "raise to",
    "fee",
    "fee raise to",
    "fee in",
    "like",
]
VALUES = [
    "Porto",
    "Lisbon",
    "Postgres",
    "the blue team",
    "10 €",
    "Friday",
    "tea",
]


@st.composite
def tellings(draw: st.DrawFn) -> list[Wording]:
    one = st.tuples(
        st.sampled_from(PREDICATES), st.sampled_from(VALUES), st.integers(0, 3)
    )
    drawn = draw(st.lists(one, max_size=9))
    return [
        Wording(str(n), predicate, value, ("note", at, at))
        for n, (predicate, value, at) in enumerate(drawn)
    ]


def told(*said: tuple[str, str]) -> list[Wording]:
    return [
        Wording(str(n), predicate, value, ("note", n, n))
        for n, (predicate, value) in enumerate(said)
    ]


def predicates(*said: tuple[str, str]) -> list[str]:
    """Return the predicate of each statement as it reads, "not" before it where it ends its
    value.
    """
    found = read_as_matters(told(*said), TABLE)
    return [
        " ".join(
            "not " * reading.end + reading.predicate
            for reading in found.get(str(n), ())
        )
        or predicate
        for n, (predicate, _) in enumerate(said)
    ]


@given(tellings(), st.randoms(use_true_random=False))
def test_the_order_of_telling_changes_nothing(
    said: list[Wording], random: object
) -> None:
    mixed = list(said)
    random.shuffle(mixed)  # type: ignore[attr-defined]

    assert read_as_matters(mixed, TABLE) == read_as_matters(said, TABLE)


@given(tellings())
def test_what_is_told_again_changes_nothing(said: list[Wording]) -> None:
    again = [each._replace(id=f"{each.id} again") for each in said]
    found = read_as_matters([*said, *again], TABLE)

    assert {
        id: readings
        for id, readings in found.items()
        if not id.endswith("again")
    } == read_as_matters(said, TABLE)


@given(tellings())
def test_what_has_been_read_reads_the_same_again(said: list[Wording]) -> None:
    # no verb speaks of both: it may take "from" to tell, and that is read by then
    table = Families([HOME, PRICE])
    found = read_as_matters(said, table)
    kept = [
        s
        for s in said
        if not any(reading.end for reading in found.get(s.id, ()))
    ]
    once = [
        s._replace(predicate=found[s.id][0].predicate) if s.id in found else s
        for s in kept
    ]
    again = read_as_matters(once, table)

    assert all(
        again[s.id][0].predicate == s.predicate for s in once if s.id in again
    )


@given(tellings())
def test_a_statement_reads_as_a_state_only_where_its_subject_is_known_to_have_one(
    said: list[Wording],
) -> None:
    told_of = {s.predicate for s in said}
    for readings in read_as_matters(said, TABLE).values():
        assert all(reading.predicate in told_of for reading in readings)


@given(tellings(), st.sampled_from(PREDICATES))
def test_what_is_looked_up_for_one_predicate_is_all_that_its_reading_rests_on(
    said: list[Wording], predicate: str
) -> None:
    keys, role = TABLE.related(predicate)
    near = [
        s
        for s in said
        if s.predicate in keys or s.predicate.startswith(f"{role} ")
    ]
    whole, part = read_as_matters(said, TABLE), read_as_matters(near, TABLE)

    assert all(
        part.get(s.id) == whole.get(s.id)
        for s in said
        if s.predicate == predicate
    )


def test_who_is_known_to_live_somewhere_moved_house() -> None:
    assert predicates(("live in", "Porto"), ("move to", "Lisbon")) == [
        "live in",
        "live in",
    ]


def test_of_whom_no_home_is_known_may_have_moved_anything() -> None:
    assert predicates(("move to", "Lisbon"), ("like", "tea")) == [
        "move to",
        "like",
    ]


def test_two_verbs_of_one_change_are_one_matter() -> None:
    assert predicates(("move to", "Lisbon"), ("relocate to", "Faro")) == [
        "move to",
        "move to",
    ]


def test_another_team_is_no_home() -> None:
    assert predicates(
        ("live in", "Porto"),
        ("move to", "the blue team"),
        ("move to", "Blue Team"),
    )[1:] == ["move to", "move to"]


def test_of_two_states_that_a_verb_may_speak_of_the_value_that_was_left_says_which() -> (
    None
):
    known = [("live in", "Porto"), ("use", "MySQL")]

    assert predicates(*known, ("move to", "Lisbon"))[2] == "move to"
    said = [
        *told(*known),
        Wording("to", "move to", "Postgres", ("note", 9, 9)),
        Wording("from", "move from", "MySQL", ("note", 9, 9)),
    ]
    found = read_as_matters(said, TABLE)
    assert [r.predicate for r in found["to"]] == ["use"]
    assert [(r.predicate, r.end) for r in found["from"]] == [("use", True)]


def test_what_is_left_ends_only_where_it_was_so() -> None:
    said = [("live in", "Porto"), ("leave", "Porto"), ("leave", "Faro")]

    assert predicates(*said) == ["live in", "not live in", "leave"]


def test_a_number_that_changes_is_the_number_that_was_told() -> None:
    assert predicates(("is", "10 €"), ("raise to", "12 €")) == ["is", "is"]
    assert predicates(("is", "nice"), ("raise to", "12 €")) == [
        "is",
        "raise to",
    ]
    assert predicates(("fee", "10 €"), ("fee raise to", "12 €")) == [
        "fee",
        "fee",
    ]
