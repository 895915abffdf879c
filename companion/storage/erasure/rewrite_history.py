"""Rewriting history: what every object of a repository becomes when bytes are replaced in all of
them.

An object's name is the hash of its content, so that one changed blob changes every tree and commit
above it. Beyond what git itself links, companion's records name objects and each other: a ledger
file its base tree, its run's name (a hash of its first line) and the captures (hashes of their
content). All of it follows, so that what comes out is a wiki like any other. Nothing is written but
through the sink; trees, dates, authors and trailers stay as they are.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from companion.errors import BadInput
from companion.storage.git.command import run_git
from companion.storage.git.objects import hash_object
from companion.storage.git.repo import Repo
from companion.storage.git.trees import Entry, encode_tree, parse_tree
from companion.storage.index.tables import claims
from companion.storage.ledger_file import encode_line

Clean = Callable[[bytes], bytes]
# (a ledger file, what it becomes): raises where that is none any more
Check = Callable[[bytes, bytes], None]
Sink = Callable[[str, bytes], str]  # (kind, bytes) -> object id

_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_GITLINK = 0o160000
_OID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_RUN = re.compile(rb"\d{4}-\d\d-\d\d-[a-z]+-[0-9a-f]{12}(?![0-9a-f])")
_RECORD = re.compile(rb'"v": ?1\b')
_CLAIMS, _RESOLVED = b'"e":"claims"', b'"e":"resolved"'
# A compressed page names its original in the frontmatter: the linkout is never traded away, not by
# an erasure either.
_LINKOUT = re.compile(rb"^original: ([0-9a-f]{40})(?=[ \t]*\r?$)", re.MULTILINE)
_SIGNATURE = re.compile(rb"-----BEGIN (PGP|SSH) SIGNATURE-----.*\Z", re.DOTALL)
_ROUNDS = 8  # captures may name captures that name captures


class NameTaken(BadInput):
    """Two files would have the same name."""

    hint = (
        "Rename one of them, commit, and run this again. Nothing was changed."
    )


class Rewriter:
    """Maps old object ids to new ones, each computed once."""

    def __init__(
        self,
        repo: Repo,
        clean: Clean,
        check: Check,
        new_entry: Callable[[str], str],
        sink: Sink = hash_object,
    ) -> None:
        self.repo, self.clean, self.sink = repo, clean, sink
        self._check = check
        # the id of the page that begins with a capture
        self._new_entry = new_entry
        self.kinds = dict(_all_objects(repo))
        # captures, and the pages that begin with them
        self.ids: dict[bytes, bytes] = {}
        self.runs: dict[bytes, bytes] = {}
        self.map: dict[str, str] = {}
        self.dirty: set[str] = set()  # objects that hold the words themselves
        # claims that go, by the ids of their assertions
        self.gone: dict[str, dict[str, Any]] = {}
        # (predicate, object) of them
        self._facts: list[tuple[bytes, bytes]] = []
        self.signed = 0
        self._run_files: dict[bytes, str] = {}

    def survey(self, captures: Iterable[tuple[str, str, bytes | None]]) -> None:
        """Look into every object, and settle what the *captures* (id, blob, bytes where git has
        none) become.
        """
        for oid, kind in self.kinds.items():
            data = self._read(oid)
            self._look(oid, kind, data)
        affected = {}
        for id, blob, content in captures:
            data = (
                content
                if content is not None
                else self._read(blob)
                if blob in self.kinds
                else b""
            )
            if blob in self.dirty or self.clean(data) != data:
                affected[id] = data
        self._name(affected)
        self._unsay()

    def changed(self) -> dict[str, str]:
        """Return every object that becomes another, once all are known."""
        for oid in self.kinds:
            self.resolve(oid)
        return {old: new for old, new in self.map.items() if old != new}

    def resolve(self, oid: str) -> str:
        """Return what *oid* becomes; the sink has it, and what it needs, by then."""
        stack, begun = [oid], set[str]()
        while stack:
            top = stack[-1]
            if top in self.map or top not in self.kinds:
                stack.pop()
                continue
            data = self._read(top)
            begun.add(top)
            missing = [
                d
                for d in self._needs(top, data)
                if d in self.kinds and d not in self.map and d not in begun
            ]
            if missing:
                stack += missing
                continue
            stack.pop()
            self.map[top] = self._become(top, data)
        return self.map.get(oid, oid)

    def blob(self, data: bytes) -> bytes:
        """Return what the bytes of a file become. What a record names must have been resolved."""
        data = self.text(self._unclaimed(self._unfacted(data)))
        if _RECORD.search(data) and data[:1] == b"{":
            return self._named(data)
        return _LINKOUT.sub(self._linkout, data)

    def _linkout(self, found: re.Match[bytes]) -> bytes:
        original = found[1].decode()
        return b"original: " + self.map.get(original, original).encode()

    def text(self, data: bytes) -> bytes:
        """Return *data* without the words, and with the new ids of what held them."""
        data = self.clean(data)
        if self.ids:
            data = re.sub(
                b"|".join(self.ids), lambda found: self.ids[found[0]], data
            )
        return data

    def names(self, data: bytes) -> bytes:
        """Return a text of git's own (a log, a head) with new object ids and names."""
        return self._named(self.text(data))

    # -- one object --------------------------------------------------------------------------------

    def _read(self, oid: str) -> bytes:
        return bytes(self.repo.git.read(oid)[1])

    def _look(self, oid: str, kind: str, data: bytes) -> None:
        looked_at = data
        if kind == "tree":
            looked_at = _joined(parse_tree(data))
        if self.clean(looked_at) != looked_at:
            self.dirty.add(oid)
        run = _run_of(data) if kind == "blob" else None
        if run is not None:
            self._run_files[run] = oid

    def _name(self, affected: dict[str, bytes]) -> None:
        """Settle the new ids: a capture's follows from its content, which may itself name
        captures.
        """
        gone = self._claims_of(affected)
        for _ in range(_ROUNDS):
            table: dict[bytes, bytes] = dict(gone)
            for id, data in affected.items():
                new = hashlib.sha256(self.text(data)).hexdigest()
                table[id.encode()] = new.encode()
                table[self._new_entry(id).encode()] = self._new_entry(
                    new
                ).encode()
            if table == self.ids:
                return
            self.ids = table
        raise BadInput(
            "captures name each other in a circle", hint="Please report it."
        )

    def _claims_of(self, captures: Collection[str]) -> dict[bytes, bytes]:
        """Return what stands for the claims of *captures*, and for questions about them: hashes of
        what they said.
        """
        lines = [
            json.loads(line)
            for oid in self._run_files.values()
            for line in self._lines(oid)
            if captures
        ]
        told = [
            line
            for line in lines
            if line["e"] == "claims" and line["capture"] in captures
        ]
        ids = {
            str(row[0])
            for event in told
            for row in claims.build_claim_rows("", event)
        }
        keys = [
            key
            for line in lines
            if line["e"] == "resolved"
            for key in line["keys"]
        ]
        flags = {
            str(key["flag"])
            for key in keys
            if "flag" in key and not ids.isdisjoint(key.get("disputed", ()))
        }
        return {id.encode(): b"0" * len(id) for id in (*ids, *flags)}

    def _lines(self, oid: str) -> list[bytes]:
        return [
            line
            for line in self._read(oid).splitlines()
            if _CLAIMS in line or _RESOLVED in line
        ]

    def _needs(self, oid: str, data: bytes) -> Iterator[str]:
        """Yield the objects that must be known before this one."""
        kind = self.kinds[oid]
        if kind == "tree":
            yield from (
                entry.id for entry in parse_tree(data) if entry.mode != _GITLINK
            )
        elif kind == "blob" and not (data[:1] == b"{" and _RECORD.search(data)):
            yield from (found.decode() for found in _LINKOUT.findall(data))
            return
        own = _run_of(data) if kind == "blob" else None
        text = _joined(parse_tree(data)) if kind == "tree" else data
        yield from map(bytes.decode, _OID.findall(text))
        yield from (
            self._run_files[run]
            for run in _RUN.findall(text)
            if run != own and run in self._run_files
        )

    def _become(self, oid: str, data: bytes) -> str:
        kind = self.kinds[oid]
        new = {
            "blob": self._blob,
            "tree": self._tree,
            "commit": self._commit,
            "tag": self._tag,
        }[kind](data)
        return oid if new == data else self.sink(kind, new)

    def _blob(self, data: bytes) -> bytes:
        new = self.blob(data)
        run = _run_of(data)
        if run is not None and new != data:
            self._check(self._unclaimed(data), new)
            self.runs[run] = _run_of(new) or run
        return new

    def _unclaimed(self, data: bytes) -> bytes:
        """Take out what was read from captures that change: a claim holds the parts of a sentence,
        not its words.
        """
        if not self.gone or _CLAIMS not in data:
            return data
        return b"".join(
            map(self._without_claims, data.splitlines(keepends=True))
        )

    def _without_claims(self, line: bytes) -> bytes:
        found = list(_stated(line))
        kept = [claim for _, id, claim in found if id not in self.gone]
        if len(kept) == len(found):
            return line
        return encode_line(
            {
                **found[0][0],
                "claims": kept,
                "reason": "erased with what it was read from",
            }
        )

    def _unsay(self) -> None:
        """Settle which claims go: those read from what changes, and what a hand took back of
        them.
        """
        stated = [
            each
            for oid in self._run_files.values()
            for each in _stated(self._read(oid))
        ]
        self.gone = {
            id: claim
            for event, id, claim in stated
            if self._is_read_from_words(event, claim)
        }
        self.gone |= {
            id: claim
            for _, id, claim in stated
            if not self.gone.keys().isdisjoint(claim.get("retracts", ()))
        }
        said = {
            (claim["predicate"], " ".join(claim["object"].split()))
            for claim in self.gone.values()
        }
        self._facts = [
            (predicate.encode(), object.encode())
            for predicate, object in sorted(said)
            if object
        ]

    def _is_read_from_words(
        self, event: Mapping[str, Any], claim: Mapping[str, Any]
    ) -> bool:
        source = str(event["capture"])
        if source not in self.dirty:
            return source.encode() in self.ids
        # its words are those of what it takes back, and go with them
        if claim.get("retracts"):
            return False
        # its place is in another text; the page has the words, and that must do
        if claim["rule"] == "hand/back":
            return True
        # What a hand told stands in the page itself: a correction elsewhere on it is not lost.
        text = (
            self._read(source).decode("utf-8", "replace").replace("\r\n", "\n")
        )
        first, last = claim["span"]
        end = text.find("\n\n", last)
        passage = text[
            text.rfind("\n\n", 0, first) + 1 : len(text) if end < 0 else end
        ].encode()
        return self.clean(passage) != passage

    def _unfacted(self, data: bytes) -> bytes:
        """Take out the lines of a page's facts that say what goes: they put a sentence's parts in
        another order.
        """
        if not self._facts or b"## Facts" not in data:
            return data
        lines = data.splitlines(keepends=True)
        return b"".join(
            line
            for line in lines
            if not (line[:2] in (b"- ", b"* ") and self._says(line))
        )

    def _says(self, line: bytes) -> bool:
        return any(
            object in line and predicate in line
            for predicate, object in self._facts
        )

    def _tree(self, data: bytes) -> bytes:
        before = parse_tree(data)
        if not before:
            return data
        names = (
            self.names(_joined(before))
            .decode("utf-8", "surrogateescape")
            .split("\0")
        )
        entries = [
            Entry(name, old.mode, self.map.get(old.id, old.id))
            for name, old in zip(names, before, strict=True)
        ]
        if len(set(names)) < len(entries):
            raise NameTaken
        # Foreign trees may spell modes or order otherwise; what needs no change keeps its name.
        return data if entries == before else encode_tree(entries)

    def _commit(self, data: bytes) -> bytes:
        head, gap, message = data.partition(b"\n\n")
        new = self.names(head) + gap + self.names(message)
        if new != data and re.search(
            rb"^(gpgsig|mergetag)", head, re.MULTILINE
        ):
            self.signed += 1
            head = re.sub(
                rb"^(?:gpgsig(?:-sha256)?|mergetag) .*(?:\n .*)*\n?",
                b"",
                head + b"\n",
                flags=re.MULTILINE,
            )
            new = self.names(head.rstrip(b"\n")) + gap + self.names(message)
        return new

    def _tag(self, data: bytes) -> bytes:
        new = self.names(data)
        if new != data and _SIGNATURE.search(new):
            self.signed += 1
            new = _SIGNATURE.sub(b"", new)
        return new

    def _named(self, data: bytes) -> bytes:
        data = _OID.sub(
            lambda found: self.map.get(
                found[0].decode(), found[0].decode()
            ).encode(),
            data,
        )
        return _RUN.sub(lambda found: self.runs.get(found[0], found[0]), data)


def _stated(
    data: bytes,
) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    """Yield (event, assertion's id, claim) for every claim that lines of a ledger file state."""
    for line in data.splitlines():
        if _CLAIMS in line:
            try:
                event = json.loads(line)
                ids = [row[0] for row in claims.build_claim_rows("", event)]
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # a foreign or torn line: nothing of ours to read
            yield from (
                (event, id, claim)
                for id, claim in zip(ids, event["claims"], strict=True)
            )


def _joined(entries: Iterable[Entry]) -> bytes:
    """Return the names of a tree as one text: no name holds a NUL."""
    return b"\0".join(
        entry.name.encode("utf-8", "surrogateescape") for entry in entries
    )


def _run_of(data: bytes) -> bytes | None:
    """Return the name of the run whose ledger file *data* is."""
    first = data.partition(b"\n")[0]
    if not first.startswith(b"{") or b'"e":"run"' not in first:
        return None
    try:
        line: Any = json.loads(first)
        said = f"{str(line['now'])[:10]}-{line['operation']}-"
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # something that only looks like one
    return (
        said.encode() + hashlib.sha256(first + b"\n").hexdigest()[:12].encode()
    )


def _all_objects(repo: Repo) -> Iterator[tuple[str, str]]:
    listing = run_git(
        repo.place,
        "cat-file",
        "--batch-all-objects",
        "--batch-check=%(objectname) %(objecttype)",
    )
    for line in listing.decode().splitlines():
        oid, kind = line.split(" ")
        yield oid, kind
