"""Row 3 of the matrix: claims that somebody outside flags as harmful meet the highest friction, and
AUDIT looks at them.

Who warns is exchangeable (`SignalSource`); the one that comes with companion is a file in the wiki.
Utility is asked nowhere here: satisfaction with a harmful pattern is no evidence (MaM §5.0, row 3).
"""

import os
import sqlite3
from collections import defaultdict
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Protocol

from companion.comparison.consistency import CLEAR, Judged, Standing
from companion.comparison.pending import PendingCapture
from companion.config import Config
from companion.gravity.measure import weigh_load_bearing_entries
from companion.judges import configured
from companion.language.protocols import Relater
from companion.ledger.read_notes import Readings
from companion.pages import links
from companion.pages.body import words_to_judge
from companion.routing import matrix, signals
from companion.routing.matrix import Conflict
from companion.routing.signals import Signal
from companion.runs.run import Run
from companion.storage.git.objects import hash_blob
from companion.storage.git.repo import Repo
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.captures import list_captures_without_claims
from companion.storage.index.tables.claims import list_affirmed
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.names import list_entries_called
from companion.storage.index.tables.pages.words import list_pages_matching
from companion.storage.index.tables.routing import list_queued
from companion.values.events import LedgerLine
from companion.values.relations import Statement
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

PATH = ".companion/signals.jsonl"
_ROW = 3
_ALIKE = ("same", "supports")


class SignalSource(Protocol):
    """Whoever warns of what is harmful."""

    def read(self) -> tuple[Sequence[Signal], Sequence[str]]:
        """Return the signals, and what could not be understood, in words."""
        ...


class SignalFile:
    """Signals in the wiki's own file, one JSON object a line, as a tree has it."""

    def __init__(self, repo: Repo, tree: str | None) -> None:
        self.repo = repo
        self.tree = tree

    def read(self) -> tuple[Sequence[Signal], Sequence[str]]:
        """Return the signals of the file, and what is wrong with its lines."""
        blob = self.repo.subtree(self.tree, PATH)
        if blob is None or not self.repo.has(blob):
            return [], []
        return signals.parse_signals(self.repo.blob(blob))


class SignalWatch:
    """The signals of one night: which captures say them again, and which entries hold them."""

    def __init__(
        self,
        run: Run,
        found: Sequence[Signal],
        problems: Sequence[str],
        relater: Relater | None,
    ) -> None:
        self.run = run
        self.signals = found
        self.problems = problems
        self.relater = relater
        # entry -> every signal that flags it, in the order of the file
        self.flags: dict[str, list[Signal]] = {}
        # entry -> the first of them
        self.flagged: dict[str, Signal] = {}
        # capture -> what it says again
        self.reinforcing: dict[str, Signal] = {}

    def mark_reinforcing(
        self,
        pending: Sequence[PendingCapture],
        again: Collection[str],
        readings: Readings,
        judged: Mapping[str, Sequence[Judged]],
    ) -> None:
        """Find which of tonight's captures, and of the old ones told *again*, reinforce what is
        flagged.
        """
        if not self.signals:
            return
        texts = self.run.contents()
        for each in pending:
            if not (each.private or each.lost):
                id = each.capture.id
                self._mark_if_reinforcing(id, texts[id], readings, judged)
        for capture in again:
            blob = self.run.journal.blob(capture)
            if blob is not None and self.run.repo.has(blob):
                self._mark_if_reinforcing(
                    capture, self.run.repo.blob(blob), readings, judged
                )

    def _mark_if_reinforcing(
        self,
        capture: str,
        content: bytes,
        readings: Readings,
        judged: Mapping[str, Sequence[Judged]],
    ) -> None:
        found = (
            self.find_stated(content.decode("utf-8", "replace"))
            or self._find_supported(judged.get(capture, ()))
            or self._find_repeated(readings, capture)
        )
        if found is not None:
            self.reinforcing[capture] = found

    def find_stated(self, text: str) -> Signal | None:
        """Return the first signal whose claim *text* states and does not deny."""
        body = without_frontmatter(text)
        for signal in self.signals:
            if signal.claim and self._is_stated(signal.claim, body):
                return signal
        return None

    def _is_stated(self, claim: str, text: str) -> bool:
        passages = signals.find_passages(claim, text)
        return any(not self._is_denied(claim, passage) for passage in passages)

    def _is_denied(self, claim: str, passage: str) -> bool:
        assert self.relater is not None
        pair = (Statement(claim.replace("*", " ")), Statement(passage))
        return self.relater.relate([pair])[0].label == "contradicts"

    def _find_supported(self, judged: Iterable[Judged]) -> Signal | None:
        """Return the signal of a flagged entry that a capture was judged to support."""
        for verdict in judged:
            is_alike = verdict.phase == 2 and verdict.relation.label in _ALIKE
            if is_alike and verdict.other in self.flagged:
                return self.flagged[verdict.other]
        return None

    def _find_repeated(self, readings: Readings, capture: str) -> Signal | None:
        """Return the signal of a flagged entry with a claim that *capture* states too."""
        stated = {
            (*claim.key, claim.object.casefold())
            for claim in readings.claims(capture)
            if not claim.negated
        }
        if not stated:
            return None
        for entry, signal in self.flagged.items():
            if stated & self._claims(entry):
                return signal
        return None

    def _claims(self, entry: str) -> set[tuple[str, str, str]]:
        return list_affirmed(self.run.db, entry)

    # -- what follows ------------------------------------------------------------------------------

    def apply_friction(
        self, stands: Mapping[str, Standing]
    ) -> dict[str, Standing]:
        """Return *stands* with the consistency of reinforcing captures divided by the highest
        friction: their pages wait in quarantine.
        """
        resisted = dict(stands)
        for capture, signal in self.reinforcing.items():
            routed = matrix.route(Conflict("reinforcement", harmful=True))
            assert routed is not None
            before = resisted.get(capture, CLEAR)
            reason = routed.reason
            if before.words:
                reason = f"{before.words}; {reason}"
            consistency = round(before.consistency / routed.friction, 6)
            warning = f"It repeats what was {signal.said}"
            resisted[capture] = Standing(
                consistency, before.against, reason, warning
            )
        return resisted

    def tag_pages(self, lines: Sequence[LedgerLine]) -> list[LedgerLine]:
        """Return a plan's *lines*; lines of new pages name the signal that raised their friction.

        By that name a later night notices that the signal was taken back.
        """
        signal_of: dict[str, str] = {}
        for line in lines:
            if line["e"] == "consumed" and line["capture"] in self.reinforcing:
                signal = self.reinforcing[line["capture"]]
                signal_of[line["entry"]] = signal.id
        tagged: list[LedgerLine] = []
        for line in lines:
            if line["e"] == "created" and line["entry"] in signal_of:
                line = {**line, "signal": signal_of[line["entry"]]}
            tagged.append(line)
        return tagged

    def is_signal_withdrawn(self, entry: str) -> bool:
        """Tell whether the signal by which a page came into quarantine is taken back."""
        line = _find_quarantine_line(self.run.db, entry)
        return line is not None and not self._is_in_force(line["signal"])

    def _is_in_force(self, id: str) -> bool:
        # a damaged file takes nothing back
        if self.problems:
            return True
        return any(signal.id == id for signal in self.signals)

    def friction(self, entry: str, judged: Sequence[Judged] = ()) -> float:
        """Return the friction of a page that would leave quarantine; 1 where nothing flags it.

        Its consistency is divided by it. An answer of a person is no way around it: satisfaction is
        no evidence here.
        """
        harmful = self._reinforces(entry, judged)
        routed = matrix.route(Conflict("reinforcement", harmful=harmful))
        if routed is None:
            return matrix.DEFAULT
        return routed.friction

    def _reinforces(self, entry: str, judged: Sequence[Judged]) -> bool:
        row = find_entry(self.run.db, entry)
        if not (self.signals or self.problems) or row is None:
            return False
        text = self._words(row.blob)
        line = _find_quarantine_line(self.run.db, entry)
        is_unchanged = line is not None and text == self._words(line["blob"])
        if line and is_unchanged and self._is_in_force(line["signal"]):
            return True
        return bool(self.find_stated(text) or self._find_supported(judged))

    def _words(self, blob: str) -> str:
        return words_to_judge(self.run.repo.text(blob))

    def drop_reinforcing(self, lines: Sequence[LedgerLine]) -> list[LedgerLine]:
        """Return the `claims` *lines* without those of reinforcing captures: facts would mirror
        them.
        """
        return [
            line for line in lines if line["capture"] not in self.reinforcing
        ]

    def is_harmful(self, capture: str, text: str) -> bool:
        """Tell whether *capture* says what is flagged: its branch meets the highest friction."""
        return capture in self.reinforcing or self.find_stated(text) is not None

    def is_reinforced(self, entry: str, capture: str, text: str) -> bool:
        """Tell whether *capture* says again what *entry* is flagged for: then it does not challenge
        it, whatever else it says otherwise.
        """
        flags = self.flags.get(entry, ())
        if self.reinforcing.get(capture) in flags:
            return True
        body = without_frontmatter(text)
        return any(
            signal.claim and self._is_stated(signal.claim, body)
            for signal in flags
        )

    def list_queue_lines(self) -> list[LedgerLine]:
        """Return the ledger's lines for what joins AUDIT's queue tonight, and what leaves it
        unheard.
        """
        held = {
            queued.entry
            for queued in list_queued(self.run.db)
            if queued.row == _ROW
        }
        if not self.flagged and not held:
            return []
        wanted = self._reasons_to_audit()
        lines: list[LedgerLine] = []
        for id in sorted(wanted.keys() - held):
            lines.append(
                {"e": "queued", "entry": id, "row": _ROW, "reason": wanted[id]}
            )
        if self.problems:
            # a damaged file takes no warning back
            return lines
        reason = "No signal names it any more. (row 3, safety)"
        for id in sorted(held - wanted.keys()):
            lines.append(
                {"e": "unqueued", "entry": id, "row": _ROW, "reason": reason}
            )
        return lines

    def _reasons_to_audit(self) -> dict[str, str]:
        """Return the entries that AUDIT is to look at, each with the reason."""
        if not self.flagged:
            return {}
        bearing = weigh_load_bearing_entries(self.run)
        reasons = {
            id: _reason(signal, id in bearing, id)
            for id, signal in self.flagged.items()
        }
        for id in sorted(bearing.keys() - reasons.keys()):
            other = self._find_agreeing(id)
            if other is not None:
                reasons[id] = _reason(self.flagged[other], True, other)
        return reasons

    def _find_agreeing(self, entry: str) -> str | None:
        """Return a flagged entry that states a claim of *entry* too."""
        claims = self._claims(entry)
        for other in self.flagged:
            if claims & self._claims(other):
                return other
        return None

    def find_flags(self) -> dict[str, list[Signal]]:
        """Return the entries that are flagged, each with the signals that do."""
        flags: defaultdict[str, list[Signal]] = defaultdict(list)
        for signal in self.signals:
            for entry in self._list_named(signal):
                flags[entry].append(signal)
            for entry in self._list_holding(signal):
                flags[entry].append(signal)
        return dict(flags)

    def _list_named(self, signal: Signal) -> list[str]:
        if not signal.entry:
            return []
        keys = links.title_key(signal.entry), links.key(signal.entry)
        found = list_entries_called(self.run.db, signal.entry, *keys)
        if not found:
            self.run.notes.append(
                f"{PATH}: no entry is called {signal.entry}, which {signal.by} flagged"
            )
        return found

    def _list_holding(self, signal: Signal) -> Iterator[str]:
        if not signal.claim:
            return
        phrase = " ".join(
            f'"{word}"' for word in signals.list_terms(signal.claim)
        )
        for id, blob in list_pages_matching(self.run.db, phrase):
            text = without_frontmatter(self.run.repo.text(blob))
            if self._is_stated(signal.claim, text):
                yield id


def watch_signals(run: Run, source: SignalSource) -> SignalWatch:
    """Return what *source* flags tonight, with the entries that it names or that hold its claim."""
    found, problems = source.read()
    # The rules relate alike on every machine.
    relater = configured.open_judges(Config()).relater if found else None
    watch = SignalWatch(run, found, problems, relater)
    watch.flags = watch.find_flags()
    watch.flagged = {entry: found[0] for entry, found in watch.flags.items()}
    run.notes += [f"{PATH}, {problem}" for problem in problems]
    return watch


def _find_quarantine_line(
    db: sqlite3.Connection, entry: str
) -> LedgerLine | None:
    """Return the ledger's line of a page that a signal brought into quarantine; None for every
    other page.
    """
    for event in list_entry_events(db, entry, ["created"]):
        if "signal" in event.data:
            return event.data
    return None


def list_held_captures(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the captures of *entry* whose claims a signal kept out of the ledger."""
    if _find_quarantine_line(db, entry) is None:
        return []
    return list_captures_without_claims(db, entry)


def _reason(signal: Signal, bearing: bool, flagged: str) -> str:
    """Return why AUDIT is to look at an entry that says what the entry *flagged* says."""
    routed = matrix.route(
        Conflict("reinforcement", protected=bearing, harmful=True)
    )
    assert routed is not None
    reason = f"It says what was {signal.said}"
    if bearing:
        reason += " Much depends on it, so an audit is to stress-test it."
    return f"{reason} ({routed.reason}; the flagged entry is {flagged})"


def list_file_problems(ws: Workspace) -> list[str]:
    """Return what is wrong with the owner's file of signals, and whether it is not committed."""
    try:
        with open(os.path.join(ws.place.root, PATH), "rb") as file:
            data = file.read(signals.MAX_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"{PATH} cannot be read: {error.strerror}"]
    repo = Repo(ws.place)
    found = [f"{PATH}, {problem}" for problem in signals.parse_signals(data)[1]]
    if repo.subtree(repo.wiki_tree(repo.tip()), PATH) != hash_blob(data):
        found.append(
            f"{PATH} has changes that are not committed: nights read it from the commit"
        )
    return found
