"""Store originals in steps: one pack and one move of the ref each."""

from collections.abc import Iterable, Iterator

from companion.storage.cold.originals import (
    REF,
    ChangedMeanwhile,
    Item,
    Original,
    Shelves,
    encode,
    find_locked,
    find_tree,
    hash_content,
    move_ref,
    path_of,
)
from companion.storage.cold.stream import Content
from companion.storage.git import append_only_tree
from companion.storage.git.append_only_tree import Files
from companion.storage.git.command import GitFailed
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import FILE

#: bytes that one step of `put` makes durable: what a kill can cost
BATCH = 64 << 20
_MOST_ITEMS = 10_000  # of one step
_ATTEMPTS = 20  # a step that loses the race against another process starts over


def put(repo: Repo, items: Iterable[Item]) -> None:
    """Store *items* durably; one that is there already costs nothing.

    Bytes are held one item at a time, and a file's not at all. After each `BATCH` what was stored
    is durable and known, so that a run that was killed goes on from there. Another source, agent or
    scope of what is there is kept as a telling. Needs no lock: the ref moves by compare-and-swap,
    again where another process was faster. Raises GitFailed, ChangedMeanwhile,
    DamagedRef, StorageError or TreeConflict.
    """
    waiting = iter(items)
    while True:
        step = Step(repo)
        try:
            is_last = step.take(waiting, BATCH)
        except BaseException:
            step.abort()
            raise
        step.finish()
        if is_last:
            return


class Step:
    """The originals that one step of `originals.put` stores, in one pack."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._pack = Pack(repo.place.common_dir)
        self._base = find_tree(repo)
        self._shelves = Shelves(repo, [self._base, find_locked(repo)])
        self._files: Files = {}
        self._voices: dict[str, set[_Voice]] = {}  # of ids met in this step
        self._size = 0  # bytes of new content

    def take(self, items: Iterator[Item], batch: int) -> bool:
        """Take items until the step has *batch* bytes; tell whether none is left."""
        for item, content in items:
            if item is None:
                self._add_part(content)
            else:
                self._add(item, content)
            if self._size >= batch or len(self._files) >= 2 * _MOST_ITEMS:
                return False
        return True

    def abort(self) -> None:
        """Leave nothing behind."""
        self._pack.abort()

    def finish(self) -> None:
        """Make everything durable, and move the ref."""
        if not self._files:
            self._pack.abort()
            return
        try:
            grown = self._grow(self._pack)
        except BaseException:
            self._pack.abort()
            raise
        self._pack.close()
        for _ in range(_ATTEMPTS):
            try:
                move_ref(self._repo, self._base, grown)
                return
            except GitFailed:
                now = find_tree(self._repo)
                if now == self._base:
                    raise
                self._base = now
            with Pack(self._repo.place.common_dir) as pack:
                grown = self._grow(pack)
        raise GitFailed(f"other processes kept moving {REF}")

    def _grow(self, pack: Pack) -> str:
        return append_only_tree.add_files(
            self._repo, pack, self._base, self._files
        )

    def _add_part(self, content: Content) -> None:
        path = path_of(hash_content(content)) + ".part"
        if path in self._files or self._shelves.has(path):
            return
        self._files[path] = (FILE, self._add_blob(content))

    def _add(self, item: Original, content: Content) -> None:
        path = path_of(item.id)
        voice = _voice_of(item)
        if item.id in self._voices:
            self._add_telling(item, path, voice)
        elif self._shelves.has(path):
            known = map(_voice_of, self._shelves.tellings(item.id))
            self._voices[item.id] = set(known)
            self._add_telling(item, path, voice)
        else:
            self._voices[item.id] = {voice}
            blob = self._add_blob(content)
            if blob != item.blob:
                raise ChangedMeanwhile(f"{item.name} changed while it was read")
            self._files[path] = (FILE, blob)
            self._add_header(path + ".json", item)

    def _add_telling(self, item: Original, path: str, voice: "_Voice") -> None:
        known = self._voices[item.id]
        if voice in known or (item.container and _is_known(voice, known)):
            return
        known.add(voice)
        stamp = item.received_at.replace(":", "").replace(".", "")
        free = f"{path}.{stamp}.json"
        number = 1
        while free in self._files:
            number += 1
            free = f"{path}.{stamp}-{number}.json"
        self._add_header(free, item)

    def _add_header(self, path: str, item: Original) -> None:
        blob = append_only_tree.add_json(self._pack, encode(item))
        self._files[path] = (FILE, blob)

    def _add_blob(self, content: Content) -> str:
        before = self._pack.size
        if isinstance(content, str):
            blob = self._pack.add_file(content)
        else:
            blob = self._pack.add("blob", content)
        self._size += self._pack.size - before
        return blob


# source, name, address, agent, scope: what makes one telling another's
_Voice = tuple[str, str, str | None, str | None, str]


def _voice_of(item: Original) -> _Voice:
    return (item.source, item.name, item.url, item.agent, item.scope)


def _is_known(voice: _Voice, known: set[_Voice]) -> bool:
    """Tell whether the same agent told the bytes before, in the same scope.

    For a member of a container: the container's manifest says the rest.
    """
    return any(voice[3:] == other[3:] for other in known)
