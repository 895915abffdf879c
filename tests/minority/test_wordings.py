"""Whose words a note repeats, and whose voice it therefore is (TRI-8)."""

from hypothesis import given
from hypothesis import strategies as st

from companion.minority import wordings
from companion.minority.clusters import Tie
from companion.minority.pressure import Telling
from companion.minority.wordings import (
    Note,
    credit_voices,
    find_first_tellings,
)

FIRST = "2026-11-01T10:00:00Z"
SAME_DAY = "2026-11-01T18:00:00Z"
WEEKS_LATER = "2026-11-20T10:00:00Z"
SHORT = "The old gate has nine locks."


def telling(capture: str, source: str, seen_at: str, said: str = "") -> Telling:
    return Telling(capture, said or seen_at, seen_at, "", source, "cli")


def note(
    capture: str,
    text: str,
    source: str = "",
    seen_at: str = FIRST,
    copied: Telling | None = None,
) -> Note:
    told = telling(capture, source or f"source of {capture}", seen_at)
    return Note(capture, text, (told,), copied)


def roots(*notes: Note, ties: tuple[Tie, ...] = ()) -> dict[str, str]:
    first = find_first_tellings(notes, ties)
    return {capture: told.capture for capture, told in first.items()}


def speakers(*notes: Note, known: tuple[str, ...] = ()) -> list[str]:
    first = find_first_tellings(notes)
    credited = credit_voices(notes, first, known)
    return sorted(one.source for one in credited)


def test_near_identical_wordings_are_one_and_a_like_opinion_is_none() -> None:
    texts = {
        "a": "The reservoir above the mill is fed by the northern spring.",
        "b": "the reservoir above the mill is actually fed by the northern spring",
        "c": "Dye put into the northern spring reached the reservoir above the mill by noon.",
        "d": "Quite another matter: the ferry leaves at six.",
    }
    notes = [note(id, text) for id, text in texts.items()]
    assert roots(*notes) == {"a": "a", "b": "a", "c": "c", "d": "d"}


def test_of_what_is_told_within_a_day_less_likeness_is_asked() -> None:
    mine = note("a", "By my own count the old gate has nine locks.")
    keeper = "The keeper says the old gate has nine locks."
    soon = note("b", keeper, seen_at=SAME_DAY)
    late = note("b", keeper, seen_at=WEEKS_LATER)
    backdated = Note("b", keeper, (telling("b", "b", SAME_DAY, "2026-03-01"),))
    assert roots(mine, soon) == {"a": "a", "b": "a"}
    assert roots(mine, late) == {"a": "a", "b": "b"}
    assert roots(mine, backdated) == {"a": "a", "b": "a"}


def test_a_note_between_two_others_joins_the_first_and_changes_neither() -> (
    None
):
    one = note("a", "one two three four five six seven")
    two = note("b", "three four five six seven eight nine", seen_at=WEEKS_LATER)
    between = note(
        "c",
        "two three four five six seven eight",
        seen_at="2026-11-20T12:00:00Z",
    )
    apart = roots(one, two)
    assert apart == {"a": "a", "b": "b"}
    assert roots(one, two, between) == {**apart, "c": "a"}


@given(
    st.lists(
        st.lists(st.sampled_from("pqr"), max_size=6).map(" ".join), max_size=8
    )
)
def test_a_later_note_changes_no_earlier_one(texts: list[str]) -> None:
    notes = [
        note(f"c{n}", text, seen_at=f"2026-11-01T10:{n:02}:00Z")
        for n, text in enumerate(texts)
    ]
    before: dict[str, str] = {}
    for n in range(len(notes)):
        after = roots(*notes[: n + 1])
        assert {id: after[id] for id in before} == before
        before = after


def test_a_judge_that_finds_two_texts_all_but_equal_makes_them_one() -> None:
    likeness = (
        Tie("a", "b", 1.0, False, 0.99, "same"),
        Tie("b", "c", 1.0, False, 0.9, "same"),
    )
    notes = (
        note("a", "one two three"),
        note("b", "uno dos tres", seen_at=WEEKS_LATER),
        note("c", "un deux trois", seen_at="2026-12-20T10:00:00Z"),
    )
    assert roots(*notes, ties=likeness) == {"a": "a", "b": "a", "c": "c"}


def test_a_name_that_only_repeats_another_speaks_with_its_voice() -> None:
    crank = note("a", SHORT, "crank")
    copies = (
        note("b", SHORT + " Truly.", "second name", SAME_DAY),
        note("c", SHORT + " Really.", "third name", WEEKS_LATER),
    )
    assert speakers(crank, *copies) == ["crank"]


def test_a_source_with_tellings_of_its_own_speaks_in_the_same_words_too() -> (
    None
):
    lena = note("a", SHORT, "lena")
    marc = note("b", SHORT + " Yes.", "Marc", SAME_DAY)
    assert speakers(lena, marc) == ["lena"]
    assert speakers(lena, marc, known=("marc",)) == ["Marc", "lena"]


def test_two_sources_of_one_capture_are_told_apart_in_the_same_way() -> None:
    both = (telling("a", "lena", FIRST), telling("a", "marc", WEEKS_LATER))
    assert speakers(Note("a", SHORT, both)) == ["lena"]
    assert speakers(Note("a", SHORT, both), known=("marc",)) == ["lena", "marc"]


def test_a_copy_of_a_note_outside_the_matter_is_no_fresh_voice() -> None:
    crank = note("a", "Nobody ever saw more than nine locks.", "crank")
    missed = telling("m", "crank", FIRST)
    copy = note("b", SHORT, "second name", SAME_DAY, copied=missed)
    assert speakers(crank, copy) == ["crank", "crank"]
    assert speakers(crank, copy._replace(copied=None)) == [
        "crank",
        "second name",
    ]


@given(
    st.lists(st.sampled_from("abc"), max_size=9),
    st.lists(st.sampled_from("abc"), max_size=9),
)
def test_the_common_words_in_one_order_are_counted_as_the_plain_table_does(
    one: list[str], other: list[str]
) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for n, ours in enumerate(one, 1):
        for m, theirs in enumerate(other, 1):
            table[n][m] = (
                table[n - 1][m - 1] + 1
                if ours == theirs
                else max(table[n - 1][m], table[n][m - 1])
            )
    common = table[-1][-1]
    for share in (0.3, 0.6, 0.85):
        enough = common >= share * (len(one) + len(other)) / 2
        assert wordings.is_echo(tuple(one), tuple(other), share) == enough


def test_who_says_whose_word_it_is_passes_that_word_on() -> None:
    uncle = note("a", "The tyres need three bar, no more.", "Uncle Heiner")
    group = note(
        "b", "Heiner says four bar is far too hard.", "Family", WEEKS_LATER
    )
    shop = note(
        "c", "Three bar is what the maker prints on them.", "Shop", WEEKS_LATER
    )
    german = note(
        "d",
        "Heiner sagt, die Reifen sind zu hart aufgepumpt.",
        "Chat",
        WEEKS_LATER,
    )

    assert roots(uncle, group, shop, german) == {
        "a": "a",
        "b": "a",
        "c": "c",
        "d": "a",
    }
    # who told something of its own elsewhere passes on another's word all the same
    assert speakers(uncle, group, known=("Family",)) == ["Uncle Heiner"]
    assert not wordings.passes_on("I told the shop four bar.", "Uncle Heiner")


def test_a_longer_name_of_a_source_is_the_same_source() -> None:
    guest = note("a", "Once a week is enough for the lockers.", "Gast Wuttke")
    mail = note("b", "Nobody opens them daily.", "Wuttke", WEEKS_LATER)
    other = note("c", "They need no daily round.", "Gast Ritter", WEEKS_LATER)

    assert roots(guest, mail, other) == {"a": "a", "b": "a", "c": "c"}
    assert speakers(guest, mail, known=("Wuttke",)) == ["Gast Wuttke"]
    assert not wordings.is_name_of("pool log", "pool log of June")
