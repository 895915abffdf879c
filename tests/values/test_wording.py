"""Pages as text: what a source says of itself is no part of its words."""

import pytest

from companion.values.wording import (
    blank_source_head,
    name_file,
    without_frontmatter,
)

HEAD = (
    "By Dr. Weber · 2026-11-16  \n"
    "Source: `dentist.eml`  \n"
    "Original: `companion recall d2ghcv4opk7gmo7t`  \n"
    "Depth: full text, 4 of 4 sentences"
)


def test_the_head_of_a_source_is_no_part_of_its_words():
    words = "Dear Ada,\n\nyour appointment is on 30 November."
    page = f"---\nid: d2ghcv4opk7gmo7t\n---\n{HEAD}\n\n{words}"
    assert without_frontmatter(page) == words
    assert without_frontmatter(f"{HEAD}\n\n{words}") == words
    assert without_frontmatter(HEAD) == ""


def test_a_note_that_tells_of_recall_keeps_its_words():
    note = "Ask Ben.\n\nOriginal: `companion recall` gives it back."
    assert without_frontmatter(note) == note
    later = f"My own words.\n\n{HEAD}\n\nMore."
    assert without_frontmatter(later) == later


def test_blanking_the_head_moves_nothing():
    text = f"{HEAD}\n\nDear Ada."
    blanked = blank_source_head(text)
    assert len(blanked) == len(text)
    assert blanked.strip() == "Dear Ada."
    assert blank_source_head("Dear Ada.") == "Dear Ada."


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("inbox/paper.pdf", "paper.pdf"),
        ("mail/All.mbox/000026.eml", "All.mbox/000026.eml"),
        (
            "a/Export.ZIP/chats.json/000001.json",
            "Export.ZIP/chats.json/000001.json",
        ),
        ("a/export.zip", "export.zip"),
        ("paper.pdf", "paper.pdf"),
    ],
)
def test_a_member_is_named_with_its_container(origin, name):
    assert name_file(origin) == name
