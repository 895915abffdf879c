"""The law of blocks can be broken."""

import pytest

from companion.pages.statement_edits import add_statement, put_mentions
from companion.pages.statements import Mention
from tests.statements import check_blocks

ID = "a1b2c3d4e5f6"
OTHER = "0123456789ab"
EVENTS = [{"e": "consumed", "capture": id + "0" * 52} for id in (ID, OTHER)]


def page_of(*ids: str, mention: Mention | None = None) -> bytes:
    text = "---\nid: 0001\ntitle: Anna\n---\n"
    for id in ids:
        text = add_statement(text, id, "2026-03-02 09:14", f"Note {id}.")
    if mention is not None:
        text = put_mentions(text, [mention], {mention.id})
    return text.encode()


def test_a_wiki_in_which_each_note_stands_once_is_as_it_should_be() -> None:
    line = Mention("2026-03-02 09:14", "Anna", ID, "Note")
    files = {
        "entries/Anna.md": page_of(ID),
        "journal/2026/2026-03-02.md": page_of(OTHER, mention=line),
        "theirs.md": b"Anything. ^a1b2c3d4e5f6\n",
    }
    check_blocks(files, EVENTS)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (
            {"entries/A.md": page_of(ID), "entries/B.md": page_of(ID)},
            "stands on",
        ),
        ({"entries/A.md": page_of("f" * 12)}, "is of 0 captures"),
        (
            {
                "entries/A.md": page_of(ID),
                "entries/B.md": b"---\nid: 2\n---\nNote a1b2c3d4e5f6.\n",
            },
            "stands on",
        ),
        (
            {"entries/A.md": page_of(mention=Mention("09:14", "B", ID, "x"))},
            "leads nowhere",
        ),
        (
            {
                "entries/A.md": page_of(mention=Mention("09:14", "B", ID, "x")),
                "entries/B.md": page_of(OTHER),
            },
            "it is on None",
        ),
    ],
)
def test_what_breaks_it_is_named(files: dict[str, bytes], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_blocks(files, EVENTS)
