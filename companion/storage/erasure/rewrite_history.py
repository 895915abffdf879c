"""Say what every object of a repository becomes when bytes are replaced in all of them.

An object's name is the hash of its content, so that one changed blob changes every tree and commit
above it. Beyond what git itself links, companion's records name objects and each other: a ledger
file names its base tree, its run (a hash of its first line) and captures (hashes of their content).
All of these names follow, so that the result is a wiki like any other. Only the sink writes; trees,
dates, authors and trailers stay as they are.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from companion.errors import BadInput
from companion.pages.statements import statement_id
from companion.storage import claim_lines
from companion.storage.erasure.erased_claims import (
    Fact,
    RecordedClaim,
    drop_claims,
    drop_fact_lines,
    find_erased_claims,
    list_claims,
    list_facts,
)
from companion.storage.erasure.erased_sources import (
    NO_SOURCES,
    ErasedSources,
)
from companion.storage.erasure.read_objects import (
    find_passage,
    is_record,
    join_names,
    list_objects,
    name_link,
    read_run_name,
)
from companion.storage.git.objects import hash_object
from companion.storage.git.repo import MissingObject, Repo, TryLater
from companion.storage.git.trees import Entry, encode_tree, parse_tree
from companion.values.events import LedgerLine
from companion.values.progress import SILENT, Progress, count

Clean = Callable[[bytes], bytes]
# (a ledger file, what it becomes): raises where the result is no ledger file
Check = Callable[[bytes, bytes], None]
Sink = Callable[[str, bytes], str]  # (kind, bytes) -> object id

_GITLINK = 0o160000
_OBJECT_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_RUN = re.compile(rb"\d{4}-\d\d-\d\d-[a-z]+-[0-9a-f]{12}(?![0-9a-f])")
# A compressed page names its original in the frontmatter. An erasure keeps that link, too.
_LINKOUT = re.compile(rb"^original: ([0-9a-f]{40})(?=[ \t]*\r?$)", re.MULTILINE)
_SIGNED = re.compile(rb"^(gpgsig|mergetag)", re.MULTILINE)
_SIGNATURE_HEADERS = re.compile(
    rb"^(?:gpgsig(?:-sha256)?|mergetag) .*(?:\n .*)*\n?", re.MULTILINE
)
_TAG_SIGNATURE = re.compile(
    rb"-----BEGIN (PGP|SSH) SIGNATURE-----.*\Z", re.DOTALL
)
_STATEMENT_LINK = re.compile(
    rb"#\^(?P<id>[0-9a-f]{12})\|(?P<words>[^\[\]|\r\n]*)"
)
_ROUNDS = 8  # captures may name captures that name captures


class NameTaken(BadInput):
    """Two files would have the same name."""

    hint = (
        "Rename one of them, commit, and run this again. Nothing was changed."
    )


class Pruned(TryLater):
    """Git's housekeeping removed objects that no ref needed."""

    hint = (
        "Nothing was erased. Once `git gc` is done, run the whole of it again, "
        "with the word that its new preview names."
    )


class Rewriter:
    """Maps old object ids to new ones, each computed once. `survey` comes before all else."""

    def __init__(
        self,
        repo: Repo,
        clean: Clean,
        check: Check,
        derive_ids: Callable[[str], Sequence[str]],
        sink: Sink = hash_object,
        sources: ErasedSources = NO_SOURCES,
        progress: Progress = SILENT,
    ) -> None:
        self.repo = repo
        self._progress = progress
        self._sources = sources
        self.clean = clean
        self.sink = sink
        self._check = check
        # the ids that follow from a capture's: of its page, its statement, its words on the shelf
        self._derive_ids = derive_ids
        self.kinds: dict[str, str] = {}  # of every object, by id
        # captures, and what their ids lead to
        self.ids: dict[bytes, bytes] = {}
        # the words in links to statements, by the statement's id
        self._link_words: dict[bytes, bytes] = {}
        self.runs: dict[bytes, bytes] = {}
        self.map: dict[str, str] = {}
        self.dirty: set[str] = set()  # objects that hold the words themselves
        self.signed = 0  # commits and tags that lose their signature
        # claims that go, by the ids of their assertions
        self._erased: dict[str, LedgerLine] = {}
        self._facts: list[Fact] = []
        self._run_files: dict[bytes, str] = {}

    def survey(self, captures: Iterable[tuple[str, str, bytes | None]]) -> None:
        """Look into every object, and settle what the *captures* become.

        A capture is (id, blob, its bytes where git has none). Raises BadInput where captures name
        each other in a circle.
        """
        self.kinds = dict(list_objects(self.repo))
        objects = list(self.kinds.items())
        for oid, kind in count(
            self._progress, "looking for the words", objects
        ):
            self._look(oid, kind, self._read(oid))
        affected = {}
        for id, blob, content in captures:
            data = self._read_capture(blob, content)
            if blob in self.dirty or self.clean(data) != data:
                affected[id] = data
        self._settle_link_words(affected)
        self._settle_ids(affected)
        self._settle_claims()

    def find_changes(self) -> dict[str, str]:
        """Return the new id of every object that becomes another."""
        for oid in count(self._progress, "rewriting history", self.kinds):
            self.resolve(oid)
        return {old: new for old, new in self.map.items() if old != new}

    def resolve(self, oid: str) -> str:
        """Return what *oid* becomes; the sink has it, and what it needs, by then."""
        stack = [oid]
        begun: set[str] = set()
        while stack:
            top = stack[-1]
            if top in self.map or top not in self.kinds:
                stack.pop()
                continue
            data = self._read(top)
            begun.add(top)
            missing = self._list_unresolved(top, data, begun)
            if missing:
                stack += missing
                continue
            stack.pop()
            self.map[top] = self._rewrite_object(top, data)
        return self.map.get(oid, oid)

    def rewrite_file(self, data: bytes) -> bytes:
        """Return what the bytes of a file become; objects that a record names must be resolved."""
        data = drop_fact_lines(data, self._facts)
        data = self.rewrite_text(drop_claims(data, self._erased))
        if is_record(data):
            return self._replace_names(data)
        return _LINKOUT.sub(self._replace_linkout, data)

    def rewrite_text(self, data: bytes) -> bytes:
        """Return *data* without the words, and with the new ids of captures and their pages."""
        data = self.clean(data)
        if self._link_words:
            data = _STATEMENT_LINK.sub(self._replace_link_words, data)
        if self.ids:
            data = re.sub(
                b"|".join(self.ids), lambda match: self.ids[match[0]], data
            )
        return data

    def _replace_link_words(self, match: re.Match[bytes]) -> bytes:
        words = self._link_words.get(match["id"], match["words"])
        return b"#^" + match["id"] + b"|" + words

    def rewrite_names(self, data: bytes) -> bytes:
        """Return a text of git's own (a log, a head) with new object ids and names."""
        return self._replace_names(self.rewrite_text(data))

    # -- looking -----------------------------------------------------------------------------------

    def _read(self, oid: str) -> bytes:
        changed = self._sources.find(oid)
        if changed is not None:
            return changed
        try:
            return self.repo.blob(oid)
        except MissingObject as error:
            raise Pruned(
                f"git removed the object {oid} while its words were read"
            ) from error

    def _read_capture(self, blob: str, content: bytes | None) -> bytes:
        if content is not None:
            return content
        if blob in self.kinds:
            return self._read(blob)
        return b""

    def _look(self, oid: str, kind: str, data: bytes) -> None:
        """Note whether the object holds the words, and which run's ledger file it is."""
        text = data
        if kind == "tree":
            text = join_names(parse_tree(data))
        if oid in self._sources.contents or self.clean(text) != text:
            self.dirty.add(oid)
        if kind == "blob":
            run = read_run_name(data)
            if run is not None:
                self._run_files[run] = oid

    def _list_unresolved(
        self, oid: str, data: bytes, begun: set[str]
    ) -> list[str]:
        """Return the objects that must be resolved before *oid*."""
        missing = []
        for needed in self._list_needs(oid, data):
            is_open = needed not in self.map and needed not in begun
            if is_open and needed in self.kinds:
                missing.append(needed)
        return missing

    def _list_needs(self, oid: str, data: bytes) -> Iterator[str]:
        kind = self.kinds[oid]
        if kind == "tree":
            entries = parse_tree(data)
            for entry in entries:
                if entry.mode != _GITLINK:
                    yield entry.id
            yield from self._list_named(join_names(entries))
        elif kind != "blob":
            yield from self._list_named(data)
        elif is_record(data):
            yield from self._list_named(data, own=read_run_name(data))
        else:
            yield from map(bytes.decode, _LINKOUT.findall(data))

    def _list_named(
        self, text: bytes, own: bytes | None = None
    ) -> Iterator[str]:
        """Yield the objects and the files of other runs than *own* that *text* names."""
        yield from map(bytes.decode, _OBJECT_ID.findall(text))
        for run in _RUN.findall(text):
            if run != own and run in self._run_files:
                yield self._run_files[run]

    # -- captures and claims -----------------------------------------------------------------------

    def _settle_link_words(self, affected: Mapping[str, bytes]) -> None:
        """Find what links to statements say now: they have the first words of a note, however
        few.
        """
        for id, data in affected.items():
            before = name_link(data)
            after = name_link(self.clean(data))
            if after != before:
                self._link_words[statement_id(id).encode()] = after

    def _settle_ids(self, affected: Mapping[str, bytes]) -> None:
        """Find the new ids: a capture's is a hash of its content, which may name captures."""
        fixed = self._blank_claim_ids(affected)
        fixed.update(self._sources.ids)
        for _ in range(_ROUNDS):
            table = dict(fixed)
            for id, data in affected.items():
                new = hashlib.sha256(self.rewrite_text(data)).hexdigest()
                # before the beginning of it that names a statement
                table[id.encode()] = new.encode()
                derived = zip(
                    self._derive_ids(id), self._derive_ids(new), strict=True
                )
                for old_id, new_id in derived:
                    table[old_id.encode()] = new_id.encode()
            if table == self.ids:
                return
            self.ids = table
        raise BadInput(
            "captures name each other in a circle", hint="Please report it."
        )

    def _blank_claim_ids(
        self, captures: Mapping[str, bytes]
    ) -> dict[bytes, bytes]:
        """Return zeros for the ids of the claims of *captures* and of questions about them.

        Such an id is a hash of what the claim said.
        """
        if not captures:
            return {}
        claim_ids = self._find_claim_ids(captures)
        ids = claim_ids | self._find_question_ids(claim_ids)
        return {id.encode(): b"0" * len(id) for id in ids}

    def _find_claim_ids(self, captures: Mapping[str, bytes]) -> set[str]:
        ids: set[str] = set()
        for event in self._read_events("claims"):
            if event["capture"] in captures:
                ids.update(
                    str(row[0])
                    for row in claim_lines.build_claim_rows("", event)
                )
        return ids

    def _find_question_ids(self, claim_ids: set[str]) -> set[str]:
        ids: set[str] = set()
        for event in self._read_events("resolved"):
            for key in event["keys"]:
                disputed = key.get("disputed", ())
                if "flag" in key and not claim_ids.isdisjoint(disputed):
                    ids.add(str(key["flag"]))
        return ids

    def _read_events(self, kind: str) -> Iterator[LedgerLine]:
        """Yield the events of *kind* in every ledger file."""
        mark = b'"e":"%s"' % kind.encode()
        for oid in self._run_files.values():
            for line in self._read(oid).splitlines():
                if mark in line:
                    event = json.loads(line)
                    if event["e"] == kind:
                        yield event

    def _settle_claims(self) -> None:
        """Find the claims that go, and how pages word them."""
        recorded: list[RecordedClaim] = []
        for oid in self._run_files.values():
            recorded += list_claims(self._read(oid))
        self._erased = find_erased_claims(recorded, self._is_read_from_words)
        self._facts = list_facts(self._erased.values())

    def _is_read_from_words(self, event: LedgerLine, claim: LedgerLine) -> bool:
        """Tell whether *claim* was read from words that go."""
        source = str(event["capture"])
        if source not in self.dirty:
            return source.encode() in self.ids
        # A retraction has the words of the claim that it takes back, and goes with that one.
        if claim.get("retracts"):
            return False
        # Its place is in another text; the page has the words, and that must do.
        if claim["rule"] == "hand/back":
            return True
        # A correction by hand stands in the page itself: one elsewhere on the page is kept.
        text = self._read(source).decode("utf-8", "replace")
        passage = find_passage(text.replace("\r\n", "\n"), *claim["span"])
        return self.clean(passage) != passage

    # -- rewriting ---------------------------------------------------------------------------------

    def _rewrite_object(self, oid: str, data: bytes) -> str:
        """Return the id of what the object becomes."""
        rewrite = {
            "blob": self._rewrite_blob,
            "tree": self._rewrite_tree,
            "commit": self._rewrite_commit,
            "tag": self._rewrite_tag,
        }
        kind = self.kinds[oid]
        if oid in self._sources.contents:
            # the bytes of an original are as the plan has them, or its id would be another's
            return self.sink(kind, data)
        new = rewrite[kind](data)
        if new == data and oid not in self._sources.records:
            return oid
        return self.sink(kind, new)

    def _rewrite_blob(self, data: bytes) -> bytes:
        new = self.rewrite_file(data)
        run = read_run_name(data)
        if run is not None and new != data:
            self._check(drop_claims(data, self._erased), new)
            self.runs[run] = read_run_name(new) or run
        return new

    def _rewrite_tree(self, data: bytes) -> bytes:
        """Return the tree with new names and entries. Raises NameTaken where two become one."""
        before = parse_tree(data)
        if not before:
            return data
        joined = self.rewrite_names(join_names(before))
        names = joined.decode("utf-8", "surrogateescape").split("\0")
        entries = [
            Entry(name, old.mode, self.map.get(old.id, old.id))
            for name, old in zip(names, before, strict=True)
        ]
        entries = self._sources.unite_alike(entries)
        if len({entry.name for entry in entries}) < len(entries):
            raise NameTaken
        # Foreign trees may spell modes or order otherwise; what needs no change keeps its name.
        if entries == before:
            return data
        return encode_tree(entries)

    def _rewrite_commit(self, data: bytes) -> bytes:
        """Return the commit with new names, without its signature where it changes."""
        head, gap, message = data.partition(b"\n\n")
        message = self.rewrite_names(message)
        new = self.rewrite_names(head) + gap + message
        if new == data or not _SIGNED.search(head):
            return new
        self.signed += 1
        head = _SIGNATURE_HEADERS.sub(b"", head + b"\n").rstrip(b"\n")
        return self.rewrite_names(head) + gap + message

    def _rewrite_tag(self, data: bytes) -> bytes:
        """Return the tag with new names, without its signature where it changes."""
        new = self.rewrite_names(data)
        if new == data or not _TAG_SIGNATURE.search(new):
            return new
        self.signed += 1
        return _TAG_SIGNATURE.sub(b"", new)

    def _replace_names(self, data: bytes) -> bytes:
        data = _OBJECT_ID.sub(
            lambda match: self._new_id(match[0].decode()), data
        )
        return _RUN.sub(lambda match: self.runs.get(match[0], match[0]), data)

    def _replace_linkout(self, match: re.Match[bytes]) -> bytes:
        return b"original: " + self._new_id(match[1].decode())

    def _new_id(self, oid: str) -> bytes:
        return self.map.get(oid, oid).encode()
