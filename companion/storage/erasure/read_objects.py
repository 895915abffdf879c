"""What an erasure reads out of the objects of git: passages, names, records and runs."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from companion.language.headline import headline
from companion.pages.statement_edits import clean_link_words
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo
from companion.storage.git.trees import Entry

_RECORD = re.compile(rb'"v": ?[12]\b')


def name_link(content: bytes) -> bytes:
    """Return the words of a link to the statement of a note."""
    text = content.decode("utf-8", "replace")
    return clean_link_words(headline(text)).encode()


def find_passage(text: str, first: int, last: int) -> bytes:
    """Return the paragraph of *text* that holds its characters *first* to *last*."""
    begin = text.rfind("\n\n", 0, first) + 1
    end = text.find("\n\n", last)
    if end < 0:
        end = len(text)
    return text[begin:end].encode()


def is_record(data: bytes) -> bool:
    """Tell whether *data* is one of companion's records: JSON that names its version."""
    return data.startswith(b"{") and _RECORD.search(data) is not None


def join_names(entries: Iterable[Entry]) -> bytes:
    """Return the names of a tree as one text: no name holds a NUL."""
    names = "\0".join(entry.name for entry in entries)
    return names.encode("utf-8", "surrogateescape")


def read_run_name(data: bytes) -> bytes | None:
    """Return the name of the run whose ledger file *data* is; None for anything else."""
    first = data.partition(b"\n")[0]
    if not first.startswith(b"{") or b'"e":"run"' not in first:
        return None
    try:
        line: Any = json.loads(first)
        date = str(line["now"])[:10]
        operation = line["operation"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # it only looks like a ledger file
    digest = hashlib.sha256(first + b"\n").hexdigest()[:12]
    return f"{date}-{operation}-{digest}".encode()


def list_objects(repo: Repo) -> Iterator[tuple[str, str]]:
    """Yield (id, kind) of every object in the repository."""
    listing = run_git(
        repo.place,
        "cat-file",
        "--batch-all-objects",
        "--batch-check=%(objectname) %(objecttype)",
    )
    for line in listing.decode().splitlines():
        oid, kind = line.split(" ")
        yield oid, kind
