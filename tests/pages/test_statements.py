"""Statements of a page: blocks are read as they were written, and nothing of a person's is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.page import parse
from companion.pages.statement_edits import (
    NewStatement,
    add_statement,
    add_statements,
    mark_lost_page,
    put_mentions,
    reinstate_statement,
    remove_statement,
    remove_statements,
    retire_statement,
    unmark_lost_page,
)
from companion.pages.statements import (
    Mention,
    find_statement,
    name_statement,
    read_mentions,
    read_opening,
    read_statements,
    standing_text,
    text_beside_statements,
    without_derived,
)

FRONT = "---\nid: abcdefghijklmnop\ntitle: Anna\n---\n"
A, B, C = "a" * 12, "b" * 12, "c" * 12

ids = st.text("0123456789abcdef", min_size=12, max_size=12)
days = st.dates().map(lambda day: f"{day.isoformat()} 09:14")
lines = st.one_of(
    st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20),
    st.sampled_from(
        [
            "## 2026-01-01 10:00",
            "### 09:15",
            "## Earlier",
            "## Mentions",
            "## Facts",
            f"words ^{C}",
            f"^{C}",
            "```",
            "- item",
            "| a | b |",
            "> quote",
            "Until 2026: x",
            "- 2026-01-01: [[Other#^cccccccccccc|words]]",
            "---",
        ]
    ),
)
words = (
    st.lists(lines, min_size=1, max_size=8)
    .map("\n".join)
    .map(lambda text: text.strip("\r\n"))
    # no note holds the hash of its own bytes
    .filter(lambda text: text.strip() and A not in text and B not in text)
)


def _page(*blocks: tuple[str, str, str]) -> str:
    text = FRONT
    for id, when, told in blocks:
        text = add_statement(text, id, when, told)
    return text


@given(st.dictionaries(ids, st.tuples(days, words), max_size=6))
def test_statements_are_read_as_they_were_written(notes):
    text = _page(*((id, *told) for id, told in notes.items()))

    found = {one.id: (one.when, one.words) for one in read_statements(text)}

    for id, (when, told) in notes.items():
        if any(f"^{id}" in other for _, other in notes.values()):
            continue  # a note that quotes this very id
        body = told.strip("\n")
        while body.startswith("\n") or body.endswith("\n"):
            body = body.strip("\n")
        assert found[id][0] == when
        assert found[id][1].strip("\n") == body


@given(st.dictionaries(ids, st.tuples(days, words), max_size=5), st.randoms())
def test_the_order_of_arrival_does_not_matter(notes, random):
    blocks = [(id, *told) for id, told in notes.items()]
    shuffled = list(blocks)
    random.shuffle(shuffled)

    assert _page(*blocks) == _page(*shuffled)


@given(words, words)
def test_a_removed_statement_leaves_the_others_alone(one, other):
    whole = _page((A, "2026-01-01", one), (B, "2026-01-02", other))

    assert remove_statement(whole, B) == _page((A, "2026-01-01", one))


@given(words, words)
def test_a_lost_statement_comes_back_as_it_was(one, other):
    whole = _page((A, "2026-01-01", one), (B, "2026-01-02", other))

    lost = retire_statement(whole, A, "2026-02-01", "[[Anna]]", "it lost.")
    found = find_statement(lost, A)

    assert found is not None
    assert found.earlier
    assert reinstate_statement(lost, A) == whole


def test_what_a_person_wrote_between_blocks_stays():
    whole = _page((A, "2026-01-01", "one"), (B, "2026-01-03", "two"))
    whole = whole.replace(f"one ^{A}\n", f"one ^{A}\n\nMy own line.\n")

    text = add_statement(whole, C, "2026-01-02", "between")
    text = remove_statement(text, A)
    text = retire_statement(text, B, "2026-02-01", "", "gone.")

    assert "\nMy own line.\n" in text
    assert [one.id for one in read_statements(text)] == [C, B]


def test_a_heading_typed_by_hand_is_no_statement():
    typed = FRONT + "\n## 2026-01-01\n\nMy own words.\n"

    text = add_statement(typed, B, "2026-01-02", "a note")

    assert [one.words for one in read_statements(text)] == ["a note"]
    assert "My own words." in remove_statement(text, B)


def test_crlf_pages_keep_their_line_ends():
    text = _page((A, "2026-01-01", "one")).replace("\n", "\r\n")

    text = add_statement(text, B, "2026-01-02", "two")

    assert text.count("\n") == text.count("\r\n")
    assert [one.words for one in read_statements(text)] == ["one", "two"]


def test_lines_around_a_statement_keep_their_own_endings():
    text = "# Anna\r\n\r\nmine\rtoo\n\nlast"
    grown = add_statement(text, A, "2026-01-01", "one")
    assert grown.startswith(text)
    grown = put_mentions(grown, [Mention("2026-01-02", "Paul", B, "x")], [B])
    assert grown.startswith(text)
    assert put_mentions(grown, [], [B]).startswith(text)
    assert remove_statement(grown, A).startswith(text)
    lost = retire_statement(grown, A, "2026-01-02", "", "It changed.")
    assert lost.startswith(text)


def test_mentions_are_no_words_of_the_page():
    whole = _page((A, "2026-01-01", "one"))
    mention = Mention("2026-02-01", "Paul", B, "Dinner with [Anna]")

    text = put_mentions(whole, [mention], {B})

    assert read_mentions(text) == [
        Mention("2026-02-01", "Paul", B, "Dinner with Anna")
    ]
    assert "Dinner" not in without_derived(text)
    assert "Dinner" not in standing_text(text)
    assert put_mentions(text, [], {B}) == whole


def test_mentions_of_others_and_lines_of_a_person_stay():
    text = put_mentions(
        _page((A, "2026-01-01", "one")),
        [Mention("2026-02-01", "Paul", B, "Dinner")],
        {B},
    )
    text = text.replace("## Mentions\n", "## Mentions\n\nmy remark\n")

    text = put_mentions(text, [Mention("2026-01-15", "Eva", C, "Tea")], {C})

    assert [one.page for one in read_mentions(text)] == ["Eva", "Paul"]
    assert "\nmy remark\n" in text


def test_links_of_mentions_are_no_edges():
    text = put_mentions(
        _page((A, "2026-01-01", "see [[Eva]]")),
        [Mention("2026-02-01", "Paul", B, "Dinner")],
        {B},
    )

    found = [(link.target, link.kind) for link in parse(text, "a.md").links]

    assert found == [("Eva", "link"), ("Paul", "mention")]


def test_judges_read_what_stands():
    whole = _page(
        (A, "2026-01-01", "She lives in Oslo."), (B, "2026-01-02", "x")
    )

    text = retire_statement(whole, A, "2026-02-01", "[[Anna]]", "it lost.")

    assert "Oslo" not in standing_text(text)
    assert "it lost" not in standing_text(text)
    assert f"^{B}" not in standing_text(text)


@pytest.mark.parametrize(
    "ending",
    ["- item", "```\ncode\n```", "| a |\n| - |", "> quote", "1. one", "line  "],
)
def test_an_id_stands_on_a_line_of_its_own_behind_what_is_no_paragraph(ending):
    text = _page((A, "2026-01-01", f"words\n\n{ending}"))

    assert text.endswith(f"\n\n^{A}\n")
    assert read_statements(text)[0].words == f"words\n\n{ending}"


def test_what_stands_beside_statements_is_all_but_blocks_and_our_lines():
    text = f"{FRONT}The opening.\n"
    text = add_statement(text, A, "2026-03-02 09:14", "First.")
    text = add_statement(text, B, "2026-03-03 09:14", "Second.")
    text = text.replace("\n## 2026-03-03", "\nBy hand.\n\n## 2026-03-03")
    text = retire_statement(text, B, "2026-04-01", "", "It lost.")
    text = put_mentions(text, [Mention("2026-04-02", "Paul", C, "x")], {C})

    beside = [line for line in text_beside_statements(text).split("\n") if line]
    assert beside == [*FRONT.splitlines(), "The opening.", "By hand."]


def test_a_statement_is_called_by_its_page_and_its_day_or_hour():
    assert name_statement("Anna", "2026-03-02 09:14") == "Anna (2026-03-02)"
    assert name_statement("Anna", "2026-03-02") == "Anna (2026-03-02)"
    assert name_statement("2026-03-02", "09:14") == "2026-03-02 09:14"


@given(st.dictionaries(ids, st.tuples(days, words), max_size=5), st.data())
def test_many_are_added_and_removed_as_one_by_one(notes, data):
    half = (
        data.draw(st.lists(st.sampled_from(sorted(notes)), unique=True))
        if notes
        else []
    )
    start = _page(*((id, *notes[id]) for id in sorted(notes) if id not in half))

    more = [NewStatement(id, *notes[id]) for id in half]
    whole = add_statements(start, more)

    assert whole == _page(*((id, *told) for id, told in notes.items()))
    one_by_one = whole
    for id in half:
        one_by_one = remove_statement(one_by_one, id)
    assert remove_statements(whole, set(half)) == one_by_one


def test_notes_that_come_at_once_stand_one_behind_another_above_blank_lines():
    told = [NewStatement(A, "2026-03-01 08:00", "One.")]
    told += [NewStatement(B, "2026-03-02 08:00", "Two.")]

    text = add_statements("The opening.\n\n\n\n", told)

    assert [one.words for one in read_statements(text)] == ["One.", "Two."]


LOST = "took its place (2 independent sources)."


@pytest.mark.parametrize(
    "end", ["", "\n## Facts\n\n- lives in:: Oslo (told x)\n"]
)
def test_a_page_that_lost_says_so_until_it_is_unmarked(end: str) -> None:
    page = f"# Anna\n\nAnna lives in Oslo.\n{end}"
    marked = mark_lost_page(page, "2026-11-04", "[[Bergen]]", LOST)
    assert f"## Earlier\n\nUntil 2026-11-04: [[Bergen]] {LOST}\n" in marked
    assert mark_lost_page(marked, "2026-11-05", "[[X]]", LOST) == marked
    assert without_derived(marked).split() == page.split()
    assert read_opening(marked) == "Anna lives in Oslo."
    assert unmark_lost_page(marked) == page


def test_a_page_that_lost_after_a_statement_of_it_names_both() -> None:
    page = add_statement("", "a" * 12, "2026-03-02", "Oslo.")
    page = add_statement(page, "b" * 12, "2026-03-03", "Bern.")
    page = retire_statement(page, "a" * 12, "2026-03-04", "", LOST)
    marked = mark_lost_page(page, "2026-11-04", "[[Graz]]", LOST)
    assert [one.earlier for one in read_statements(marked)] == [False, True]
    assert unmark_lost_page(marked) == page
    assert without_derived(marked).split() == page.split()


def test_a_section_of_a_person_is_not_derived() -> None:
    page = (
        "Now.\n\n## Earlier\n\nUntil 2026-03-04: [[A]] took its place (mine).\n"
    )
    assert without_derived(page) == page == unmark_lost_page(page)
