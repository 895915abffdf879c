"""The texts that a page had, one after the other: what was known of it, and when."""

from collections.abc import Iterable
from typing import NamedTuple

from companion.storage.git.repo import Repo
from companion.storage.index.history import LedgerEvent
from companion.workspace import Workspace

_WORDS = {
    "created": "begun",
    "registered": "taken in",
    "grown": "grew",
    "edited": "edited",
    "renamed": "renamed",
    "compressed": "shortened",
    "promoted": "won",
}


class Version(NamedTuple):
    """One text of a page, from a run on."""

    time: str  # RFC 3339 UTC, of the run
    run: str
    did: str  # in a word or two
    blob: str


def list_versions(recorded: Iterable[LedgerEvent]) -> list[Version]:
    """Return the texts that a page had, oldest first, by what the ledger has of it: the last text
    of each run.
    """
    versions: list[Version] = []
    for event in recorded:
        blob = event.detail.get("blob")
        if event.event not in _WORDS or not isinstance(blob, str):
            continue
        did = _WORDS[event.event]
        if event.operation == "undo":
            did = "taken back"
        version = Version(event.time, event.run or "", did, blob)
        if versions and versions[-1].run == version.run:
            versions.pop()
        if not versions or versions[-1].blob != blob:
            versions.append(version)
    return versions


def read_version(ws: Workspace, version: Version) -> str:
    """Return the text of *version*. Raises MissingObject where a clone does not have it."""
    return Repo(ws.place).text(version.blob)
