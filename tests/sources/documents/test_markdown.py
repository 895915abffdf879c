"""Texts as passages: headings lose their marks, everything keeps its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sources.document import Passage, Unreadable
from companion.sources.documents.markdown import read_text

CLIPPING = b"""---
title: "How tea is fired"
source: "https://example.org/tea?id=1"
author:
  - "[[Ann Lee]]"
published: 2026-03-01
created: 2026-05-02
---
# Firing

Leaves go into the *pan* at 200 degrees, see [the guide](https://example.org/guide).

- first
- second
  still second

| a | b |
|---|---|
| 1 | 2 |

> she said

```py
# no heading
```
"""


def _kinds(text: str, name: str = "x.md") -> list[tuple[str, str, str]]:
    passages = read_text(text.encode(), name).passages
    return [(item.kind, item.text, item.place) for item in passages]


def test_a_clipping_says_what_it_was_clipped_from():
    document = read_text(CLIPPING, "tea.md")

    assert document.title == "How tea is fired"
    assert document.key == document.url == "https://example.org/tea?id=1"
    assert document.authors == ("Ann Lee",)
    assert document.published_at == "2026-03-01T00:00:00.000000Z"
    assert document.links == ("https://example.org/guide",)


def test_each_block_keeps_its_lines_and_its_kind():
    found = _kinds(CLIPPING.decode())

    assert [(kind, place) for kind, _, place in found] == [
        ("heading", "line 9"),
        ("paragraph", "line 11"),
        ("list", "lines 13-15"),
        ("table", "lines 17-19"),
        ("quote", "line 21"),
        ("code", "lines 23-25"),
    ]
    assert found[0][1] == "Firing"
    assert found[5][1] == "```py\n# no heading\n```"


def test_underlined_headings_are_headings():
    assert _kinds("Tea\n===\n\nGreen\n-----\ntext\n", "x.rst") == [
        ("heading", "Tea", "lines 1-2"),
        ("heading", "Green", "lines 4-5"),
        ("paragraph", "text", "line 6"),
    ]


def test_stars_are_headings_in_org_and_items_elsewhere():
    assert _kinds("* Tea\ntext\n", "x.org")[0][:2] == ("heading", "Tea")
    assert _kinds("* Tea\ntext\n", "x.md")[0][0] == "list"


def test_a_text_without_title_is_called_after_its_file():
    assert read_text(b"words", "notes/my_tea.txt").title == "my tea"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Grün".encode("utf-16"), "Grün"),
        ("\ufeffGrün".encode(), "Grün"),
        ("Grün".encode("cp1252"), "Grün"),
    ],
)
def test_any_usual_charset_is_read(content, words):
    assert read_text(content, "x.txt").passages[0].text == words


def test_a_guessed_charset_is_said():
    assert read_text("Grün".encode("cp1252"), "x.txt").warnings


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(Unreadable):
        read_text(b"\x00\x01\x02" * 50, "x.txt")


def test_frontmatter_that_cannot_be_read_is_text_and_is_said():
    document = read_text(b"---\ntitle: [\n---\nwords\n", "x.md")

    assert "words" in document.text
    assert document.warnings


WORDS = st.text(alphabet="ab #>|-*`=\n\t1.", max_size=200)


@given(WORDS)
def test_no_word_is_lost_and_the_lines_are_in_order(text):
    passages: tuple[Passage, ...] = read_text(text.encode(), "x.txt").passages
    kept = "".join(item.text for item in passages)
    places = [int(item.place.split()[1].split("-")[0]) for item in passages]

    assert places == sorted(places)
    for letter in "ab1":
        assert kept.count(letter) == text.count(letter)
