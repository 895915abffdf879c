"""Settle what a sync has set aside: take its words as a note of now, or forget it."""

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.operations.triage.capture import ingest
from companion.storage.boundary import set_aside
from companion.storage.boundary.set_aside import SetAside
from companion.storage.boundary.tellings import Doubtful, check_content
from companion.storage.files import lock
from companion.storage.git import layout
from companion.storage.git.remotes_known import OURS, TRACKING
from companion.storage.git.repo import Repo
from companion.values.captures import Draft
from companion.values.refusals import MAX_BYTES
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import SettledResult

CHANNEL = "remote"
_SHORTEST_NAME = 4  # characters of an id


class NotSetAside(CompanionError):
    """Nothing of that name is set aside."""

    exit_code = 1
    hint = "`companion doctor` lists what is set aside."


class NoWords(CompanionError):
    """No words can be read there."""

    exit_code = 65
    hint = "`companion remote drop ID` takes it off the list; it stays on the remote."


def accept(ws: Workspace, id: str) -> "SettledResult":
    """Capture the words of what is set aside as *id*, as told now, and take it off the list.

    They pass the door like any other note. Raises Busy, NotSetAside or NoWords.
    """
    with lock.lock_file(f"{ws.place.state}/sleep.lock", "remote accept"):
        repo = Repo(ws.place)
        item = _find(repo, id)
        draft = Draft(
            _read_words(repo, item),
            channel=CHANNEL,
            source=f"remote {item.remote}",
        )
        done = ingest(ws, [draft])
        if done["refused"]:
            refusal = done["refused"][0]
            raise NoWords(
                f"its words are not taken: {refusal['reason']}",
                hint=refusal["hint"],
            )
        set_aside.settle(repo, [item])
    capture = done["captures"][0]["id"]
    return {"settled": [item._asdict()], "capture": capture}


def drop(ws: Workspace, id: str) -> "SettledResult":
    """Take what is set aside as *id*, or all with "all", off the list; the remote keeps it.

    Raises Busy or NotSetAside.
    """
    with lock.lock_file(f"{ws.place.state}/sleep.lock", "remote drop"):
        repo = Repo(ws.place)
        if id == "all":
            items = []
            for doubted in set_aside.list_all(repo):
                items += doubted.items
        else:
            items = [_find(repo, id)]
        set_aside.settle(repo, items)
    return {"settled": [item._asdict() for item in items], "capture": None}


def _find(repo: Repo, id: str) -> SetAside:
    found = []
    for doubted in set_aside.list_all(repo):
        for item in doubted.items:
            if len(id) >= _SHORTEST_NAME and item.id.startswith(id):
                found.append(item)
    if not found:
        raise NotSetAside
    if len(found) > 1:
        raise NotSetAside(
            f"{id} names more than one", hint="Give more of its name."
        )
    return found[0]


def _read_words(repo: Repo, item: SetAside) -> str:
    """Return the text of the capture that *item* tells of. Raises NoWords."""
    if item.capture is None:
        raise NoWords
    folder = item.path.rpartition("/")[0]
    ref = TRACKING + item.remote + item.buffer.removeprefix(OURS)
    tree = layout.read_ref(repo.place, ref)
    blob = repo.subtree(tree, f"{folder}/{item.capture}")
    if blob is None or not repo.is_blob(blob) or repo.size(blob) > MAX_BYTES:
        raise NoWords
    content = repo.blob(blob)
    try:
        check_content(content, item.capture)
    except Doubtful as error:
        raise NoWords(str(error)) from error
    return content.decode()
