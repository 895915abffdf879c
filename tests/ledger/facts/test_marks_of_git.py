"""Marks that a merge left in a page are nobody's word."""

from pathlib import Path

import pytest

from companion.pages.merge_statements import has_markers
from tests.wiki import Wiki

NOTES = (
    "Cem lives in Bern.",
    "Cem said: the train to Oslo leaves at 7 past nine.",
    "Cem lives in Oslo.",
    "Cem wants to see the harbour.",
)


@pytest.mark.parametrize("left", ["<=>", "<=", "<", "=>"])
def test_a_page_with_marks_corrects_nothing(tmp_path: Path, left: str) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    for text in NOTES:
        wiki.tick(days=40)
        wiki.ingest(text)
        wiki.consolidate()
    pages = wiki.files().items()
    path = next(path for path, data in pages if b"lives in::" in data)
    text = wiki.read(path)
    line = next(one for one in text.splitlines() if "lives in::" in one)
    other = line.replace("Oslo", "Turku")
    marked = f"<<<<<<< HEAD\n{line}\n=======\n{other}\n>>>>>>> theirs"
    lines = [one for one in marked.split("\n") if one[0] in f"{left}{line[0]}"]
    wiki.write(path, text.replace(line, "\n".join(lines)))
    wiki.commit("together")

    wiki.consolidate()

    told = [event.get("telling", {}) for event in wiki.events("claims")]
    assert [one for one in told if one.get("channel") == "hand"] == []


@pytest.mark.parametrize("of_git", [False, True])
def test_a_page_about_marks_is_corrected_by_hand(
    tmp_path: Path, *, of_git: bool
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    marks = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n\n"
    wiki.ingest(f"# Git\n\nSo it looks.\n\n{marks}Eve's boss is Bob.\n\nTrue.")
    wiki.consolidate()
    (path,) = (path for path in wiki.files() if path.endswith("Git.md"))
    text = wiki.read(path).replace("Eve's boss is Bob.\n\n", "")
    # what has other marks, too, is nobody's word until they are gone
    wiki.write(path, text.replace(marks, marks * 2) if of_git else text)
    wiki.commit("mine")

    wiki.consolidate()

    (edited,) = wiki.events("edited")
    assert edited["path"] == path
    told = [event["telling"]["channel"] for event in wiki.events("claims")]
    assert told == (["cli"] if of_git else ["cli", "hand"])


@pytest.mark.parametrize("text", ["Title\n=======\n", ">>>>>>> a quote\n", ""])
def test_what_people_write_is_no_mark(text: str) -> None:
    assert not has_markers(text)
