"""Keep what came to the door and is no note: its bytes, and nothing derived from them (CTX-2)."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.operations.triage import media_types
from companion.operations.triage.blank import Door
from companion.operations.triage.containers.keep import (
    Form,
    find_form,
    keep_container,
)
from companion.operations.triage.containers.unpack import Scratch
from companion.operations.triage.parcels import NotAFile, Parcel, open_parcel
from companion.operations.triage.receive import Receiver
from companion.privacy import erased_words
from companion.storage.cold import store_originals
from companion.storage.cold.originals import (
    ChangedMeanwhile,
    Item,
    Original,
)
from companion.storage.git.repo import Repo
from companion.values.captures import Draft
from companion.values.progress import SILENT, Progress
from companion.values.refusals import Refusal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.triage.results import IngestResult
    from companion.operations.triage.web.request import Web
    from companion.privacy.erased_words import Erased


def keep_parcels(
    ws: Workspace,
    parcels: "Sequence[Parcel]",
    done: "IngestResult",
    *,
    erased: "tuple[list[Erased], bytes] | None" = None,
    store_anyway: bool = False,
    progress: Progress | None = None,
) -> None:
    """Store *parcels* as originals, split the containers among them, and add to *done* what became
    of each.

    Needs no lock. What was stored before a failure stays stored. Raises StorageError, GitFailed.
    """
    words, key = erased or ([], b"")
    receiver = Receiver(
        Repo(ws.place),
        ws.now(),
        Door(store_anyway, words, key),
        dry_run=done["dry_run"],
        progress=progress or SILENT,
    )
    receiver.progress.begin("Keeping documents", len(parcels))
    with Scratch(ws.place.state) as scratch:
        keeping = _Keeping(receiver, scratch)
        documents = keeping.documents(parcels)
        if receiver.dry_run:
            for _ in documents:
                continue
        else:
            store_originals.put(receiver.repo, documents)
        for parcel, form in keeping.containers:
            keeping.keep_container(parcel, form)
    _add_outcome(done, receiver)


def _add_outcome(done: "IngestResult", receiver: Receiver) -> None:
    done["originals"] += receiver.rows
    done["refused"] += [item._asdict() for item in receiver.refused]
    done["passed_over"] += [item._asdict() for item in receiver.passed_over]
    counts = done["counts"]
    counts["kept"] += receiver.whole.kept
    counts["known"] += receiver.whole.known
    counts["refused"] = len(done["refused"])
    counts["passed_over"] = len(done["passed_over"])


class _Keeping:
    """Goes through the parcels once, and leaves the containers for later."""

    def __init__(self, receiver: Receiver, scratch: Scratch) -> None:
        self._receiver = receiver
        self._scratch = scratch
        self._web: Web | None = None
        self.containers: list[tuple[Parcel, Form]] = []

    def documents(self, parcels: "Sequence[Parcel]") -> Iterator[Item]:
        """Yield the originals among *parcels*; what cannot be read is refused in its place."""
        for parcel in parcels:
            taken: Parcel | None = parcel
            if not parcel.path:
                taken = self._fetch(parcel)
            if taken is None or self._is_erased(taken):
                continue
            try:
                item = self._read(taken)
            except (OSError, NotAFile) as error:
                self._refuse(taken, error)
                continue
            if item is not None:
                yield item

    def _fetch(self, parcel: Parcel) -> Parcel | None:
        """Return what an address gives; None where it is known or refused."""
        receiver = self._receiver
        if self._web is None:
            from companion.operations.triage.web.request import Web

            self._web = Web(
                receiver.repo, keeps_secrets=receiver.door.keeps_secrets
            )
        receiver.progress.begin(f"Fetching {parcel.origin}")
        taken = self._web.take(parcel)
        if isinstance(taken, Refusal):
            receiver.refused.append(taken)
            return None
        if isinstance(taken, Original):
            receiver.count(taken, is_known=True)
            receiver.tell(taken, is_known=True)
            return None
        if not media_types.may_be_split(taken.media_type):
            return taken
        assert taken.content is not None
        path = self._scratch.write(iter([taken.content]))
        return taken._replace(path=path, content=None)

    def _read(self, parcel: Parcel) -> Item | None:
        """Return the original in a file; None where it is a container, or refused."""
        if parcel.content is not None:
            return self._receive(parcel, parcel.content)
        with open_parcel(parcel) as file:
            form = find_form(parcel, file)
            if isinstance(form, Form):
                self.containers.append((parcel, form))
                return None
            parcel = parcel._replace(media_type=form)
            limit = media_types.limit_of(form)
            size = os.fstat(file.fileno()).st_size
            file.seek(0)
            # one more, in case it grows meanwhile
            content = file.read(limit + 1) if size <= limit else b""
        if size > limit or len(content) > limit:
            refusal = media_types.refuse_large(parcel.origin, limit)
            self._receiver.refused.append(refusal)
            return None
        return self._receive(parcel, content)

    def _receive(self, parcel: Parcel, content: bytes) -> Item:
        item, stored, is_known = self._receiver.receive(parcel, content)
        self._receiver.count(item, is_known=is_known)
        self._receiver.tell(item, is_known=is_known)
        self._receiver.progress(1)
        return item, stored

    def keep_container(self, parcel: Parcel, form: Form) -> None:
        """Split and keep one container; if that fails, the others go on."""
        try:
            with open_parcel(parcel) as file:
                kept = keep_container(
                    self._receiver, parcel, file, form, self._scratch
                )
        except (OSError, ChangedMeanwhile, NotAFile) as error:
            self._refuse(parcel, error)
            return
        self._receiver.whole.add(kept.counts)
        self._receiver.tell(
            kept.item, is_known=kept.is_known, members=kept.counts
        )

    def _is_erased(self, parcel: Parcel) -> bool:
        """Refuse a parcel whose name holds words that were erased."""
        door = self._receiver.door
        if not door.erased:
            return False
        draft = Draft("", source=parcel.source, origin=parcel.origin)
        refusal = erased_words.refuse(draft, door.erased, door.key)
        if refusal is not None:
            self._receiver.refused.append(refusal)
        return refusal is not None

    def _refuse(self, parcel: Parcel, error: Exception) -> None:
        reason = str(error)
        if isinstance(error, OSError):
            reason = f"cannot be read: {error.strerror or error}"
        self._receiver.refuse(
            parcel.origin,
            "unreadable",
            reason,
            "See that it exists, that you may read it, and that nothing writes to it.",
        )
