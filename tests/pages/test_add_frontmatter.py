"""A capture's words as a page: our frontmatter beside theirs, and not a byte of theirs changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages import page

META = {
    "id": "abcdefghijklmnop",
    "type": "note",
    "title": "Oat milk",
    "created": "2026-11-01",
    "sources": ["a.md"],
}


def test_plain_words_get_frontmatter() -> None:
    text = page.add_frontmatter(META, "words\r\nmore")
    assert text.endswith("---\nwords\r\nmore")
    parsed = page.parse(text, "x.md")
    assert (parsed.id, parsed.title, parsed.managed, parsed.body) == (
        META["id"],
        "Oat milk",
        True,
        "words\r\nmore",
    )


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_their_keys_win_and_keep_their_bytes(eol: str) -> None:
    theirs = eol.join(
        [
            "---",
            "title:   'Mine'",
            "# a comment",
            "tags: [a,  b]",
            "---",
            "words",
            "",
        ]
    )
    text = page.add_frontmatter(META, theirs)
    assert text.replace(theirs[len("---" + eol) :], "").startswith("---" + eol)
    assert text.endswith(theirs[len("---" + eol) :])
    front = page.read_front(text)
    assert front.problem is None
    assert (front.meta["title"], front.meta["id"], front.meta["tags"]) == (
        "Mine",
        META["id"],
        ["a", "b"],
    )
    assert eol == "\n" or "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize(
    ("theirs", "managed"),
    [
        ("id: 42", True),
        ("ID: 42", True),
        ("id: 42\ncompanion: theirs", False),
        ("companion: theirs", False),
    ],
)
def test_an_id_of_theirs_stays_and_so_does_their_word_on_whose_page_it_is(
    theirs: str, managed: bool
) -> None:
    text = page.add_frontmatter(META, f"---\n{theirs}\n---\nwords")
    front = page.read_front(text)
    assert front.problem is None
    assert page.is_managed(front.meta) is managed
    assert theirs in text


@pytest.mark.parametrize(
    "text",
    [
        "---\n---\nx",
        "---\nbroken: [\n---\nx",
        "---\nnever closed",
        "---\na: 1\na: 2\n---\nx",
        "\ufeff---\na: 1\n---\nx",
        "",
        "---",
    ],
)
def test_what_is_no_frontmatter_stays_in_the_body(text: str) -> None:
    wrapped = page.add_frontmatter(META, text)
    assert wrapped.endswith(text)
    assert page.parse(wrapped, "x.md").id == META["id"]


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_the_words_are_all_there(text: str, front: bool) -> None:
    given_text = f"---\nauthor: Ada\n---\n{text}" if front else text
    wrapped = page.add_frontmatter(META, given_text)
    assert wrapped.endswith(text)
    assert page.parse(wrapped, "x.md").id == META["id"]
