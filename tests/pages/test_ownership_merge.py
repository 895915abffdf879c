"""Merging by ownership: the person's lines are safe, whatever companion wants."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.ownership_merge import merge

LINE = st.sampled_from(["a", "b", "c", "", "## x", "- y", "---", "title: t"])
TEXT = st.tuples(st.lists(LINE, max_size=7), st.booleans()).map(
    lambda t: "\n".join(t[0]) + ("\n" if t[1] else "")
)


@st.composite
def three(draw: st.DrawFn) -> tuple[str, str, str]:
    """A base of distinct lines, and two editions of it by deletion, change and insertion."""
    base = [f"line {n}" for n in range(draw(st.integers(0, 6)))]
    return (
        "".join(f"{line}\n" for line in base),
        _edition(draw, base, "ours"),
        _edition(draw, base, "theirs"),
    )


def _edition(draw: st.DrawFn, base: list[str], who: str) -> str:
    lines: list[str] = []
    for n, line in enumerate([*base, None]):
        lines += [
            f"{who} {n}.{k}"
            for k in range(draw(st.sampled_from([0, 0, 0, 1, 2])))
        ]
        if line is not None:
            lines += draw(
                st.sampled_from(
                    [[line], [line], [line], [], [f"{who} for {line}"]]
                )
            )
    return "".join(f"{line}\n" for line in lines)


def bag(text: str) -> Counter[str]:
    return Counter(text.split("\n"))


@given(st.one_of(three(), st.tuples(TEXT, TEXT, TEXT)))
def test_a_person_s_lines_are_never_lost_and_what_they_deleted_stays_deleted(
    texts: tuple[str, str, str],
) -> None:
    base, ours, theirs = texts
    merged = merge(base, ours, theirs)

    if merged is not None and theirs != base:
        assert not (bag(theirs) - bag(base)) - bag(merged) - Counter([""])
        gone = {
            line
            for line in bag(base)
            if line.strip() and line not in bag(theirs)
        }
        assert not gone & set(bag(merged)) or ours == theirs


@given(three())
def test_a_person_s_lines_keep_their_order_and_companion_s_additions_arrive(
    texts: tuple[str, str, str],
) -> None:
    base, ours, theirs = texts
    merged = merge(base, ours, theirs)

    if merged is not None:
        lines = merged.split("\n")
        assert [x for x in lines if x.startswith("theirs")] == [
            x for x in theirs.split("\n") if x.startswith("theirs")
        ]
        assert [x for x in lines if x.startswith("ours")] == [
            x for x in ours.split("\n") if x.startswith("ours")
        ]


@given(TEXT, TEXT)
def test_where_only_one_side_changed_its_text_is_the_result(
    base: str, changed: str
) -> None:
    assert merge(base, base, changed) == changed
    assert merge(base, changed, base) == changed
    assert merge(base, changed, changed) == changed


@given(three())
def test_merging_again_changes_nothing(texts: tuple[str, str, str]) -> None:
    base, ours, theirs = texts
    merged = merge(base, ours, theirs)

    if merged is not None:
        assert merge(merged, merged, merged) == merged
        assert merge(ours, ours, merged) == merged


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("a\nb\n", "a\nb\nnew\n", "a\nb\nmine\n", "a\nb\nmine\nnew\n"),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\nmine\n", "a\nB\nc\nmine\n"),
        ("a\nb\nc\n", "x\na\nb\nc\n", "a\nmine\nc\n", "x\na\nmine\nc\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nmine\nc\n", "a\nmine\nc\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nc\nd\n", "a\nc\nd\n"),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nmine\nc\n", None),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nc\n", None),
        ("a\nb\nc\n", "P\n", "a\nc\n", None),
        ("a\nb\n", "A\nB\n", "a\nmine\nb\n", "A\nmine\nB\n"),
        ("a\nb\nc\n", "b\nc\na\n", "b\nc\nmine\n", "b\nc\nmine\n"),
        ("a\nb\n", "a\nb\nnew\n", "", "new\n"),
        ("a\nb\n", "a\nb\nnew\n", "a\nb\nnew\nmine\n", "a\nb\nnew\nmine\n"),
        (
            "a\nb\nc\n",
            "a\nsame\nc\nx\n",
            "a\nsame\nc\ny\n",
            "a\nsame\nc\ny\nx\n",
        ),
    ],
)
def test_who_wins_where(
    base: str, ours: str, theirs: str, result: str | None
) -> None:
    assert merge(base, ours, theirs) == result


@pytest.mark.parametrize(
    ("theirs", "result"),
    [
        ("a\r\nb\r\nmine\r\n", "a\r\nb\r\nmine\r\nnew\r\n"),
        ("a\r\nb\r\nmine", "a\r\nb\r\nmine\r\nnew"),
        ("a\nb\nmine", "a\nb\nmine\nnew"),
        ("a\r\nb\r\n", "a\r\nb\r\nnew\r\n"),
        ("a\r\nb\nmine\r\n", "a\r\nb\nmine\r\nnew\r\n"),
        ("a\nb\nm\u2028ine\n", "a\nb\nm\u2028ine\nnew\n"),
    ],
)
def test_line_endings_stay_theirs(theirs: str, result: str) -> None:
    assert merge("a\nb\n", "a\nb\nnew\n", theirs) == result


def test_frontmatter_that_would_no_longer_read_is_left_alone() -> None:
    base = "---\nid: x\n---\nbody\n"

    assert (
        merge(
            base,
            "---\nid: x\ntags: [a]\n---\nbody\n",
            "---\nid: x\ntags: [b]\n---\nbody\n",
        )
        is None
    )
    assert merge(base, "---\nid: x\ntags: [a]\n---\nbody\n", "body\n") is None
    assert merge(base, base + "new\n", "body\n") == "body\nnew\n"


def test_a_long_page_is_merged_in_good_time() -> None:
    from time import process_time

    base = "".join(f"line {n}\n\n" for n in range(20_000))
    started = process_time()
    merged = merge(base, base + "new\n", "mine\n" + base)

    assert merged == "mine\n" + base + "new\n"
    assert process_time() - started < 3.0
