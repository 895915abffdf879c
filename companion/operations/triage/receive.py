"""Give what came to the door its id and header, and write down what became of it."""

from typing import TYPE_CHECKING, NamedTuple

from companion.operations.triage.blank import Door, blank
from companion.operations.triage.parcels import Parcel
from companion.privacy import secret_formats
from companion.storage.cold import originals
from companion.storage.cold.originals import Blanked, Original
from companion.storage.git.repo import Repo
from companion.values.progress import SILENT, Progress
from companion.values.refusals import Refusal

if TYPE_CHECKING:
    from companion.operations.triage.results import MemberCounts, OriginalResult


_FEW = 32  # ids that are looked up before all are listed


class Counts:
    """How many members of a container were kept, known, passed over and refused."""

    def __init__(self) -> None:
        self.kept = 0
        self.known = 0
        self.passed_over = 0
        self.refused = 0

    def document(self) -> "MemberCounts":
        """Return the counts as `--json` has them."""
        return {
            "kept": self.kept,
            "known": self.known,
            "passed_over": self.passed_over,
            "refused": self.refused,
        }

    def add(self, other: "Counts") -> None:
        """Count the members of a container within this one."""
        self.kept += other.kept
        self.known += other.known
        self.passed_over += other.passed_over
        self.refused += other.refused


class KnownIds:
    """The ids of all originals; a call that brings few asks for each, and lists none."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._asked = 0
        self._added: set[str] = set()
        self._all: set[str] | None = None

    def __contains__(self, id: str) -> bool:
        if id in self._added:
            return True
        if self._all is None:
            self._asked += 1
            if self._asked <= _FEW:
                return originals.has(self._repo, id)
            self._all = originals.list_ids(self._repo)
        return id in self._all

    def add(self, id: str) -> None:
        """Count *id* among those that are known from now on."""
        self._added.add(id)


class Received(NamedTuple):
    """An original, and its bytes as they are stored."""

    item: Original
    content: bytes
    is_known: bool


class Receiver:
    """Makes originals of parcels in one call of `ingest`, and collects what became of each."""

    def __init__(
        self,
        repo: Repo,
        now: str,
        door: Door,
        *,
        dry_run: bool = False,
        progress: Progress = SILENT,
    ) -> None:
        self.repo = repo
        self.now = now
        self.door = door
        self.dry_run = dry_run
        self.progress = progress
        self.known = KnownIds(repo)
        self.rows: list[OriginalResult] = []
        self.refused: list[Refusal] = []
        self.passed_over: list[Refusal] = []
        self.whole = Counts()  # documents, and members of containers

    def receive(
        self, parcel: Parcel, content: bytes, container: str | None = None
    ) -> Received:
        """Return the original that *content* is, without what must not be stored.

        Bytes that are here already were looked through when they came.
        """
        item = self.make(parcel, content, container)
        if item.id in self.known:
            return Received(item, content, True)
        blanked, spans = blank(content, item.media_type, self.door)
        if spans:
            item = self.make(parcel, blanked, container)
            item = item._replace(
                blanked=tuple(Blanked(*span) for span in spans)
            )
        return Received(item, blanked, item.id in self.known)

    def make(
        self,
        parcel: Parcel,
        content: bytes | str,
        container: str | None = None,
    ) -> Original:
        """Return the header of *content*, which is bytes or the path of a file."""
        item = originals.make_original(
            content,
            media_type=parcel.media_type,
            name=self._plain(parcel.name),
            source=self._plain(parcel.source),
            received_at=self.now,
        )
        if parcel.answer is not None:
            item = item._replace(
                url=self._plain(parcel.answer.url),
                status=parcel.answer.status,
                charset=parcel.answer.charset,
                etag=parcel.answer.etag,
                last_modified=parcel.answer.last_modified,
            )
        return item._replace(
            container=container,
            agent=parcel.agent,
            scope=parcel.scope,
            modified_at=parcel.modified_at,
            utc_offset=parcel.utc_offset,
        )

    def count(self, item: Original, *, is_known: bool) -> None:
        """Count a document that came alone; from now on it is known."""
        if is_known:
            self.whole.known += 1
        else:
            self.whole.kept += 1
        self.known.add(item.id)

    def tell(
        self,
        item: Original,
        *,
        is_known: bool,
        members: Counts | None = None,
    ) -> None:
        """Write down that *item* is kept, or was known."""
        self.rows.append(
            {
                "id": item.id,
                "name": item.name,
                "source": item.source,
                "media_type": item.media_type,
                "size": item.size,
                "status": "known" if is_known else "kept",
                "url": item.url,
                "container": item.container,
                "members": None if members is None else members.document(),
                "blanked": [span.kind for span in item.blanked],
            }
        )

    def refuse(self, origin: str, kind: str, reason: str, hint: str) -> None:
        """Write down that something was not taken."""
        self.refused.append(Refusal(origin, kind, reason, hint))

    def _plain(self, name: str) -> str:
        """Return a name without the secrets that it holds."""
        if self.door.keeps_secrets:
            return name
        return secret_formats.redact(name, secret_formats.find(name))
