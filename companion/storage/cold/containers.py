"""Containers: a zip, a mailbox or an export, kept as the list of its parts, to the byte (CTX-4).

The door splits a container by byte ranges, without interpretation. Each member is an original of
its own; the container is an original whose blob is a manifest, the parts in order: a member, or
literal bytes that stood between members. A member that was packed by zlib is packed again with the
level that gave the very stream; where none does, the packed bytes are kept too. `restore` gives the
container back. A container may be the member of another one.

A container's id is the sha256 of the whole, as it came in: a grown export is told from a known one
by one reading, and what is restored is held against it.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from companion.errors import MALFORMED, BadInput
from companion.storage.cold import originals, store_originals
from companion.storage.cold.deflate import find_codec, pack_stream
from companion.storage.cold.originals import (
    CONTAINER,
    Blanked,
    Item,
    Original,
    hash_content,
)
from companion.storage.cold.stream import (
    Content,
    read_chunks,
    read_content,
    size_of,
)
from companion.storage.git.objects import hash_blob
from companion.storage.git.repo import Repo
from companion.values.events import JsonDocument
from companion.values.hashing import sha256

_LITERAL = 4 << 20  # bytes between members that are stored as one blob
_DEEPEST = 8  # containers in each other
_CODEC_OF_BLANKED = "deflate-6"


class DamagedContainer(BadInput):
    """A container cannot be given back as it came in."""

    hint = "Its members are kept, each an original of its own: recall those."


class Part(NamedTuple):
    """A run of bytes of a container."""

    kind: Literal["member", "bytes"]
    id: str  # sha256 of the member, or of the literal bytes that hold it
    length: int  # bytes of the container
    codec: str = ""  # of a member: "" as it is, "deflate-1" … "deflate-9"
    offset: int = 0  # of literal bytes: where it begins in them
    name: str = ""  # of a member
    of: str = ""  # of literal bytes: the member whose packed bytes they are


class Container(NamedTuple):
    """The manifest of a container: its parts in order."""

    form: str  # zip, mbox, json, …
    parts: tuple[Part, ...]
    size: int  # bytes of the whole
    # of the library that packed; another one may pack otherwise
    zlib: str = zlib.ZLIB_RUNTIME_VERSION


class Piece(NamedTuple):
    """A run of bytes of a container that is being split, in order.

    Without *member* it is literal bytes; *content* then replaces them where a secret was blanked.
    """

    raw: Content  # as they stand in the container
    member: Original | None = None
    # of a member: its bytes, where they were packed; None: *raw* are its bytes
    unpacked: Content | None = None
    # what is stored, where a secret was blanked; None: the bytes as they are
    content: Content | None = None
    # of literal bytes: where in the container
    blanked: tuple[Blanked, ...] = ()


def put(
    repo: Repo, item: Original, form: str, pieces: Iterable[Piece]
) -> Container:
    """Store a container and its members durably, in steps as `originals.put` does.

    *item* is the container: its id and size are those of the whole, as `make_original` says them of
    the file. Members name its id in `Original.container`. A member that is a container itself is
    stored before. The manifest is stored last: a container that is known is whole. Raises as
    `originals.put`.
    """
    parts: list[Part] = []
    split = _Split(parts)
    store_originals.put(repo, split.items(pieces))
    container = Container(form, tuple(parts), item.size)
    manifest = encode(container)
    item = item._replace(
        blob=hash_blob(manifest),
        media_type=CONTAINER,
        blanked=item.blanked + tuple(split.blanked),
    )
    store_originals.put(repo, [(item, manifest)])
    return container


class _Split:
    """Collects the parts of a container while its pieces go by."""

    def __init__(self, parts: list[Part]) -> None:
        self._parts = parts
        self._literal = bytearray()
        self._open: list[int] = []  # parts that lie in the literal bytes
        self._codec = "deflate-6"  # of the last member that was packed
        self.blanked: list[Blanked] = []  # in literal bytes

    def items(self, pieces: Iterable[Piece]) -> Iterator[Item]:
        """Yield what is to be stored of *pieces*."""
        for piece in pieces:
            if piece.member is None:
                self.blanked += piece.blanked
                yield from self._add_literal(piece.content or piece.raw)
            else:
                yield from self._add_member(piece, piece.member)
        yield from self._close_literal()

    def _add_member(self, piece: Piece, member: Original) -> Iterator[Item]:
        unpacked = piece.raw if piece.unpacked is None else piece.unpacked
        codec: str | None = ""
        if piece.unpacked is not None:
            codec = find_codec(piece.unpacked, piece.raw, first=self._codec)
            self._codec = codec or self._codec
            if codec is None and member.blanked:
                # the packed bytes would hold the secret
                codec = _CODEC_OF_BLANKED
        yield (member, unpacked if piece.content is None else piece.content)
        if codec is None:
            first = len(self._parts)
            yield from self._add_literal(piece.raw)
            self._name_member(first, member)
            return
        length = size_of(piece.raw)
        part = Part("member", member.id, length, codec, name=member.name)
        self._parts.append(part)

    def _name_member(self, first: int, member: Original) -> None:
        """Note whose packed bytes the parts from *first* on are."""
        for place in range(first, len(self._parts)):
            part = self._parts[place]
            self._parts[place] = part._replace(of=member.id, name=member.name)

    def _add_literal(self, content: Content) -> Iterator[Item]:
        if isinstance(content, str):
            id = hash_content(content)
            self._parts.append(Part("bytes", id, size_of(content)))
            yield None, content
            return
        for chunk in read_chunks(content):
            part = Part("bytes", "", len(chunk), offset=len(self._literal))
            self._open.append(len(self._parts))
            self._parts.append(part)
            self._literal += chunk
            if len(self._literal) >= _LITERAL:
                yield from self._close_literal()

    def _close_literal(self) -> Iterator[Item]:
        if not self._open:
            return
        content = bytes(self._literal)
        id = hash_content(content)
        for place in self._open:
            self._parts[place] = self._parts[place]._replace(id=id)
        self._open.clear()
        self._literal.clear()
        yield None, content


# -- manifests -------------------------------------------------------------------------------------


def encode(container: Container) -> bytes:
    """Return the manifest of *container*: JSON, a list for each part."""
    parts: list[list[str | int]] = []
    for part in container.parts:
        if part.kind == "member":
            parts.append([part.id, part.length, part.codec, part.name])
        else:
            whose = [part.of, part.name] if part.of else []
            parts.append([part.id, part.length, part.offset, *whose])
    manifest: JsonDocument = {
        "v": 1,
        "form": container.form,
        "size": container.size,
        "zlib": container.zlib,
        "parts": parts,
    }
    text = json.dumps(manifest, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def decode(manifest: bytes) -> Container:
    """Return the container that *manifest* describes. Raises DamagedContainer."""
    try:
        fields = json.loads(manifest)
        if fields["v"] != 1:
            raise DamagedContainer(
                "a newer companion wrote this container",
                hint="Upgrade companion-wiki.",
            )
        parts = tuple(map(_decode_part, fields["parts"]))
        return Container(
            str(fields["form"]), parts, int(fields["size"]), fields["zlib"]
        )
    except (*MALFORMED, IndexError) as error:
        raise DamagedContainer("a container has no manifest") from error


def _decode_part(fields: list[str | int]) -> Part:
    id = str(fields[0])
    length = int(fields[1])
    if isinstance(fields[2], int):
        whose = [str(field) for field in fields[3:]] or ["", ""]
        of, name = whose
        return Part("bytes", id, length, "", fields[2], name, of)
    _, _, codec, name = map(str, fields)
    return Part("member", id, length, codec, name=name)


# -- the way back ----------------------------------------------------------------------------------


def read(repo: Repo, item: Original) -> Container:
    """Return the manifest of the container *item*. Raises DamagedContainer or NotAnOriginal."""
    return decode(originals.read_bytes(repo, item))


def list_blanked(repo: Repo, item: Original) -> list[str]:
    """Return the names of the members of *item* in which a secret was blanked."""
    names = []
    for part in read(repo, item).parts:
        if part.kind == "member":
            member = originals.get(repo, part.id)
            if member.blanked:
                names.append(part.name)
            elif member.media_type == CONTAINER:
                names += list_blanked(repo, member)
    return names


def restore(repo: Repo, item: Original) -> Iterator[bytes]:
    """Yield the bytes of the container *item*, in pieces, without holding them.

    The last step compares them with its id, unless something in it was blanked (`list_blanked`):
    use nothing before it has ended. Raises DamagedContainer, NotAnOriginal.
    """
    digest = sha256()
    container = read(repo, item)
    for chunk in _Restoring(repo).pieces(container):
        digest.update(chunk)
        yield chunk
    if digest.hexdigest() == item.id:
        return
    if not item.blanked and not list_blanked(repo, item):
        here = zlib.ZLIB_RUNTIME_VERSION
        raise DamagedContainer(
            f"{item.name} cannot be given back to the byte: it was taken in with zlib"
            f" {container.zlib}, this is zlib {here}"
        )


class _Restoring:
    """Gives the bytes of parts; holds the last literal bytes that were read."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._literal = ("", b"")

    def pieces(self, container: Container, depth: int = 1) -> Iterator[bytes]:
        """Yield the bytes of *container*. Raises DamagedContainer for too many in each other."""
        if depth > _DEEPEST:
            raise DamagedContainer(
                f"more than {_DEEPEST} containers in each other"
            )
        for part in container.parts:
            if part.kind == "bytes":
                yield from self._literal_bytes(part)
            elif part.codec:
                inner = self._member(part, depth)
                yield from pack_stream(inner, part.codec)
            else:
                yield from self._member(part, depth)

    def _member(self, part: Part, depth: int) -> Iterator[bytes]:
        item = originals.get(self._repo, part.id)
        if item.media_type == CONTAINER:
            yield from self.pieces(read(self._repo, item), depth + 1)
        else:
            yield from originals.stream_bytes(self._repo, item)

    def _literal_bytes(self, part: Part) -> Iterator[bytes]:
        blob = originals.find_part(self._repo, part.id)
        if part.length > _LITERAL:
            yield from read_content(self._repo, blob, part.length)
            return
        if self._literal[0] != blob:
            self._literal = (blob, self._repo.blob(blob))
        content = self._literal[1]
        yield content[part.offset : part.offset + part.length]
