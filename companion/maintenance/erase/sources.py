"""Find words to erase in originals: in their bytes, and in what a reader finds in them."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.privacy.words_to_erase import Words, hidden_finder, pattern
from companion.sources.document import Unreadable
from companion.sources.read import Readers
from companion.storage.cold import cold_memory, containers, originals
from companion.storage.cold.cold_memory import PRIVATE_REF
from companion.storage.cold.containers import Container, Part
from companion.storage.cold.originals import CONTAINER, Original, hash_content
from companion.storage.erasure.erased_sources import REFS, ErasedSources
from companion.storage.git import layout
from companion.storage.git.repo import MissingObject, Repo
from companion.values.events import JsonDocument

KIND = "erased words"
GONE = (
    b"This original held words that were erased, and was removed with them.\n"
)
_GONE_TYPE = "text/plain"
_FILLER = b"*"
_CODEC = "deflate-6"  # of members whose packed bytes go
# what the bytes themselves show: no reader finds more in them
_PLAIN = ("text/plain", "text/markdown", "text/csv")

Clean = Callable[[bytes], bytes]


class Erased(NamedTuple):
    """The bytes of one original after the erasure."""

    id: str  # before
    content: bytes  # after
    spans: tuple[tuple[int, int], ...]  # (start, length) of the filler
    is_gone: bool = False


class _Header(NamedTuple):
    """A header of an original, in one of the trees."""

    blob: str
    fields: JsonDocument


class _Store(NamedTuple):
    """The originals that the trees hold."""

    headers: list[_Header]  # of originals and of their cold objects
    items: dict[str, Original]  # by the blob of their bytes
    parts: dict[str, str]  # blobs of the literal bytes of containers, by id


def plan_sources(
    repo: Repo, words: Sequence[Words], clean: Clean
) -> tuple[ErasedSources, list[str]]:
    """Return what an erasure of *words* makes of originals, and which could not be looked into."""
    store = _read_store(repo)
    if not store.items:
        return ErasedSources({}, {}, {}), []
    erased: dict[str, Erased] = {}  # by blob
    unread: list[str] = []
    with Readers() as readers:
        look = _Look(repo, words, clean, readers, unread)
        for blob, item in store.items.items():
            if item.media_type != CONTAINER:
                found = look.at(item)
                if found is not None:
                    erased[blob] = found
    for id, blob in store.parts.items():
        content = repo.blob(blob)
        filled, spans = look.fill(content)
        if spans:
            erased[blob] = Erased(id, filled, spans)
    records: dict[str, bytes] = {}
    _change_containers(repo, store, erased, records)
    _change_headers(store, erased, records)
    contents = {blob: item.content for blob, item in erased.items()}
    ids = {}
    for each in erased.values():
        ids[each.id.encode()] = hash_content(each.content).encode()
    return ErasedSources(contents, records, ids), unread


class _Look:
    """Looks into originals for the words."""

    def __init__(
        self,
        repo: Repo,
        words: Sequence[Words],
        clean: Clean,
        readers: Readers,
        unread: list[str],
    ) -> None:
        self._repo = repo
        self._clean = clean
        self._readers = readers
        self._unread = unread
        patterns = [re.compile(pattern(w.text), re.IGNORECASE) for w in words]
        self._patterns = patterns
        self._find_hidden = hidden_finder(words)

    def at(self, item: Original) -> Erased | None:
        """Return what becomes of *item*; None where it holds none of the words."""
        try:
            content = self._repo.blob(item.blob)
        except MissingObject:
            return None  # git has lost it: `doctor` names it
        filled, spans = self.fill(content)
        is_dirty = self._clean(filled) != filled
        if not is_dirty and item.media_type not in _PLAIN:
            is_dirty = self._reads_dirty(filled, item)
        if is_dirty or (spans and not _is_text(content)):
            return Erased(item.id, GONE, (), True)
        if spans:
            return Erased(item.id, filled, spans)
        return None

    def fill(self, content: bytes) -> tuple[bytes, tuple[tuple[int, int], ...]]:
        """Return *content* with filler in place of the words, and where."""
        if self._clean(content) == content:
            return content, ()
        spans = []
        filled = bytearray(content)
        for compiled in self._patterns:
            for match in compiled.finditer(content):
                start, end = match.span()
                filled[start:end] = _FILLER * (end - start)
                spans.append((start, end - start))
        for hit in self._find_hidden(bytes(filled)):
            size = hit.end - hit.start
            filled[hit.start : hit.end] = _FILLER * size
            spans.append((hit.start, size))
        return bytes(filled), tuple(sorted(spans))

    def _reads_dirty(self, content: bytes, item: Original) -> bool:
        """Tell whether a reader finds the words in *content*."""
        try:
            document = self._readers.read(content, item).document
        except Unreadable:
            if not _is_text(content):
                self._unread.append(item.source)
            return False
        about = (document.title, *document.authors, document.text)
        text = "\n".join(about).encode("utf-8", "replace")
        return self._clean(text) != text


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


# -- the trees -------------------------------------------------------------------------------------


def _read_store(repo: Repo) -> _Store:
    store = _Store([], {}, {})
    for ref in REFS:
        for path, _, blob in repo.walk(layout.read_ref(repo.place, ref)):
            if path.endswith(".part"):
                store.parts[path[3:].removesuffix(".part")] = blob
            elif path.endswith(".json"):
                item = originals.decode(repo, blob)
                store.items[item.blob] = item
                fields = json.loads(repo.blob(blob))
                store.headers.append(_Header(blob, fields))
    for blob in _list_cold_headers(repo):
        fields = json.loads(repo.blob(blob))
        if "original" in fields:
            store.headers.append(_Header(blob, fields))
            store.items.setdefault(fields["blob"], _item_of(fields))
    return store


def _list_cold_headers(repo: Repo) -> Iterator[str]:
    for ref in (cold_memory.REF, PRIVATE_REF):
        for path, _, blob in repo.walk(layout.read_ref(repo.place, ref)):
            if path.endswith(".json"):
                yield blob


def _item_of(fields: JsonDocument) -> Original:
    return Original(
        id=fields["original"],
        blob=fields["blob"],
        size=fields.get("size", 0),
        media_type=fields["media_type"],
        name=fields.get("name", ""),
        source=fields.get("path") or fields.get("url", ""),
        received_at=fields["received_at"],
    )


def _change_headers(
    store: _Store, erased: dict[str, Erased], records: dict[str, bytes]
) -> None:
    """Let the headers of erased originals say what is blank in them."""
    for header in store.headers:
        found = erased.get(header.fields["blob"])
        if found is None:
            continue
        fields = dict(header.fields)
        fields["size"] = len(found.content)
        if found.is_gone:
            fields["media_type"] = _GONE_TYPE
        spans = found.spans or ((0, len(found.content)),)
        _add_blanked(fields, spans)
        records[header.blob] = _encode(fields)


def _add_blanked(
    fields: JsonDocument, spans: Sequence[tuple[int, int]]
) -> None:
    if "original" in fields:  # of a cold object, which only counts them
        fields["blanked"] = fields.get("blanked", 0) + len(spans)
        return
    blanked = [[start, length, KIND] for start, length in spans]
    fields["blanked"] = [*fields.get("blanked", []), *blanked]


def _encode(fields: JsonDocument) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    return text.encode("utf-8", "surrogatepass")


# -- containers ------------------------------------------------------------------------------------


def _change_containers(
    repo: Repo,
    store: _Store,
    erased: dict[str, Erased],
    records: dict[str, bytes],
) -> None:
    """Let containers of erased members have blanks, and take packed bytes of those out."""
    dirty = {each.id for each in erased.values()}
    found = _list_containers(repo, store)
    before = -1
    while before != len(dirty):
        # a container may be the member of another one
        before = len(dirty)
        for header, manifest in found:
            if any({part.id, part.of} & dirty for part in manifest.parts):
                dirty.add(header.fields["id"])
    for header, manifest in found:
        fields = header.fields
        if fields["id"] not in dirty:
            continue
        new = _without_streams(repo, store, erased, manifest, dirty)
        records[fields["blob"]] = containers.encode(new)
        changed = dict(fields)
        _add_blanked(changed, [(0, 0)])
        records[header.blob] = _encode(changed)


def _list_containers(
    repo: Repo, store: _Store
) -> list[tuple[_Header, Container]]:
    """Return the headers of containers with their manifests."""
    found = []
    for header in store.headers:
        fields = header.fields
        if fields["media_type"] == CONTAINER and "original" not in fields:
            manifest = containers.decode(repo.blob(fields["blob"]))
            found.append((header, manifest))
    return found


def _without_streams(
    repo: Repo,
    store: _Store,
    erased: dict[str, Erased],
    manifest: Container,
    dirty: set[str],
) -> Container:
    """Return *manifest* with dirty members in place of their packed bytes, which go."""
    parts: list[Part] = []
    for part in manifest.parts:
        if part.of not in dirty:
            parts.append(part)
            continue
        blob = store.parts[part.id]
        known = erased.get(blob)
        content = bytearray(known.content if known else repo.blob(blob))
        end = part.offset + part.length
        content[part.offset : end] = bytes(part.length)
        span = (part.offset, part.length)
        erased[blob] = Erased(part.id, bytes(content), (span,))
        parts.append(
            Part("member", part.of, part.length, _CODEC, name=part.name)
        )
    return manifest._replace(parts=tuple(parts))
