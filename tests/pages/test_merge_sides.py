"""What two machines made of one page becomes one text, with the lines of both."""

from hypothesis import given
from hypothesis import strategies as st

from companion.pages.merge_sides import merge_sides
from companion.pages.merge_statements import drop_doubled, unite_statements
from companion.pages.statements import read_statements

FRONT = "---\nid: x\ntitle: Day\ncreated: {}\n---\n\n"
BASE = FRONT.format("2026-11-01") + "## 08:00\n\nOne ^aaaaaaaaaaaa\n\nmine\n"
TWO = "\n## 09:00\n\nTwo ^bbbbbbbbbbbb\n"
THREE = "\n## 08:30\n\nThree ^cccccccccccc\n"


def merge(base: str, ours: str, theirs: str) -> str:
    """Merge in both directions, which must agree."""
    merged = merge_sides(base, ours, theirs)
    assert merged is not None
    assert merged == merge_sides(base, theirs, ours)
    return merged.text


def words(text: str) -> list[str]:
    return [one.words for one in read_statements(text)]


def test_notes_of_both_stand_in_the_order_of_telling() -> None:
    text = merge(BASE, BASE + TWO, BASE + THREE)
    assert words(text) == ["One", "Three", "Two"]
    assert text == BASE + THREE + TWO


def test_both_begin_a_page() -> None:
    later = (BASE + THREE).replace("2026-11-01", "2026-11-02")
    text = merge("", BASE + TWO, later)
    assert words(text) == ["One", "Three", "Two"]
    assert text.startswith(FRONT.format("2026-11-01"))


def test_a_note_taken_out_on_one_side_is_gone() -> None:
    without = BASE.replace("## 08:00\n\nOne ^aaaaaaaaaaaa\n\n", "")
    text = merge(BASE, without, BASE + TWO)
    assert words(text) == ["Two"]
    assert "mine" in text


def test_a_line_that_both_changed_stands_as_both_left_it() -> None:
    merged = merge_sides(
        BASE, BASE.replace("mine", "A"), BASE.replace("mine", "B")
    )
    assert merged is not None
    assert merged.both == 1
    assert merged.text == BASE.replace("mine", "A\nB")


def test_a_line_taken_out_here_and_changed_there_stays() -> None:
    text = merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    assert text == "a\nB\nc\n"


def test_a_section_that_both_began_stands_once() -> None:
    ours = BASE + "\n## Facts\n\n- Anna, lives in:: Oslo (told 2026-11-01)\n"
    theirs = BASE + "\n## Facts\n\n- Bob, lives in:: Rome (told 2026-11-01)\n"
    text = merge(BASE, ours, theirs)
    assert text.count("## Facts") == 1
    assert "Oslo" in text
    assert "Rome" in text


def test_a_title_that_both_changed_is_the_persons() -> None:
    ours = BASE.replace("title: Day", "title: My day")
    theirs = BASE.replace("title: Day", "title: A day")
    assert merge_sides(BASE, ours, theirs) is None


def test_marks_of_an_earlier_merge_are_the_persons() -> None:
    marked = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    assert merge_sides("a\n", marked, "c\n") is None


def test_lines_end_as_they_did() -> None:
    text = merge("a\r\nb\r\n", "a\r\nb\r\nc\r\n", "x\r\na\r\nb\r\n")
    assert text == "x\r\na\r\nb\r\nc\r\n"
    assert merge("a", "a\nb", "c\na") == "c\na\nb"


LINES = st.lists(
    st.sampled_from(
        ["a", "b", "c", "", "- milk", "## 08:00", "x ^aaaaaaaaaaaa"]
    ),
    max_size=8,
)


def draw_text(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


@given(LINES, LINES, LINES)
def test_nothing_that_a_side_wrote_is_lost(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    text = merge(*map(draw_text, (base, ours, theirs)))
    merged = {line.strip() for line in text.split("\n")}
    for side in (ours, theirs):
        new = {line for line in side if line} - set(base)
        assert new <= merged
    assert not {line for line in merged if line} - {*base, *ours, *theirs}


def test_a_note_that_stands_twice_stands_once_under_its_earliest_heading() -> (
    None
):
    late = "## 2026-11-03 10:18\n\nCem lives in Turku. ^a2ad29be8224\n"
    early = late.replace("10:18", "01:12")
    other = "## 2026-11-04 09:00\n\nCem sings. ^fdcc9aac01c0\n"
    text = f"{late}\nmy line\n\n{early}\n{other}"
    assert drop_doubled(text, [early, late]) == f"my line\n\n{early}\n{other}"
    assert drop_doubled(other, [text]) == other


def test_all_machines_give_a_note_that_was_told_twice_its_first_heading() -> (
    None
):
    """World 13018: each kept its own, git doubled them, and no two machines agreed again."""
    late = "## 2028-07-20 09:42\n\nBen lives in Bern. ^def4d224b19e\n"
    early = late.replace("2028-07-20 09:42", "2027-01-25 06:24")
    other = "## 2028-07-29 03:51\n\nCem sings. ^fdcc9aac01c0\n"
    sides = [f"{late}\n{other}", f"{early}\n{other}"]
    standing = {"def4d224b19e", "fdcc9aac01c0"}
    order = {
        "def4d224b19e": "2027-01-25T06:24:00.000000Z",
        "fdcc9aac01c0": "2028-07-29T03:51:00.000000Z",
    }

    united = unite_statements(sides, standing, order)

    assert united == sides[1]
    assert unite_statements(sides[::-1], standing, order) == united
