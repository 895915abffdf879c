"""CONTEXTUALIZE, as an operation of the sleep cycle: read originals, keep them cold, fit them to
their reader, and hand them over (MaM §5.4).

Originals are read in slices, each a run of its own with one commit, so that a long night may be
stopped anywhere and goes on from there. Of one original nothing is fitted before its bytes lie in
cold memory (CTX-3). The pages are CONSOLIDATE's to make.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from companion.operations.contextualize.collect import (
    Headers,
    Pending,
    collect_originals,
)
from companion.operations.contextualize.events import (
    make_line,
    make_locked_line,
    make_unread_line,
    make_verdict_lines,
)
from companion.operations.contextualize.hand_over import (
    Handed,
    hand_over,
    make_handed,
)
from companion.operations.contextualize.identify import Identified, identify
from companion.operations.contextualize.read_items import (
    ReadOriginal,
    SecretFound,
    UnreadItem,
    describe_readers,
    read_item,
)
from companion.operations.contextualize.refit import (
    Look,
    look_again,
    make_shifted_line,
)
from companion.operations.contextualize.report import (
    describe_locked,
    describe_source,
    describe_unread,
    make_message,
)
from companion.operations.contextualize.represent import Fitted, Fitter
from companion.operations.contextualize.rules import CONTEXTUALIZE_RULES
from companion.operations.contextualize.values import Step
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.sources.read import Readers
from companion.storage import ledger_file
from companion.storage.cold import cold_memory, locked_originals
from companion.storage.cold.originals import Original
from companion.storage.git import capture_buffer
from companion.storage.index.tables.sources import list_locked
from companion.storage.journal.verdicts import Verdicts
from companion.values.allowance import Allowance
from companion.values.events import PASSED_OVER
from companion.values.progress import Progress
from companion.values.time import after
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.contextualize.results import (
        ContextualizeResult,
        UnreadSource,
    )

#: originals that one run reads, and bytes of them that it holds
SLICE = 100
_BYTES = 64 << 20

#: tells whether the time that a person gave is over
IsOver = Callable[[], bool]


class Order(NamedTuple):
    """The order of a person or of a night: the sources and how deep to read them."""

    readers: Readers
    target: str | None  # one source; None: all that wait
    step: Step | None  # a depth for all of them; None: what fits
    tried: Set[str]  # originals of earlier slices
    headers: Headers  # that earlier slices read
    is_over: IsOver
    dry_run: bool
    allowance: Allowance | None = None  # of a language model


class Slice(NamedTuple):
    """The outcome of one run."""

    result: "ContextualizeResult"
    tried: frozenset[str]  # originals
    more: bool  # others wait


def contextualize(
    ws: Workspace,
    *,
    target: str | None = None,
    step: Step | None = None,
    dry_run: bool = False,
    is_over: IsOver = lambda: False,
    progress: Progress | None = None,
    allowance: Allowance | None = None,
) -> "ContextualizeResult":
    """Read the originals that wait, or the one that *target* names, and hand them over.

    *step* is a depth that the person asks for. A run that changes nothing commits nothing. Raises
    Busy, TryLater or NothingFound with nothing changed; what earlier slices did, stays.
    """
    tried: set[str] = set()
    total: ContextualizeResult | None = None
    with Readers() as readers:
        order = Order(
            readers, target, step, tried, {}, is_over, dry_run, allowance
        )

        def read_slice(run: Run) -> Slice:
            """Run one attempt; a race with another process starts the next."""
            return _read_slice(run, order)

        while True:
            done = run_with_retries(ws, "contextualize", read_slice, progress)
            total = done.result if total is None else _join(total, done.result)
            tried |= done.tried
            if not done.more or is_over():
                return total


def _join(
    one: "ContextualizeResult", other: "ContextualizeResult"
) -> "ContextualizeResult":
    return {
        **other,
        "run": other["run"] or one["run"],
        "commit": other["commit"] or one["commit"],
        "runs": one["runs"] + other["runs"],
        "sources": one["sources"] + other["sources"],
        "unread": one["unread"] + other["unread"],
        "passed_over": one["passed_over"] + other["passed_over"],
        "locked": one["locked"] + other["locked"],
        "notes": one["notes"] + other["notes"],
    }


def _read_slice(run: Run, order: Order) -> Slice:
    pending = collect_originals(
        run, describe_readers, order.headers, order.target
    )
    waiting = [item for item in pending.items if item.id not in order.tried]
    if waiting and not order.dry_run:
        # notes that wait are evidence of depth: git holds what a run rests on
        capture_buffer.anchor(run.journal, run.repo)
    fitter = Fitter(run, order.step, order.allowance)
    work = _Work(run, fitter, at=run.moment(), dry_run=order.dry_run)
    run.progress.begin("reading sources", len(waiting))
    done = _read_items(run, order, work, waiting[:SLICE])
    left = len(waiting) - len(done)
    if not left and order.target is None and not order.is_over():
        work.look_again(order.readers)
    return Slice(work.finish(pending, left), frozenset(done), left > 0)


def _read_items(
    run: Run, order: Order, work: "_Work", items: Iterable[Original]
) -> set[str]:
    """Read *items* until time or room is over, one at least; return the ids of those read."""
    kept = {one.original for one in list_locked(run.db) if one.choice == "keep"}
    done: set[str] = set()
    for item in items:
        if done and (order.is_over() or work.size > _BYTES):
            break
        keep_secrets = item.id in kept
        work.take(
            read_item(run, order.readers, item, keep_secrets=keep_secrets)
        )
        done.add(item.id)
        run.progress(1)
    return done


class _Work:
    """The originals of one slice, on their way into cold memory and into the buffer."""

    def __init__(
        self, run: Run, fitter: Fitter, *, at: str, dry_run: bool
    ) -> None:
        self.size = 0  # bytes held
        self._run = run
        self._fitter = fitter
        self._at = at
        self._dry_run = dry_run
        self._read: list[Identified] = []
        self._unread: list[UnreadItem] = []
        self._locked: list[SecretFound] = []
        self._moves: list[Look] = []

    def take(self, one: ReadOriginal | UnreadItem | SecretFound) -> None:
        """Add what came of one original."""
        if isinstance(one, UnreadItem):
            self._unread.append(one)
        elif isinstance(one, SecretFound):
            self._locked.append(one)
        else:
            self.size += len(one.content)
            # each its own instant: two versions of one source may come in one slice
            self._at = after(self._at)
            self._read.append(identify(self._run, one, self._at))

    def look_again(self, readers: Readers) -> None:
        """Add the sources whose reader has moved, and the moves that a later night looks at."""
        beside = [one.key for one in self._read]
        for look in look_again(self._run, readers, self._fitter, beside=beside):
            if look.again:
                self.take(look.read)
            elif look.away:
                self._moves.append(look)

    def finish(self, pending: Pending, left: int) -> "ContextualizeResult":
        """Store, fit, hand over and publish; return the report."""
        if not self._dry_run:
            # CTX-3: before anything is made of them
            cold_memory.put(
                self._run.repo, [(one.cold, None) for one in self._read]
            )
        fitted = [self._fit(one) for one in self._read]
        result = self._describe(fitted, pending, left)
        is_empty = not (
            self._read or self._unread or self._locked or self._moves
        )
        if self._dry_run or is_empty:
            return result
        record, commit = self._publish(fitted)
        return {**result, "run": record, "commit": commit, "runs": [record]}

    def _describe(
        self,
        fitted: Sequence[tuple[Identified, Fitted, Sequence[Handed]]],
        pending: Pending,
        left: int,
    ) -> "ContextualizeResult":
        """Return the report of a run that published nothing."""
        return {
            "run": None,
            "commit": None,
            "runs": [],
            # of a container its members are read
            "sources": [
                describe_source(one, fit, handed)
                for one, fit, handed in fitted
                if one.kind != "container"
            ],
            "unread": self._describe_unread(passed_over=False),
            "passed_over": self._describe_unread(passed_over=True),
            "locked": [describe_locked(one) for one in self._locked],
            "left": left,
            "private": pending.private,
            "notes": list(self._run.notes),
            "dry_run": self._dry_run,
        }

    def _describe_unread(self, *, passed_over: bool) -> "list[UnreadSource]":
        """Return what could not be read, or what was passed over."""
        return [
            describe_unread(one)
            for one in self._unread
            if (one.code in PASSED_OVER) == passed_over
        ]

    def _fit(
        self, one: Identified
    ) -> tuple[Identified, Fitted, Sequence[Handed]]:
        fitted = self._fitter.fit(one)
        return one, fitted, make_handed(one, fitted.representation)

    def _publish(
        self, fitted: Sequence[tuple[Identified, Fitted, Sequence[Handed]]]
    ) -> tuple[str, str]:
        """Hand everything over and record it as one run; return the run and its commit."""
        run = self._run
        log = Verdicts(run.journal, run.db)
        lines = make_verdict_lines(log, [fit for _, fit, _ in fitted])
        for one, fit, handed in fitted:
            captures = hand_over(run, handed)
            is_asked = self._fitter.is_asked
            lines.append(
                make_line(one, fit, handed, captures, is_asked=is_asked)
            )
        signature = describe_readers() if self._unread else ""
        lines += [make_unread_line(one, signature) for one in self._unread]
        lines += [make_locked_line(one) for one in self._locked]
        lines += [make_shifted_line(look) for look in self._moves]
        locked_originals.lock(run.repo, [one.item.id for one in self._locked])
        capture_buffer.anchor(run.journal, run.repo)
        inputs = make_inputs(run, {}, CONTEXTUALIZE_RULES)
        inputs["readers"] = sorted({one.read.reader for one, _, _ in fitted})
        record = ledger_file.make_run(
            "contextualize", run.moment(), inputs, lines
        )
        subject, body = make_message(
            fitted, self._unread, self._locked, self._moves
        )
        commit = run.publish(record, [], subject, body, author=COMPANION)
        run.refold()
        return record.id, commit
