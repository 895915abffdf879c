"""What two wrote of one page: nothing of either is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.maintenance.editing.keep_both import keep_both

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@given(LINES, LINES, LINES)
def test_every_line_that_somebody_wrote_stands(
    base: list[str], person: list[str], other: list[str]
) -> None:
    # what each wrote is told from what stood there, and from what the other wrote
    person = [each + "!" if each in "abc" else each for each in person]
    other = [each + "?" if each in "abc" else each for each in other]
    lines = keep_both(text(base), text(person), text(other)).text.splitlines()

    mine = [line for line in lines if line.endswith("!")]
    assert mine == [line for line in person if line.endswith("!")]
    theirs = {line for line in other if line.endswith("?")}
    assert theirs == {line for line in lines if line.endswith("?")}


@given(LINES, LINES)
def test_what_one_alone_changed_is_what_they_wrote(
    base: list[str], changed: list[str]
) -> None:
    assert keep_both(text(base), text(changed), text(base)).text == text(
        changed
    )
    assert keep_both(text(base), text(base), text(changed)).text == text(
        changed
    )


BLOCK = "## 2026-03-02\n\nLena lives in Oslo. ^a1b2c3d4e5f6\n"


@pytest.mark.parametrize(
    ("base", "person", "other", "merged", "left_out"),
    [
        (
            "---\ntags: [a]\n---\nText\n",
            "---\ntags: [a, mine]\n---\nText\n",
            "---\ntags: [a, theirs]\n---\nText, more\n",
            "---\ntags: [a, mine]\n---\nText, more\n",
            ("tags: [a, theirs]",),
        ),
        (
            BLOCK,
            BLOCK.replace("lives", "lived"),
            BLOCK.replace("Oslo", "Bergen"),
            BLOCK.replace("lives", "lived"),
            ("Lena lives in Bergen. ^a1b2c3d4e5f6",),
        ),
    ],
)
def test_no_key_and_no_id_stands_twice(
    base: str,
    person: str,
    other: str,
    merged: str,
    left_out: tuple[str, ...],
) -> None:
    both = keep_both(base, person, other)
    assert (both.text, both.left_out) == (merged, left_out)


def test_line_ends_stay_those_of_the_person() -> None:
    both = keep_both("a\r\n", "b\r\n", "c\n")
    assert both.text == "b\r\nc\r\n"
