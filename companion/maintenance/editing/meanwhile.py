"""A page that somebody else wrote while a person had it in the editor: both texts brought together.

The editor began with the page as it was, so its file lacks what a night or another program wrote
since. The file is replaced only while it still is what the editor saved.
"""

from companion import workspace
from companion.maintenance.editing.keep_both import Both, keep_both
from companion.storage import publish
from companion.storage.files import exchange, swap
from companion.storage.files.swap import Changed
from companion.storage.git import objects
from companion.storage.git.repo import Repo
from companion.values.wording import many
from companion.workspace import Workspace


def write_both(
    ws: Workspace, path: str, saved: bytes, *, began: str, now: str
) -> list[str] | None:
    """Put into the file at *path* what the person *saved* with what others wrote meanwhile.

    *began* is the blob that the editor began with, *now* that of the branch. Returns notes for the
    person; None, with nothing written, where the file is not what was *saved* any more.
    """
    repo = Repo(ws.place)
    both = keep_both(
        repo.text(began, exact=True),
        saved.decode("utf-8", "surrogateescape"),
        repo.text(now, exact=True),
    )
    content = both.text.encode("utf-8", "surrogateescape")
    if content != saved and not _put(repo, path, content, saved):
        return None
    return _tell(path, both)


def _put(repo: Repo, path: str, content: bytes, saved: bytes) -> bool:
    """Tell whether *content* stands at *path* now, where *saved* stood."""
    place = repo.place
    kept = publish.make_kept_folder(repo)
    staged = swap.stage_put(
        place.worktree,
        place.prefix + path,
        content,
        objects.hash_blob(saved),
        kept,
        now=workspace.real_now(),
        mode=exchange.probe(place.worktree, kept),
        sync=True,
    )
    if isinstance(staged, Changed):
        return False
    return swap.place(staged) is None


def _tell(path: str, both: Both) -> list[str]:
    notes = [
        f"{path} changed while you edited it: your text and the other stand together"
    ]
    if both.doubled:
        count = many(len(both.doubled), "line")
        notes.append(f"both changed the same place: {count} below yours")
        notes += [f"not yours: {line.strip()}" for line in both.doubled]
    if both.left_out:
        notes.append(
            "yours stands in place of these, which git keeps in the commit before"
        )
        notes += [f"replaced: {line.strip()}" for line in both.left_out]
    return notes
