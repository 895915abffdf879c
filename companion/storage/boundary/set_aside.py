"""Things of a remote that were not taken in: kept by name under ``refs/companion/doubted/``.

One ref for each remote names a tree: ``doubts.json`` lists what stands there now, each with a name
of twelve digits and the reason; ``objects/`` keeps the bytes of files, and ``settled.json`` the
names that the person has settled. The list is made anew by every sync: what was mended there
leaves it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from companion.storage.boundary.sift import Doubt
from companion.storage.git import append_only_tree, layout
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.objects import Pack
from companion.storage.git.remotes_known import DOUBTED
from companion.storage.git.repo import Repo
from companion.storage.git.trees import FILE, TREE, Entry, encode_tree
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument
from companion.values.hashing import sha1

MOST = 1_000  # that are kept by name of one remote; the rest is counted

_LIST = "doubts.json"
_SETTLED = "settled.json"


class SetAside(NamedTuple):
    """One thing of a remote that is set aside."""

    id: str  # 12 hex digits
    remote: str
    buffer: str  # the ref of the remote that has it
    path: str
    object: str  # its git id
    reason: str
    capture: str | None

    @property
    def name(self) -> str:
        """The words for it in a sentence."""
        if self.capture is None:
            return f"{self.path} of {self.remote}"
        return f"a telling of capture {self.capture[:12]} from {self.remote}"


class Doubted(NamedTuple):
    """The items set aside of one remote."""

    items: list[SetAside]
    total: int  # of all; more than `items` where there are very many


_NOTHING = Doubted([], 0)


def record(
    repo: Repo, remote: str, doubts: Mapping[str, Sequence[Doubt]]
) -> Doubted:
    """Keep the *doubts* of one sync, by the ref that they are of, in place of those of the last.

    What the person has settled stays settled. The caller holds sleep.lock. Raises GitFailed.
    """
    settled = _read_settled(repo, remote)
    items = []
    for buffer, found in doubts.items():
        for doubt in found:
            item = _name(remote, buffer, doubt)
            if item.id not in settled:
                items.append(item)
    doubted = Doubted(items[:MOST], len(items))
    _write(repo, remote, doubted, settled)
    return doubted


def list_all(repo: Repo) -> list[Doubted]:
    """Return what is set aside, by remote. Raises DamagedRef or MissingObject."""
    refs = layout.read_refs(repo.place, DOUBTED.rstrip("/"))
    doubted = [_read(repo, tree) for _, tree in sorted(refs.items())]
    return [one for one in doubted if one.total]


def count(place: Place) -> int:
    """Return how much is set aside; without a remote that was doubted, git is not loaded."""
    if not layout.read_refs(place, DOUBTED.rstrip("/")):
        return 0
    return sum(doubted.total for doubted in list_all(Repo(place)))


def gather(place: Place) -> Doubted:
    """Return what is set aside of all remotes together. Raises DamagedRef or MissingObject."""
    if not layout.read_refs(place, DOUBTED.rstrip("/")):
        return _NOTHING
    doubted = list_all(Repo(place))
    items: list[SetAside] = []
    for one in doubted:
        items += one.items
    return Doubted(items, sum(one.total for one in doubted))


def settle(repo: Repo, items: Iterable[SetAside]) -> None:
    """Take *items* off the list for good, with their bytes. Raises GitFailed."""
    by_remote: dict[str, set[str]] = {}
    for item in items:
        by_remote.setdefault(item.remote, set()).add(item.id)
    for remote, ids in by_remote.items():
        before = _read(repo, layout.read_ref(repo.place, DOUBTED + remote))
        left = [item for item in before.items if item.id not in ids]
        gone = len(before.items) - len(left)
        settled = _read_settled(repo, remote) | ids
        _write(repo, remote, Doubted(left, before.total - gone), settled)


def _name(remote: str, buffer: str, doubt: Doubt) -> SetAside:
    digest = sha1()
    digest.update(f"{remote}\n{buffer}\n{doubt.path}\n{doubt.object}".encode())
    id = str(digest.hexdigest()[:12])
    return SetAside(
        id,
        remote,
        buffer,
        doubt.path,
        doubt.object,
        doubt.reason,
        doubt.capture,
    )


def _read(repo: Repo, tree: str | None) -> Doubted:
    blob = repo.subtree(tree, _LIST)
    if blob is None:
        return _NOTHING
    fields = json.loads(repo.blob(blob))
    items = [SetAside(**item) for item in fields["items"]]
    return Doubted(items, fields["total"])


def _read_settled(repo: Repo, remote: str) -> set[str]:
    tree = layout.read_ref(repo.place, DOUBTED + remote)
    blob = repo.subtree(tree, _SETTLED)
    if blob is None:
        return set()
    return set(json.loads(repo.blob(blob)))


def _write(
    repo: Repo, remote: str, doubted: Doubted, settled: set[str]
) -> None:
    ref = DOUBTED + remote
    old = layout.read_ref(repo.place, ref)
    if not doubted.total and not settled:
        if old is not None:
            run_git(repo.place, "update-ref", "-d", ref)
        return
    with Pack(repo.place.common_dir) as pack:
        fields: JsonDocument = {
            "items": [item._asdict() for item in doubted.items],
            "total": doubted.total,
        }
        entries = [
            Entry(_LIST, FILE, append_only_tree.add_json(pack, fields)),
            Entry(_SETTLED, FILE, _add_list(pack, sorted(settled))),
        ]
        objects = _list_files(repo, doubted)
        if objects:
            tree = pack.add("tree", encode_tree(objects))
            entries.append(Entry("objects", TREE, tree))
        new = pack.add("tree", encode_tree(entries))
    if new != old:
        current = {} if old is None else {ref: old}
        append_only_tree.move_refs(repo, current, {ref: new})


def _add_list(pack: Pack, ids: Sequence[str]) -> str:
    return pack.add("blob", json.dumps(ids).encode())


def _list_files(repo: Repo, doubted: Doubted) -> list[Entry]:
    """Return entries that keep the bytes of what is a file; a folder is not kept, but named."""
    ids = {item.object for item in doubted.items}
    return [Entry(id, FILE, id) for id in sorted(ids) if repo.is_blob(id)]
