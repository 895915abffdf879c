"""Late words: what an editor wrote into a file that a night had replaced becomes a capture (design:
Publishing).

The editor held the old file open and knows nothing of the new one. Its words are taken without the
door's checks: they are the person's own, on their own disk, and refusing them would lose them.
"""

import os
from collections import Counter

from companion.privacy import erased_words
from companion.runs.run import Run
from companion.storage import publish
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.files import durable, replaced
from companion.storage.files.replaced import Late
from companion.storage.git import objects
from companion.storage.index.tables.entries import find_entry_at
from companion.storage.journal.journal import TRUSTED
from companion.values import time as times
from companion.values.captures import Draft, make_capture, make_sighting
from companion.workspace import real_now

CHANNEL = "recovered"


def take_in(tonight: Run) -> None:
    """Capture every line that came late into a replaced file; drop the files nobody touched for a
    day.
    """
    folder, now = publish.kept_folder(tonight.repo), real_now()
    durable.sweep(folder, now=now.timestamp())
    for late in replaced.check_kept(folder, now=now):
        text = _words(tonight, late)
        if text:
            _capture(tonight, late.path, text)
            tonight.notes.append(
                f"{late.path}: words written into the file that was replaced were captured"
            )
        # What comes later still is compared with these bytes.
        objects.write_loose(os.path.join(tonight.ws.place.common_dir, "objects"), "blob", late.data)
        replaced.accept_kept(folder, late)


def _words(tonight: Run, late: Late) -> str:
    """Return the lines of *late* that neither the replaced file had nor the page has now."""
    known = Counter(_now(tonight, late.path).splitlines())
    if late.old is not None and tonight.repo.has(late.old):
        known |= Counter(_text(tonight.repo.blob(late.old)).splitlines())
    lines = []
    for line in _text(late.data).splitlines():
        if known[line] > 0:
            known[line] -= 1
        else:
            lines.append(line)
    return "\n".join(lines).strip("\n") if any(line.strip() for line in lines) else ""


def _now(tonight: Run, path: str) -> str:
    try:
        with open(os.path.join(tonight.ws.place.worktree, path), "rb") as file:
            return _text(file.read())
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace").replace("\0", "\\0")


def _capture(tonight: Run, path: str, text: str) -> None:
    journal, known = tonight.journal, read_erased_words(tonight.ws.place)
    text = text if known is None else erased_words.redact(text, *known)
    last = times.moment(tonight.ws.now(), journal.begin(), journal.get(TRUSTED)).transaction
    try:
        draft = Draft(text, title=_title(tonight, path), channel=CHANNEL, source=path)
        capture = make_capture(draft, last)
        journal.add(capture, make_sighting(draft, capture.id, last))
        journal.commit(last)
    except BaseException:
        journal.rollback()
        raise


def _title(tonight: Run, path: str) -> str | None:
    """Return the title of the page at *path*: under it the words join the page they were meant
    for.
    """
    inner = path.removeprefix(tonight.ws.place.prefix)
    row = find_entry_at(tonight.db, inner)
    return None if row is None else row.title
