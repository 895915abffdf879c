"""Read a page as the index knows it, and link its statements. On the hot path of an answer."""

import os

from companion.storage.git import objects
from companion.workspace import Workspace


def read_page_bytes(ws: Workspace, path: str, blob: str) -> bytes:
    """Return a page as the index knows it: the file when it still is that, else git's copy."""
    try:
        with open(os.path.join(ws.place.root, path), "rb") as file:
            data = file.read()
    except OSError:
        # The file was moved or deleted since; git still has it.
        return _read_blob(ws, blob)
    if objects.hash_blob(data) != blob:
        return _read_blob(ws, blob)
    return data


def _read_blob(ws: Workspace, blob: str) -> bytes:
    from companion.storage.git.repo import Repo

    return Repo(ws.place).blob(blob)


def link_statement(path: str, id: str) -> str:
    """Return the link that an editor follows to the statement *id* of the page at *path*."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"[[{name}#^{id}]]"
