"""The page of broken rules shows what is recorded, and a newer run replaces an older one."""

from tests.mutation.page import (
    PAGE,
    RESULTS,
    Score,
    Survivor,
    read_earlier,
    read_scores,
    replace_scores,
    write_page,
    write_scores,
)

OLD = Score(
    "a.py", 9, 1, 2, (Survivor(3, "x", "-a\n+b"),), "0" * 8, "2026-01-01"
)
NEW = Score("a.py", 9, 2, 4, (), "1" * 8, "2026-01-02")


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    scores, earlier = read_scores(text), read_earlier(text)
    assert write_scores(scores, earlier) == text
    assert PAGE.read_text("utf-8") == write_page(scores, earlier)


def test_a_newer_run_of_a_rule_replaces_the_older_one() -> None:
    assert replace_scores([OLD], [NEW]) == [NEW]
    other = Score("b.py", 1, 1, 1, (), "0" * 8, "2026-01-01")
    assert replace_scores([other], [OLD]) == [OLD, other]


def test_what_lives_is_shown_with_its_line() -> None:
    page = write_page([OLD])
    assert "**1 of 2 mutants were killed (0.500)**" in page
    assert "Line 3, x:\n\n```diff\n-a\n+b\n```\n\nA test is missing." in page
