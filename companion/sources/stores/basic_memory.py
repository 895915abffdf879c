"""Basic Memory: notes in Markdown whose frontmatter has a permalink, with observations.

Notes are read where they come as originals; small ones are notes at the door already. The database
of Basic Memory is computed from its notes, and is not read.
"""

import re

from companion.pages.frontmatter import Meta, read_front
from companion.sources.document import Document, Memory, Unreadable
from companion.sources.documents.text import decode_text, find_title, say_lines
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.stores.databases import name_tables

_PERMALINK = re.compile(rb"^permalink:\s*\S", re.MULTILINE)
_ITEM = re.compile(r"^\s*[-*] +(.*)$")
_HEADING = re.compile(r"^#{1,6} ")


def recognise_note(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a note of Basic Memory, or its database."""
    if is_index(head):
        return True
    if not head.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
        return False
    front = head.split(b"\n---", 1)[0]
    return _PERMALINK.search(front) is not None


def is_index(head: bytes) -> bool:
    """Tell whether *head* begins the database of Basic Memory."""
    return name_tables(head, "entity", "observation", "relation")


def read_note(content: bytes, name: str) -> Document:
    """Return a memory for each observation, relation and paragraph. Raises Unreadable."""
    if is_index(content[:65_536]):
        raise Unreadable(
            "derived",
            "the database of Basic Memory is computed from its notes",
            hint="Ingest the folder of notes instead; by default it is ~/basic-memory.",
        )
    text, warning = decode_text(content)
    text = text.replace("\r\n", "\n")
    front = read_front(text)
    offset = text[: len(text) - len(front.body)].count("\n")
    title = _say(front.meta, "title") or find_title(name)
    at = read_time(_say(front.meta, "modified") or _say(front.meta, "created"))
    memories = [
        Memory(said, at, title, place=say_lines(first, last))
        for said, first, last in _split_body(front.body, offset)
    ]
    permalink = _say(front.meta, "permalink")
    return Document(
        title=title,
        memories=tuple(memories),
        key=f"basic-memory:{permalink}" if permalink else None,
        site="Basic Memory",
        published_at=at,
        warnings=tuple(part for part in (warning, front.problem) if part),
    )


def _say(meta: Meta, key: str) -> str:
    value = meta.get(key)
    return value if isinstance(value, str) else ""


def _split_body(body: str, offset: int) -> list[tuple[str, int, int]]:
    """Return what *body* says, with its first and last line: each item, each paragraph.

    Headings only name what follows.
    """
    pieces: list[tuple[str, int, int]] = []
    lines: list[str] = []
    for number, line in enumerate([*body.split("\n"), ""], offset + 1):
        item = _ITEM.match(line)
        ends = not line.strip() or item or _HEADING.match(line)
        if ends and lines:
            first = number - len(lines)
            pieces.append(("\n".join(lines), first, number - 1))
            lines = []
        if item:
            lines = [item[1]]
        elif line.strip() and not _HEADING.match(line):
            lines.append(line)
    return pieces


READER = Reader(
    "basic memory",
    1,
    ("text/markdown", "application/vnd.sqlite3"),
    recognise_note,
    read_note,
)
