"""Databases of memory programs, told apart by their tables."""

from collections.abc import Iterator
from contextlib import contextmanager

from companion.sources.document import Unreadable
from companion.storage.foreign import Damaged, ForeignDatabase, is_database


def name_tables(head: bytes, *tables: str) -> bool:
    """Tell whether *head* begins a database that creates all *tables*.

    The statements that create them stand in the first pages of the file.
    """
    if not is_database(head):
        return False
    return all(_creates(head, table) for table in tables)


def _creates(head: bytes, table: str) -> bool:
    name = table.encode()
    return any(
        b"TABLE " + quoted in head
        for quoted in (
            name + b" ",
            name + b"(",
            name + b"\n",
            b'"' + name + b'"',
            b"'" + name + b"'",
        )
    )


@contextmanager
def open_database(content: bytes) -> Iterator[ForeignDatabase]:
    """Give the database *content* to a `with`. Raises Unreadable, also while rows are read."""
    try:
        with ForeignDatabase(content) as database:
            yield database
    except Damaged as error:
        raise Unreadable(
            "damaged",
            f"the database cannot be read: {error}",
            hint="Close the program that uses it, and copy the file again.",
        ) from error
