"""Headlines: a title for words that have none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.headline import TITLE_LENGTH, headline


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Buy oat milk. And bread.", "Buy oat milk"),
        ("- [ ] **call** Bob!", "call Bob"),
        ("\n\n  > 1) quoted\nmore", "quoted"),
        ("## Sub `code`\n", "Sub code"),
        ("<b>bold</b> words", "bold words"),
        ("***\n---\nwords", "words"),
        ("今日は天気がいい。明日も。", "今日は天気がいい"),
        ("…\n***", "note"),
        ("", "note"),
        ("v1.2 is out", "v1.2 is out"),
        (
            "Seit dem 5. Mai gilt der neue Plan.",
            "Seit dem 5. Mai gilt der neue Plan",
        ),
        ("Born in 1999. Died young.", "Born in 1999"),
    ],
)
def test_the_first_words_without_markup(text: str, title: str) -> None:
    assert headline(text) == title


def test_long_lines_are_cut_between_words() -> None:
    cut = headline("word " * 40)
    assert len(cut) <= TITLE_LENGTH
    assert cut.endswith("word")
    assert headline("x" * 500) == "x" * TITLE_LENGTH


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "The backup of our home server runs every night at nine to the new disk",
            "The backup of our home server runs every night at nine",
        ),
        (
            "Der Zug nach Hamburg fährt im Winter nur noch einmal am Tag und hält",
            "Der Zug nach Hamburg fährt im Winter nur noch einmal am Tag",
        ),
        (
            "Everything that we agreed about the summer house with Anna, and the boat",
            "Everything that we agreed about the summer house with Anna",
        ),
    ],
)
def test_a_cut_leaves_no_small_word_hanging(text: str, title: str) -> None:
    assert headline(text) == title


@given(st.text())
def test_any_text_has_one_on_one_line(text: str) -> None:
    title = headline(text)
    assert title
    assert len(title) <= TITLE_LENGTH
    assert len(title.splitlines()) == 1
