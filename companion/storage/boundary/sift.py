"""Sift a buffer that another machine wrote: what can be believed, and what is set aside.

A buffer has three levels and no more: days, 256 parts of a day, files. Nothing else is entered, and
each folder is judged once wherever it stands, so that the work grows with the objects that came and
not with the paths that a tree can make of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.errors import CompanionError
from companion.storage.boundary.tellings import (
    LARGEST,
    Doubtful,
    Telling,
    check_content,
    merge_tellings,
    read_telling,
)
from companion.storage.git.repo import Repo
from companion.storage.git.trees import FILE, TREE, Entry, read_by_name
from companion.storage.journal.queries import Pending
from companion.tuples import NamedTuple
from companion.values.captures import Sighting
from companion.values.progress import SILENT, Progress, count
from companion.values.refusals import MAX_BYTES, private_name

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PART = re.compile(r"[0-9a-f]{2}")
_NAME = re.compile(
    r"(?P<id>[0-9a-f]{64})(?P<more>(\.[A-Za-z0-9_-]+)*\.json)?(\.[0-9a-f]{40})?"
)
_NO_PLACE = "it has no place in a buffer"
_NO_WORDS = "the words that it tells of are not here"


class Doubt(NamedTuple):
    """One thing in a foreign buffer that is set aside, and why."""

    path: str  # in that buffer; a folder stands for all in it
    object: str  # its git id
    reason: str  # a sentence's end: "a time is not in the calendar"
    capture: str | None = None  # the id of the capture that it tells of


class Sifted(NamedTuple):
    """The parts of a foreign buffer tree that can be taken, and those that cannot."""

    files: Mapping[str, str]  # path -> blob
    captures: list[Pending]  # with their bytes, oldest first
    later: list[Sighting]  # of captures whose words came earlier
    doubts: list[Doubt]


class _File(NamedTuple):
    """One file of a part, judged apart from the day under which it lies."""

    name: str
    blob: str
    capture: str
    telling: Telling | None  # None: the capture's bytes

    def is_of(self, day: str) -> bool:
        """Tell whether this tells of *day*; bytes tell nothing."""
        return self.telling is not None and self.telling.day == day

    def is_after(self, instant: str) -> bool:
        """Tell whether anything in this was told after *instant*."""
        return self.telling is not None and self.telling.newest > instant


class _Part(NamedTuple):
    """One folder of files, judged once wherever it stands."""

    files: tuple[_File, ...]
    doubts: tuple[Doubt, ...]  # their paths are relative to the folder

    @property
    def days(self) -> set[str]:
        """The days on which anything in it was told."""
        return {file.telling.day for file in self.files if file.telling}


def sift(
    repo: Repo,
    theirs: str,
    *,
    ours: str | None = None,
    known: str | None = None,
    latest: str,
    owner: str | None = None,
    progress: Progress = SILENT,
) -> Sifted:
    """Return what the buffer tree *theirs* has that *ours* or *known* (taken before) has not.

    What was told after the instant *latest* is set aside: no clock but ours moves our time. *owner*
    is the name of the private buffer, None for the shared one. Raises MissingObject, and
    DamagedObject where *theirs* is no tree.
    """
    return _Sifting(repo, latest, owner).run(theirs, ours, known, progress)


def set_orphans_aside(sifted: Sifted, is_here: Callable[[str], bool]) -> Sifted:
    """Set aside the later tellings of captures that are not here and did not come.

    *is_here* tells it of the id of a capture.
    """
    told = {one.capture for one in sifted.later}
    orphans = {id for id in told if not is_here(id)}
    if not orphans:
        return sifted
    files = {}
    doubts = list(sifted.doubts)
    for path, blob in sifted.files.items():
        id = path.rpartition("/")[2][:64]
        if id in orphans:
            doubts.append(Doubt(path, blob, _NO_WORDS, id))
        else:
            files[path] = blob
    later = [one for one in sifted.later if one.capture not in orphans]
    return Sifted(files, sifted.captures, later, doubts)


class _Sifting:
    """One pass over a foreign buffer."""

    def __init__(self, repo: Repo, latest: str, owner: str | None) -> None:
        self._repo = repo
        self._latest = latest
        self._owner = owner
        self._parts: dict[str, _Part] = {}
        self._taken: set[tuple[str, str]] = set()  # parts by their day
        self._listed: set[str] = set()  # parts of which each doubt is named
        # of captures whose bytes are what their id says
        self._contents: dict[str, bytes] = {}
        self._blobs: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._tellings: dict[str, list[Telling]] = {}
        self._doubts: list[Doubt] = []

    def run(
        self,
        theirs: str,
        ours: str | None,
        known: str | None,
        progress: Progress,
    ) -> Sifted:
        days = list(self._new_folders("", _DAY, theirs, (ours, known)))
        for day in count(progress, "reading the notes of each day", days):
            inside = [
                self._repo.subtree(tree, day.name) for tree in (ours, known)
            ]
            self._sift_day(day, inside)
        captures = []
        later: list[Sighting] = []
        for id, tellings in self._tellings.items():
            header, sightings = merge_tellings(tellings)
            if header is None:
                later += sightings
                continue
            header = header._replace(content=self._contents[id])
            in_order = sorted(sightings, key=lambda one: one.seen_at)
            captures.append(Pending(header, tuple(in_order)))
        captures.sort(key=lambda one: (one.capture.ingested_at, one.capture.id))
        return Sifted(self._files, captures, later, self._doubts)

    def _sift_day(self, day: Entry, others: Iterable[str | None]) -> None:
        others = tuple(others)
        path = f"{day.name}/"
        try:
            parts = list(self._new_folders(path, _PART, day.id, others))
            for part in parts:
                self._sift_part(path + part.name, part)
        except CompanionError:
            self._doubt(day.name, day.id, "it is no folder that can be read")

    def _sift_part(self, path: str, part: Entry) -> None:
        judged = self._judge_part(part)
        day = path[:10]
        days = judged.days
        is_copy = part.id in self._listed
        if day not in days and (days or is_copy):
            # a bomb names one folder many times: one line for each, whatever it holds
            self._doubt(path, part.id, "nothing in it was told on that day")
            return
        if (part.id, day) in self._taken:
            self._doubt(path, part.id, "it is a copy of another folder")
            return
        self._listed.add(part.id)
        self._taken.add((part.id, day))
        for doubt in judged.doubts:
            self._doubts.append(doubt._replace(path=f"{path}/{doubt.path}"))
        self._place_all(path, judged)

    def _place_all(self, path: str, part: _Part) -> None:
        """Take the files of *part* that can be believed, and name the others."""
        day = path[:10]
        files = []
        placed = set()
        # bytes whose telling is set aside are named with it, and stay out with it
        named = {doubt.capture for doubt in part.doubts}
        for file in part.files:
            if file.is_of(day) and file.is_after(self._latest):
                self._doubt_late(f"{path}/{file.name}", file)
                named.add(file.capture)
                continue
            files.append(file)
            if file.is_of(day):
                placed.add(file.capture)
        for file in files:
            if file.capture in placed or file.capture not in named:
                self._place(f"{path}/{file.name}", file, day, placed)

    def _doubt_late(self, path: str, file: _File) -> None:
        assert file.telling is not None
        day = file.telling.newest[:10]
        reason = f"it was told {day}, after today, and waits for that day"
        self._doubt(path, file.blob, reason, file.capture)

    def _place(
        self, path: str, file: _File, day: str, placed: set[str]
    ) -> None:
        """Take one file, or set it aside for the day under which it lies."""
        telling = file.telling
        reason = None
        if file.capture not in placed:
            reason = "no telling of that day belongs to it"
        elif telling is not None and telling.day != day:
            reason = "it was not told on the day under which it lies"
        if reason is not None:
            self._doubt(path, file.blob, reason, file.capture)
            return
        self._files[path] = file.blob
        if telling is not None:
            self._tellings.setdefault(file.capture, []).append(telling)

    # -- judging -----------------------------------------------------------------------------------

    def _judge_part(self, part: Entry) -> _Part:
        if part.id not in self._parts:
            self._parts[part.id] = self._read_part(part)
        return self._parts[part.id]

    def _read_part(self, part: Entry) -> _Part:
        files = []
        doubts = []
        for entry in self._repo.entries(part.id):
            name = _NAME.fullmatch(entry.name)
            id = None
            try:
                if name is None or entry.mode != FILE:
                    raise Doubtful(_NO_PLACE)
                id = name["id"]
                telling = None
                if name["more"] is None:
                    self._check_bytes(id, entry.id)
                else:
                    telling = self._read_telling(id, entry.id)
                files.append(_File(entry.name, entry.id, id, telling))
            except Doubtful as doubt:
                reason = str(doubt)
                doubts.append(Doubt(_plain(entry.name), entry.id, reason, id))
        return _Part(tuple(files), tuple(doubts))

    def _read_telling(self, id: str, blob: str) -> Telling:
        telling = read_telling(self._read(blob, LARGEST), id)
        for sighting in telling.sightings:
            if not self._belongs(sighting):
                raise Doubtful("it is private, or another's, and lies here")
        if telling.header is not None:
            self._check_bytes(id, telling.header.blob)
        return telling

    def _belongs(self, sighting: Sighting) -> bool:
        """Tell whether *sighting* may lie in this buffer."""
        if self._owner is None:
            return sighting.scope == "shared"
        is_private = sighting.scope == "private"
        return is_private and private_name(sighting.owner) == self._owner

    def _check_bytes(self, id: str, blob: str) -> None:
        if self._blobs.get(id) == blob:
            return
        content = self._read(blob, MAX_BYTES)
        check_content(content, id)
        self._blobs[id] = blob
        self._contents[id] = content

    def _read(self, blob: str, most: int) -> bytes:
        if not self._repo.has(blob):
            raise Doubtful("its bytes did not come with it")
        if self._repo.size(blob) > most:
            raise Doubtful(f"it is larger than {most // 2**20} MiB")
        return self._repo.blob(blob)

    # -- folders -----------------------------------------------------------------------------------

    def _new_folders(
        self,
        path: str,
        shape: re.Pattern[str],
        tree: str,
        others: Iterable[str | None],
    ) -> Iterator[Entry]:
        """Yield the folders of *tree* that one of *others* has not; what is none is set aside."""
        known = [read_by_name(self._repo.entries, other) for other in others]
        for entry in self._repo.entries(tree):
            if all(other.get(entry.name) == entry for other in known):
                continue
            if entry.mode == TREE and shape.fullmatch(entry.name):
                yield entry
            else:
                self._doubt(path + _plain(entry.name), entry.id, _NO_PLACE)

    def _doubt(
        self, path: str, object: str, reason: str, capture: str | None = None
    ) -> None:
        self._doubts.append(Doubt(path, object, reason, capture))


def _plain(name: str) -> str:
    """Return a foreign *name* so that it can be written and printed."""
    return ascii(name)[1:-1][:120]
