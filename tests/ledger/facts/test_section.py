"""The facts section: what goes in, what comes back out of it, and whose lines are whose."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from companion.ledger import supersession
from companion.ledger.facts.put_section import put_facts
from companion.ledger.facts.section import (
    Line,
    Matter,
    Sheet,
    Telling,
    build_sheet,
    comparable_value,
    line_label,
    one_line,
)
from companion.pages.body import (
    dated_lines,
    grow_before_facts,
    split_at_facts,
    words_to_judge,
)
from companion.values.claims import Assertion, normal

NONE: frozenset[str] = frozenset()
NOW = "2026-11-20T00:00:00.000000Z"
_ODD = "abcZ é:()[]{}*_`\"'#%<>!-,.0123456789|\\"
words = st.text(_ODD, min_size=1, max_size=25).filter(
    lambda said: line_label("T", "T", said) != ""
)
values = st.text(_ODD, min_size=1, max_size=25).filter(
    lambda said: normal(one_line(said)) != ""
)
dates = st.dates(max_value=date(9998, 12, 31)).map(
    lambda day: (
        f"{max(day.year, 1000):04}-{day.month:02}-{min(day.day, 28):02}T00:00:00.000000Z"
    )
)


def said(id: str, value: str, when: str, **more: object) -> Telling:
    words = {
        "subject": "Anna",
        "predicate": "lives in",
        **{k: v for k, v in more.items() if k in Telling._fields},
    }
    rest = {k: v for k, v in more.items() if k not in Telling._fields}
    key = (normal(str(words["subject"])), normal(str(words["predicate"])))
    assertion = Assertion(id, key, normal(value), when, when, source=id, **rest)  # type: ignore[arg-type]
    return Telling(
        assertion, str(words["subject"]), str(words["predicate"]), value
    )


def matter(own: frozenset[str], *tellings: Telling, at: str) -> Matter:
    told = [telling.assertion for telling in tellings]
    return Matter(
        own,
        tellings,
        supersession.resolve(told, at=at, known_at=at),
        supersession.list_spells(told, known_at=at),
    )


def lines(
    *tellings: Telling, own: frozenset[str] = frozenset("a"), at: str = NOW
) -> list[str]:
    sheet = build_sheet("Anna", [matter(own, *tellings, at=at)], at=at)
    return [line.text for line in (*sheet.current, *sheet.earlier)]


def day(n: int) -> str:
    return f"2026-11-{n:02}T08:00:00.000000Z"


@given(words, words, values, dates, st.booleans())
def test_a_line_reads_back_as_what_it_says(
    subject: str, predicate: str, value: str, when: str, stated: bool
) -> None:
    old = said(
        "a",
        value + " once",
        "0999-01-01T00:00:00.000000Z",
        subject=subject,
        predicate=predicate,
    )
    new = said(
        "b",
        value,
        when,
        subject=subject,
        predicate=predicate,
        stated=stated,
        precision="day",
    )
    end = "9999-01-01T00:00:00.000000Z"
    sheet = build_sheet("T", [matter(frozenset("a"), old, new, at=end)], at=end)
    text = put_facts("words\n", sheet, theirs=NONE, gone=NONE, has=False)
    (fact,) = dated_lines(split_at_facts(text))
    assert fact.label == line_label("T", subject, predicate)
    assert comparable_value(fact.object) == comparable_value(value)
    assert (fact.start, fact.stated) == (when[:10], stated)
    assert put_facts(text, sheet, theirs=NONE, gone=NONE, has=True) == text


def test_a_page_is_not_said_twice_for_what_agrees_with_it_or_is_about_others() -> (
    None
):
    one, same = said("a", "Bern", day(1)), said("b", "bern", day(2))
    assert lines(one) == lines(one, same) == []
    assert lines(one, said("b", "Rome", day(2)), own=frozenset("b")) == []


def test_what_was_replaced_is_told_with_what_came_instead() -> None:
    assert lines(
        said("a", "Bern", day(1)),
        said("b", "Rome", day(3), stated=True),
        said("c", "Oslo", day(5)),
    ) == [
        "- lives in:: Oslo (told 2026-11-05)",
        "- lives in: Bern (told 2026-11-01, until 2026-11-03: then Rome)",
        "- lives in: Rome (since 2026-11-03, until 2026-11-05: then Oslo)",
    ]


def test_a_dispute_shows_both_sides_and_what_is_to_come_has_its_day() -> None:
    assert lines(said("a", "Bern", day(1)), said("b", "Rome", day(1))) == [
        "- lives in:: Bern (disputed, told 2026-11-01)",
        "- lives in:: Rome (disputed, told 2026-11-01)",
    ]
    to_come = said("b", "Rome", day(25), stated=True)
    to_come = to_come._replace(
        assertion=to_come.assertion._replace(told_at=day(2))
    )
    assert lines(said("a", "Bern", day(1)), to_come) == [
        "- lives in:: Bern (told 2026-11-01)",
        "- lives in:: Rome (from 2026-11-25)",
    ]


def test_a_value_that_returns_has_its_former_time_in_the_history() -> None:
    told = (
        said("a", "Bern", day(1)),
        said("b", "Rome", day(3)),
        said("c", "Bern", day(5)),
    )
    assert lines(*told) == []
    assert lines(*told, own=frozenset("b")) == [
        "- lives in:: Bern (told 2026-11-05)",
        "- lives in: Bern (told 2026-11-01, until 2026-11-03: then Rome)",
        "- lives in: Rome (told 2026-11-03, until 2026-11-05: then Bern)",
    ]


def test_what_was_taken_back_says_when_and_whether_by_hand() -> None:
    back = said("r", "Bern", day(4), mood="retracted", retracts=("a",))
    assert lines(said("a", "Bern", day(1)), back) == [
        "- lives in: Bern (told 2026-11-01, taken back 2026-11-04 by hand)"
    ]
    own = back._replace(
        assertion=back.assertion._replace(source="a", retracts=())
    )
    assert lines(said("a", "Bern", day(1)), own) == [
        "- lives in: Bern (told 2026-11-01, taken back 2026-11-04)"
    ]


def test_a_value_cannot_open_a_comment_nor_another_line() -> None:
    assert one_line("a <!-- b\nc %%d%%\x1b") == "a &lt;!-- b c %d%"
    assert one_line("<%%!--") == "<%!--" and "<!--" not in one_line("<<!--!--")


def sheet(*current: str, earlier: tuple[str, ...] = ()) -> Sheet:
    now = [
        Line(
            text[2:].partition("::")[0],
            text.partition(":: ")[2].partition(" (")[0],
            text,
        )
        for text in current
    ]
    was = [
        Line(
            text[2:].partition(":")[0],
            text.partition(": ")[2].partition(" (")[0],
            text,
        )
        for text in earlier
    ]
    return Sheet(tuple(now), tuple(was))


def put(
    text: str,
    wanted: Sheet,
    theirs: set[str] | None = None,
    gone: set[str] | None = None,
) -> str:
    return put_facts(
        text, wanted, theirs=theirs or NONE, gone=gone or NONE, has=True
    )


ONE, TWO = "- a:: 1 (told 2026-01-01)", "- a:: 2 (told 2026-02-02)"


def test_a_line_of_the_persons_stays_and_the_new_value_stands_beside_it() -> (
    None
):
    text = f"words\n\n## Facts\n\n{ONE}\n- remember to ask\n"
    assert (
        put(text, sheet(TWO))
        == f"words\n\n## Facts\n\n{TWO}\n- remember to ask\n"
    )
    assert (
        put(text, sheet(TWO), theirs={ONE})
        == f"words\n\n## Facts\n\n{ONE}\n{TWO}\n- remember to ask\n"
    )
    assert put(text, sheet("- a:: 1 (since 2020)"), theirs={ONE}) == text
    assert put(text, sheet(), theirs={ONE}) == text


def test_a_line_of_the_history_that_its_owner_deleted_stays_deleted() -> None:
    was = ("- a: 0 (told 2025-01-01)",)
    assert put("w\n", sheet(ONE, earlier=was)).endswith(
        f"### Earlier\n\n{was[0]}\n"
    )
    assert "Earlier" not in put("w\n", sheet(ONE, earlier=was), gone={was[0]})


def test_the_section_goes_when_nothing_is_left_to_say_and_all_else_stays_byte_for_byte() -> (
    None
):
    for before in ("w", "w\n", "w\n\n", "---\nid: x\n---\nw\r\n", "w\r\nv\r\n"):
        text = put_facts(before, sheet(ONE), theirs=NONE, gone=NONE, has=False)
        assert text.startswith(before) and text.count(ONE) == 1
        assert put(text, sheet()).rstrip() == before.rstrip()
    assert (
        put("## Facts\n\n- a:: 1\n\ntheirs\n", sheet(), theirs=NONE)
        == "theirs\n"
    )
    own = "note\n\n## Facts\n\n- mine:: 1\n"
    assert (
        put_facts(own, sheet(ONE), theirs=NONE, gone=NONE, has=False)
        == f"{own}\n## Facts\n\n{ONE}\n"
    )


def test_crlf_pages_keep_their_line_ends() -> None:
    text = put_facts("w\r\n", sheet(ONE), theirs=NONE, gone=NONE, has=False)
    assert text == f"w\r\n\r\n## Facts\r\n\r\n{ONE}\r\n"
    assert put(text, sheet(ONE)) == text
    assert (
        grow_before_facts(text, lambda page: page + "more\r\n")
        == f"w\r\n\r\nmore\r\n\r\n## Facts\r\n\r\n{ONE}\r\n"
    )


def test_what_follows_the_list_is_no_part_of_it_and_growth_goes_to_the_end() -> (
    None
):
    text = f"w\n\n## Facts\n\n{ONE}\nMy rule.\n"
    assert split_at_facts(text).after == ["My rule."]
    assert (
        grow_before_facts(text, lambda page: page + "more\n") == text + "more\n"
    )
    assert put(text, sheet(TWO)) == f"w\n\n## Facts\n\n{TWO}\nMy rule.\n"


@given(
    st.lists(
        st.sampled_from(
            [
                ONE,
                TWO,
                "- x",
                "",
                "words",
                "## Facts",
                "### Earlier",
                "  - y",
                "- a: 0 (told 1)",
            ]
        )
    )
)
def test_putting_is_idempotent_and_never_drops_a_line_of_the_persons(
    there: list[str],
) -> None:
    text = "\n".join(there) + "\n"
    wanted = sheet(TWO, earlier=("- a: 0 (told 1)",))
    once = put_facts(text, wanted, theirs={ONE}, gone=NONE, has=True)
    assert put(once, wanted, theirs={ONE}) == once
    for line in {"words", ONE, "- x", "  - y"}:
        assert once.split("\n").count(line) >= min(there.count(line), 1)


def test_what_somebody_merely_is_makes_no_line_and_a_name_does() -> None:
    def told(*values: str) -> list[str]:
        of = {"subject": "Anna", "predicate": "is"}
        first, second = values
        return lines(
            said("a", first, day(1), **of), said("b", second, day(2), **of)
        )

    assert told("doing well", "rooting") == []
    assert told("impressed", "Dr. Weber") == []
    assert len(told("Dr. Weber", "Dr. Lang")) == 2
    assert len(told("7", "12")) == 2


def test_several_sources_that_say_i_are_nobody_known() -> None:
    of = {"subject": "me", "predicate": "lives in"}
    porto = said("a", "Porto", day(1), **of)
    lisbon = said("b", "Lisbon", day(2), **of)
    other = lisbon._replace(
        assertion=lisbon.assertion._replace(source="somebody else")
    )
    mine = porto._replace(assertion=porto.assertion._replace(source="me"))
    again = lisbon._replace(assertion=lisbon.assertion._replace(source="me"))
    assert lines(mine, other) == []
    assert len(lines(mine, again)) == 2


def test_judges_hear_the_notes_and_not_the_facts_again() -> None:
    text = (
        "note\n\n## Facts\n\n- a:: 2 (told 2026-02-02)\n- mine\n\n### Earlier\n\n- a: 1 (told"
        " 2026-01-01: then 2)\n"
    )
    assert "told" not in words_to_judge(text) and "- mine" in words_to_judge(
        text
    )
    own = "note\n\n## Facts\n\n- rooms:: 4\n"
    assert words_to_judge(own).split() == own.split()
