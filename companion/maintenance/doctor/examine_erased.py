"""Look for erasures that were interrupted, and for erased words that came back."""

import os
from collections.abc import Iterator

from companion.maintenance.doctor.findings import damage, warning
from companion.maintenance.results import Finding
from companion.privacy.erased_words import Erased, find
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.erasure.steps import INTENT, UNFINISHED
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

_BACK = "erased-is-back"
_KIND = 0o170000  # the bits of a mode that tell files from links and folders
_FILE = 0o100000


def examine_erased(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield an erasure that was interrupted, and words that were erased here and came back, by an
    old clone for example.
    """
    if not os.path.exists(ws.place.journal_db):
        return
    journal = Journal.open(ws.place.journal_db)
    unfinished = (journal.get(INTENT), journal.get(UNFINISHED))
    if unfinished != (None, None):
        hint = "Run `companion erase` with the same words: git's object store may still hold them."
        yield warning("erase-interrupted", "an erasure was interrupted", hint)
    known = read_erased_words(ws.place)
    if known is None:
        return
    hint = "Run `companion erase --match -` again, and erase them where they came from."
    for path, mode, blob in repo.walk(repo.wiki_tree(repo.tip())):
        if mode & _KIND == _FILE and _holds(path, repo.blob(blob), known):
            what = f"{path} holds words that were erased here"
            yield damage(_BACK, what, hint)
    for id in journal.open_ids():
        if _holds("", journal.contents(repo.blob)[id], known):
            what = f"capture {id[:12]} holds words that were erased here"
            yield damage(_BACK, what, hint)


def _holds(path: str, data: bytes, known: tuple[list[Erased], bytes]) -> bool:
    text = f"{path}\n{data.decode('utf-8', 'replace')}"
    return any(find(text, *known))
