"""Capture what an editor wrote into a file after a run had replaced that file.

The editor held the old file open and does not know the new one. Its words are captured without the
checks of `ingest`: refusing them would lose words that the person wrote on their own disk.
"""

import os
from collections import Counter

from companion.privacy import erased_words
from companion.runs.run import Run
from companion.storage import publish
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.files import leftovers, replaced
from companion.storage.files.replaced import Late
from companion.storage.git import layout, objects
from companion.storage.index.tables.pages.entries import find_entry_at
from companion.storage.journal.journal import TRUSTED
from companion.values.captures import Draft, make_capture, make_sighting
from companion.values.time import moment
from companion.workspace import find_local_offset, real_now

CHANNEL = "recovered"


def capture_late_edits(run: Run) -> None:
    """Capture every line that was written into a replaced file; drop files unchanged for a day.

    Raises StorageError.
    """
    folder = publish.make_kept_folder(run.repo)
    now = real_now()
    leftovers.sweep(folder, now=now.timestamp())
    for late in replaced.check_kept(folder, now=now):
        text = _find_new_lines(run, late)
        if text:
            _capture(run, late.path, text)
            run.notes.append(
                f"{late.path}: words written into the file that was replaced were captured"
            )
        # A later change is compared with these bytes.
        objects.write_loose(
            os.path.join(run.ws.place.common_dir, "objects"), "blob", late.data
        )
        replaced.accept_kept(folder, late)


def _find_new_lines(run: Run, late: Late) -> str:
    """Return the lines of *late* that neither the replaced file had nor the page has now."""
    known = Counter(_read_page(run, late.path).splitlines())
    if late.old is not None and run.repo.has(late.old):
        known |= Counter(_decode(run.repo.blob(late.old)).splitlines())
    lines = []
    for line in _decode(late.data).splitlines():
        if known[line] > 0:
            known[line] -= 1
        else:
            lines.append(line)
    if not any(line.strip() for line in lines):
        return ""
    return "\n".join(lines).strip("\n")


def _read_page(run: Run, path: str) -> str:
    try:
        with open(os.path.join(run.ws.place.worktree, path), "rb") as file:
            return _decode(file.read())
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace").replace("\0", "\\0")


def _capture(run: Run, path: str, text: str) -> None:
    journal = run.journal
    erased = read_erased_words(run.ws.place)
    if erased is not None:
        text = erased_words.redact(text, *erased)
    last = moment(
        run.ws.now(), journal.begin(), journal.get(TRUSTED)
    ).transaction
    try:
        draft = Draft(
            text,
            title=_title(run, path),
            channel=CHANNEL,
            source=path,
            utc_offset=find_local_offset(last),
        )
        capture = make_capture(draft, last)
        device = layout.read_device(run.ws.place)
        telling = make_sighting(draft, capture.id, last, device=device)
        journal.add(capture, telling)
        journal.commit(last)
    except BaseException:
        journal.rollback()
        raise


def _title(run: Run, path: str) -> str | None:
    """Return the title of the page at *path*, by which the words join that page."""
    page = find_entry_at(run.db, path.removeprefix(run.ws.place.prefix))
    if page is None:
        return None
    return page.title
