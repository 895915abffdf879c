"""Keep a container: each member as an original, and the whole as the list of its parts (CTX-4).

A container of gigabytes is read in stretches. What is here already costs its hash and nothing more,
so that a call that was killed goes on where it stopped, and an export that grew brings only what is
new.
"""

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from companion.operations.triage import media_types
from companion.operations.triage.blank import blank
from companion.operations.triage.containers.stretches import (
    CHUNK,
    LARGEST_MEMBER,
    Problem,
    Stretch,
    refuse_large,
)
from companion.operations.triage.containers.unpack import (
    DamagedMember,
    Scratch,
    unpack,
    unpack_head,
)
from companion.operations.triage.parcels import (
    OPEN_MEMBER,
    Parcel,
    open_parcel,
    show_path,
)
from companion.operations.triage.receive import Counts, Receiver
from companion.storage.cold import containers, originals
from companion.storage.cold.containers import Piece
from companion.storage.cold.originals import (
    CONTAINER,
    Blanked,
    ChangedMeanwhile,
    Original,
)
from companion.storage.git.repo import Repo
from companion.values.refusals import Refusal

Split = Callable[[BinaryIO], Iterator[Stretch | Problem]]

LOOK = 2**20  # bytes in which a container shows what it is
_INSIDE = "It is kept within the zip, and nothing reads it."
_DEEPEST_ZIP = 2  # a zip, and the zips in it


class Form(NamedTuple):
    """How a container is split."""

    name: str  # zip, mbox, json
    split: Split
    member_type: str = ""  # of all members; "": each one's own


def find_form(parcel: Parcel, file: BinaryIO) -> Form | str:
    """Return how *file* is split; where it is one document, its media type."""
    file.seek(0)
    head = file.read(LOOK)
    if parcel.media_type == media_types.ZIP:
        return _look_into_zip(file)
    return _form_of(parcel.media_type, head)


def _look_into_zip(file: BinaryIO) -> Form | str:
    from companion.operations.triage.containers.zips import (
        list_names,
        split_zip,
    )

    try:
        told = media_types.tell_zipped(*list_names(file))
    # RuntimeError: a way of packing that zipfile does not know
    except (zipfile.BadZipFile, ValueError, OSError, RuntimeError):
        told = media_types.ZIP  # splitting says what is wrong
    return Form("zip", split_zip) if told == media_types.ZIP else told


def _form_of(media_type: str, head: bytes) -> Form | str:
    if media_type == media_types.MBOX and media_types.is_mailbox(head):
        from companion.operations.triage.containers.mailboxes import (
            split_mailbox,
        )

        return Form("mbox", split_mailbox, "message/rfc822")
    if media_type == media_types.JSON:
        from companion.operations.triage.containers.json_arrays import (
            find_array,
            split_array,
        )

        start = find_array(head)
        if start is not None:
            return Form(
                "json", lambda file: split_array(file, start), media_types.JSON
            )
    return media_type


class Kept(NamedTuple):
    """A container that is here now."""

    item: Original
    counts: Counts
    is_known: bool
    has_blanks: bool  # a secret was blanked in it


def keep_container(
    receiver: Receiver,
    parcel: Parcel,
    file: BinaryIO,
    form: Form,
    scratch: Scratch,
    *,
    container: str | None = None,
    zips: int = 1,
) -> Kept:
    """Keep the container *parcel*, whose open file is *file*.

    *container* is the one that it was found in, and *zips* how many zips it lies in, itself
    included. Raises ChangedMeanwhile where somebody writes to the file.
    """
    was = _fingerprint(file)
    receiver.progress.begin(f"Looking whether {parcel.name} is known")
    item = receiver.make(parcel, parcel.path, container)
    item = item._replace(media_type=CONTAINER)
    if item.id in receiver.known:
        known = originals.get(receiver.repo, item.id)
        counts = Counts()
        counts.known = _count_members(receiver.repo, known)
        item = item._replace(blob=known.blob, blanked=known.blanked)
        return Kept(item, counts, True, bool(known.blanked))
    receiver.progress.begin(f"Taking in {parcel.name}")
    splitting = _Splitting(receiver, parcel, file, item.id, scratch, zips)
    splitting.keep_inner_containers(form)
    pieces = splitting.pieces(form)
    if receiver.dry_run:
        for _ in pieces:
            continue
    else:
        checked = _until_changed(pieces, file, was)
        containers.put(receiver.repo, item, form.name, checked)
    receiver.known.add(item.id)
    item = item._replace(blanked=tuple(splitting.blanked))
    return Kept(item, splitting.counts, False, splitting.has_blanks)


def _count_members(repo: Repo, container: Original) -> int:
    """Return how many documents a container that is here has, also in containers within it."""
    manifest = containers.read(repo, container)
    count = 0
    for part in manifest.parts:
        if part.kind != "member":
            continue
        count += 1
        if manifest.form == "zip":
            member = originals.get(repo, part.id)
            if member.media_type == CONTAINER:
                count += _count_members(repo, member) - 1
    return count


def _until_changed(
    pieces: Iterator[Piece], file: BinaryIO, was: tuple[int, int]
) -> Iterator[Piece]:
    """Yield *pieces*; raise ChangedMeanwhile at the end if the file is another one by then.

    The manifest is stored after the last piece.
    """
    yield from pieces
    if _fingerprint(file) != was:
        raise ChangedMeanwhile("it changed while it was read")


def _fingerprint(file: BinaryIO) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


class _Inner(NamedTuple):
    """A container that is a member of another one: kept before, and unpacked into a file."""

    item: Original
    path: str


class _Splitting:
    """Turns the stretches of one container into what is stored of them."""

    def __init__(
        self,
        receiver: Receiver,
        parcel: Parcel,
        file: BinaryIO,
        id: str,
        scratch: Scratch,
        zips: int,
    ) -> None:
        self._receiver = receiver
        self._parcel = parcel
        self._file = file
        self._id = id
        self._scratch = scratch
        self._zips = zips
        self._inner: dict[int, _Inner | Problem] = {}  # by offset
        self.counts = Counts()
        self.has_blanks = False
        self.blanked: list[Blanked] = []  # between members

    def pieces(self, form: Form) -> Iterator[Piece]:
        """Yield what is stored of each stretch, and write down what became of each member."""
        if form.name == "zip":
            yield from self._zip_pieces(form)
            return
        for item in form.split(self._file):
            if isinstance(item, Problem):
                self._refuse(item)
            elif item.name is None:
                yield from self._text_between(item, form.member_type)
            elif item.length > LARGEST_MEMBER:
                self._refuse(refuse_large(item.name))
                yield from self._bytes_between(item)
            else:
                member = self._parcel_of(item.name)._replace(
                    media_type=form.member_type
                )
                yield self._keep(member, self._read(item), is_listed=False)

    # -- zips

    def keep_inner_containers(self, form: Form) -> None:
        """Keep what is a container itself before the zip that it lies in: that is how it is known
        by then.
        """
        if form.name != "zip":
            return
        for item in form.split(self._file):
            if isinstance(item, Stretch) and item.name is not None:
                found = self._keep_inner(item, item.name)
                if found is not None:
                    self._inner[item.offset] = found

    def _zip_pieces(self, form: Form) -> Iterator[Piece]:
        for item in form.split(self._file):
            if isinstance(item, Problem):
                self._refuse(item)
            elif item.name is None:
                yield from self._bytes_between(item)
            else:
                inner = self._inner.get(item.offset)
                yield from self._zip_member(item, item.name, inner)

    def _zip_member(
        self, stretch: Stretch, name: str, inner: _Inner | Problem | None
    ) -> Iterator[Piece]:
        if isinstance(inner, _Inner):
            packed = self._read_or_spill(stretch)
            unpacked = inner.path if stretch.codec else None
            yield Piece(packed, inner.item, unpacked)
            return
        piece = inner or self._take_member(stretch, name)
        if isinstance(piece, Piece):
            yield piece
            return
        if isinstance(piece, Problem):
            self._refuse(piece)
        else:
            self._receiver.passed_over.append(piece)
            self.counts.passed_over += 1
        yield from self._bytes_between(stretch)

    def _take_member(
        self, stretch: Stretch, name: str
    ) -> Piece | Problem | Refusal:
        """Return the piece of a document, or why only its bytes are kept."""
        parcel = self._parcel_of(name)
        if _is_hidden(name):
            return Refusal(parcel.origin, "hidden", "a hidden file", _INSIDE)
        try:
            head = unpack_head(self._file, stretch, 8192)
            media_type = media_types.tell_media_type(head, name)
            if not media_types.is_wanted(media_type, name):
                kind = media_types.name_kind(media_type)
                return Refusal(parcel.origin, "not-text", kind, _INSIDE)
            if stretch.size > LARGEST_MEMBER:
                return refuse_large(name)
            content = b"".join(unpack(self._file, stretch))
        except DamagedMember as error:
            return Problem(name, "damaged", str(error), error.hint)
        if media_type == media_types.ZIP:
            told = _look_into_zip(io.BytesIO(content))
            media_type = told if isinstance(told, str) else media_type
        parcel = parcel._replace(media_type=media_type)
        packed = self._read(stretch) if stretch.codec else None
        return self._keep(parcel, content, packed, is_listed=True)

    def _keep_inner(
        self, stretch: Stretch, name: str
    ) -> "_Inner | Problem | None":
        """Keep a member that is a container; None where it is not."""
        parcel = self._parcel_of(name)
        if _is_hidden(name):
            return None
        try:
            head = unpack_head(self._file, stretch, LOOK)
            media_type = media_types.tell_media_type(head[:8192], name)
            parcel = parcel._replace(media_type=media_type)
            if media_type == media_types.ZIP or isinstance(
                _form_of(media_type, head), Form
            ):
                path = self._scratch.write(unpack(self._file, stretch))
            else:
                return None
        except DamagedMember:
            return None  # it is met again, and named, when members are taken
        return self._keep_spilled(parcel._replace(path=path), name)

    def _keep_spilled(
        self, parcel: Parcel, name: str
    ) -> "_Inner | Problem | None":
        with open_parcel(parcel) as file:
            form = find_form(parcel, file)
            if isinstance(form, str):
                return None
            zips = self._zips + (form.name == "zip")
            if zips > _DEEPEST_ZIP:
                hint = "Unpack it, and ingest the folder."
                return Problem(name, "nested", "a zip in a zip in a zip", hint)
            kept = keep_container(
                self._receiver,
                parcel,
                file,
                form,
                self._scratch,
                container=self._id,
                zips=zips,
            )
        self.counts.add(kept.counts)
        self.has_blanks = self.has_blanks or kept.has_blanks
        self._receiver.tell(
            kept.item, is_known=kept.is_known, members=kept.counts
        )
        item = kept.item
        if kept.has_blanks and not item.blanked:
            # the packed bytes would hold the secret
            item = item._replace(blanked=(Blanked(0, 0, "in a member"),))
        return _Inner(item, parcel.path)

    # -- members and what stands between them

    def _keep(
        self,
        parcel: Parcel,
        content: bytes,
        packed: bytes | None = None,
        *,
        is_listed: bool,
    ) -> Piece:
        receiver = self._receiver
        taken = receiver.receive(parcel, content, self._id)
        if taken.item.blanked:
            self.has_blanks = True
        if is_listed or taken.item.blanked:
            receiver.tell(taken.item, is_known=taken.is_known)
        if taken.is_known:
            self.counts.known += 1
        else:
            self.counts.kept += 1
        receiver.known.add(taken.item.id)
        receiver.progress(1)
        stored = taken.content if taken.item.blanked else None
        if packed is None:
            return Piece(content, taken.item, content=stored)
        return Piece(packed, taken.item, unpacked=content, content=stored)

    def _text_between(
        self, stretch: Stretch, media_type: str
    ) -> Iterator[Piece]:
        """Yield the bytes between members of a text; secrets are blanked in them, too."""
        if stretch.length > LARGEST_MEMBER:
            yield from self._bytes_between(stretch)
            return
        raw = self._read(stretch)
        content, spans = blank(raw, media_type, self._receiver.door)
        if not spans:
            yield Piece(raw)
            return
        self.has_blanks = True
        moved = tuple(
            Blanked(stretch.offset + start, length, kind)
            for start, length, kind in spans
        )
        self.blanked += moved
        yield Piece(raw, content=content, blanked=moved)

    def _bytes_between(self, stretch: Stretch) -> Iterator[Piece]:
        end = stretch.offset + stretch.length
        for start in range(stretch.offset, end, CHUNK):
            yield Piece(self._read(Stretch(start, min(CHUNK, end - start))))

    def _read(self, stretch: Stretch) -> bytes:
        self._file.seek(stretch.offset)
        content = self._file.read(stretch.length)
        if len(content) < stretch.length:
            raise ChangedMeanwhile("it changed while it was read")
        return content

    def _read_or_spill(self, stretch: Stretch) -> bytes | str:
        """Return the packed bytes; a file of them where they are many."""
        if stretch.length <= LARGEST_MEMBER:
            return self._read(stretch)
        end = stretch.offset + stretch.length
        return self._scratch.write(
            self._read(Stretch(start, min(CHUNK, end - start)))
            for start in range(stretch.offset, end, CHUNK)
        )

    def _parcel_of(self, name: str) -> Parcel:
        whole = self._parcel
        shown = show_path(name)
        return whole._replace(
            origin=f"{whole.origin}/{shown}",
            name=shown,
            source=f"{whole.source}/{shown}",
            flags=OPEN_MEMBER,
        )

    def _refuse(self, problem: Problem) -> None:
        origin = self._parcel.origin
        if problem.name:
            origin = f"{origin}/{show_path(problem.name)}"
        self._receiver.refuse(origin, *problem[1:])
        self.counts.refused += 1


def _is_hidden(name: str) -> bool:
    parts = name.split("/")
    if "__MACOSX" in parts:
        return True
    return any(part.startswith(".") and part.strip(".") for part in parts)
