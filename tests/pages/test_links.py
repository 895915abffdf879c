"""Link resolution in Obsidian's order."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.links import (
    choose,
    fold,
    is_page_target,
    key,
    title_key,
)

PAGES = (
    "Home.md",
    "a/Note.md",
    "a/b/Note.md",
    "c/Note.md",
    "c/deep/er/Note.md",
    "v1.2.md",
    "a/Café.md",
    "a/x.png.md",
)


def resolve(target: str, source: str, paths: Sequence[str]) -> str | None:
    """Return the page that *target* means, as the index asks for it: by key."""
    candidates = [path for path in paths if key(path) == key(target)]
    return choose(target, source, candidates)


@pytest.mark.parametrize(
    ("target", "source", "page"),
    [
        ("Home", "a/b/Note.md", "Home.md"),
        ("home.MD", "a/b/Note.md", "Home.md"),
        ("Note", "Home.md", "a/Note.md"),
        ("Note", "c/deep/x.md", "c/deep/er/Note.md"),
        ("Note", "c/x.md", "c/Note.md"),
        ("Note", "a/b/x.md", "a/b/Note.md"),
        ("b/Note", "c/x.md", "a/b/Note.md"),
        ("a/Note", "c/x.md", "a/Note.md"),
        ("er/note", "Home.md", "c/deep/er/Note.md"),
        ("x/Note", "Home.md", None),
        ("./Note", "a/b/x.md", "a/b/Note.md"),
        ("../Note", "a/b/x.md", "a/Note.md"),
        ("./../Note", "a/b/x.md", "a/Note.md"),
        ("../../Home", "a/b/x.md", "Home.md"),
        ("../../../../Home", "a/b/x.md", "Home.md"),
        ("../nowhere/Note", "a/b/x.md", None),
        ("/a/Note", "c/x.md", "a/Note.md"),
        ("/Note", "c/x.md", None),
        ("/b/Note", "c/x.md", None),
        ("v1.2", "a/x.md", "v1.2.md"),
        ("CAFE\u0301", "Home.md", "a/Café.md"),
        ("x.png", "Home.md", "a/x.png.md"),
        ("missing", "Home.md", None),
        ("", "Home.md", None),
        ("folder/", "Home.md", None),
    ],
)
def test_links_resolve_as_in_obsidian(
    target: str, source: str, page: str | None
) -> None:
    assert resolve(target, source, PAGES) == page


def test_the_exact_path_from_the_root_beats_the_neighbour() -> None:
    assert (
        choose("b/Note", "a/x.md", ["a/b/Note.md", "b/Note.md"]) == "b/Note.md"
    )


def test_of_names_that_differ_in_case_the_one_written_alike_wins() -> None:
    assert choose("note", "x.md", ["NOTE.md", "note.md"]) == "note.md"
    assert choose("NOTE", "x.md", ["NOTE.md", "note.md"]) == "NOTE.md"
    assert choose("Note", "x.md", ["b/note.md", "a/note.md"]) == "a/note.md"


@pytest.mark.parametrize(
    ("target", "page"),
    [
        (name, True)
        for name in (
            "Note",
            "a/b.md",
            "Node.js",
            "v1.2",
            "jzhao.xyz",
            "St. Ives",
            ".png",
        )
    ]
    + [(name, False) for name in ("x.png", "a/Books.base", "X.PDF", "a/", "")],
)
def test_attachments_and_folders_are_no_pages(target: str, page: bool) -> None:
    assert is_page_target(target) is page


def test_keys() -> None:
    assert key("a/b/Straße.md") == key("STRASSE") == "strasse"
    assert key("./x/ Note ") == "note"
    assert title_key(" The\u00a0 PLAN\n") == "the plan"


NAMES = st.text(st.sampled_from("aAbé .-"), min_size=1, max_size=3).map(
    lambda name: f"{name.strip() or 'x'}.md"
)
PATHS = st.lists(
    st.lists(NAMES, min_size=1, max_size=3).map("/".join),
    min_size=1,
    max_size=6,
    unique=True,
)


@given(PATHS, st.randoms(use_true_random=False))
def test_a_full_path_resolves_to_itself_and_order_does_not_matter(
    paths: list[str], random
) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(paths, len(paths))

    for path in paths:
        assert resolve("/" + path, "s.md", paths) == path
        assert (
            resolve(path, "q/s.md", shuffled)
            == resolve(path, "q/s.md", paths)
            == path
        )


@given(PATHS, NAMES, NAMES)
def test_what_is_chosen_has_the_target_s_key(
    paths: list[str], target: str, source: str
) -> None:
    found = resolve(target, source, paths)

    assert (found is None) == (key(target) not in {key(path) for path in paths})
    assert found is None or key(found) == key(target)


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)
