"""Row 3 of the matrix: what is flagged as harmful from outside gets the highest friction, and AUDIT
is to look at it.

Who warns is exchangeable (`Source`); the one that comes with companion is a file in the wiki.
Utility is asked nowhere here: satisfaction with a harmful pattern is no evidence (MaM §5.0, row 3).
"""

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

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
from companion.storage.index.tables import routing as routes
from companion.storage.index.tables.captures import list_captures_without_claims
from companion.storage.index.tables.claims import list_affirmed
from companion.storage.index.tables.entries import find_entry
from companion.storage.index.tables.pages import (
    list_entries_called,
    list_pages_matching,
)
from companion.values.relations import Statement
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

PATH = ".companion/signals.jsonl"
_ROW = 3
_ALIKE = ("same", "supports")


class SignalSource(Protocol):
    """Whoever warns of what is harmful."""

    def read(self) -> tuple[Sequence[Signal], Sequence[str]]:
        """Return what is flagged, and what could not be understood, in words."""
        ...


class SignalFile:
    """Signals in the wiki's own file, one JSON object a line, as a tree has it."""

    def __init__(self, repo: Repo, tree: str | None) -> None:
        self.repo, self.tree = repo, tree

    def read(self) -> tuple[Sequence[Signal], Sequence[str]]:
        blob = self.repo.subtree(self.tree, PATH)
        return (
            signals.parse_signals(self.repo.blob(blob))
            if blob is not None and self.repo.has(blob)
            else ([], [])
        )


class SignalWatch:
    """What is flagged on one night: which captures say it again, and which entries hold it."""

    def __init__(
        self,
        tonight: Run,
        found: Sequence[Signal],
        troubles: Sequence[str],
        relater: Relater | None,
    ) -> None:
        self.tonight = tonight
        self.signals = found
        self.troubles = troubles
        self.relater = relater
        # entry -> the first signal that flags it
        self.flagged: dict[str, Signal] = {}
        # capture -> what it says again
        self.reinforcing: dict[str, Signal] = {}

    def mark_reinforcing(
        self,
        pending: Sequence[PendingCapture],
        again: Collection[str],
        said: Readings,
        judged: Mapping[str, Any],
    ) -> None:
        """Find which of tonight's captures, and of the old ones told *again*, reinforce what is
        flagged.
        """
        if not self.signals:
            return
        texts = self.tonight.contents()
        for told in pending:
            if not (told.private or told.lost):
                self._mark_if_reinforcing(
                    told.capture.id, texts[told.capture.id], said, judged
                )
        for capture in again:
            blob = self.tonight.journal.blob(capture)
            if blob is not None and self.tonight.repo.has(blob):
                self._mark_if_reinforcing(
                    capture, self.tonight.repo.blob(blob), said, judged
                )

    def _mark_if_reinforcing(
        self,
        capture: str,
        content: bytes,
        said: Readings,
        judged: Mapping[str, Any],
    ) -> None:
        found = (
            self.find_stated(content.decode("utf-8", "replace"))
            or self._supports(judged.get(capture, ()))
            or self._claims_alike(said, capture)
        )
        if found is not None:
            self.reinforcing[capture] = found

    def find_stated(self, text: str) -> Signal | None:
        """Return the first signal whose claim *text* states and does not deny."""
        body = without_frontmatter(text)
        return next(
            (
                each
                for each in self.signals
                if each.claim and self._stated(each.claim, body)
            ),
            None,
        )

    def _stated(self, claim: str, text: str) -> bool:
        return any(
            not self._denied(claim, passage)
            for passage in signals.find_passages(claim, text)
        )

    def _denied(self, claim: str, passage: str) -> bool:
        assert self.relater is not None
        pair = (Statement(claim.replace("*", " ")), Statement(passage))
        return self.relater.relate([pair])[0].label == "contradicts"

    def _supports(self, judged: Sequence[Judged]) -> Signal | None:
        alike = (
            each.other
            for each in judged
            if each.phase == 2 and each.relation.label in _ALIKE
        )
        return next(
            (self.flagged[other] for other in alike if other in self.flagged),
            None,
        )

    def _claims_alike(self, said: Readings, capture: str) -> Signal | None:
        told = {
            (*claim.key, claim.object.casefold())
            for claim in said.claims(capture)
            if not claim.negated
        }
        if not told:
            return None
        return next(
            (
                signal
                for id, signal in self.flagged.items()
                if told & self._claims(id)
            ),
            None,
        )

    def _claims(self, entry: str) -> set[tuple[str, str, str]]:
        return list_affirmed(self.tonight.db, entry)

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
            stood = resisted.get(capture, CLEAR)
            words = "; ".join(
                filter(None, (stood.words, f"{routed.reason}; {signal.said}"))
            )
            consistency = round(stood.consistency / routed.friction, 6)
            resisted[capture] = Standing(consistency, stood.against, words)
        return resisted

    def tag_pages(
        self, lines: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return a plan's *lines*, pages with the signal that raised friction for them: by it its
        end is noticed.
        """
        by = {
            e["entry"]: self.reinforcing[e["capture"]].id
            for e in lines
            if e["e"] == "consumed" and e["capture"] in self.reinforcing
        }
        return [
            {**e, "signal": by[e["entry"]]}
            if e["e"] == "created" and e["entry"] in by
            else e
            for e in lines
        ]

    def is_signal_withdrawn(self, entry: str) -> bool:
        """Tell whether the signal by which a page came into quarantine is taken back."""
        made = _made(self.tonight.db, entry)
        return made is not None and not self._stands(made["signal"])

    def _stands(self, signal: str) -> bool:
        # a damaged file takes nothing back
        return bool(self.troubles) or signal in {
            each.id for each in self.signals
        }

    def friction(self, entry: str, judged: Sequence[Judged] = ()) -> float:
        """Return what the consistency of a page that would leave quarantine is divided by; 1 where
        nothing flags it.

        An answer of a person is no way around it: satisfaction is no evidence here.
        """
        routed = matrix.route(
            Conflict("reinforcement", harmful=self._reinforces(entry, judged))
        )
        return matrix.DEFAULT if routed is None else routed.friction

    def _reinforces(self, entry: str, judged: Sequence[Judged]) -> bool:
        row = find_entry(self.tonight.db, entry)
        if not (self.signals or self.troubles) or row is None:
            return False
        text, made = self._words(row.blob), _made(self.tonight.db, entry)
        kept = (
            made is not None
            and self._stands(made["signal"])
            and text == self._words(made["blob"])
        )
        return (
            kept
            or self.find_stated(text) is not None
            or self._supports(judged) is not None
        )

    def _words(self, blob: str) -> str:
        return words_to_judge(self.tonight.repo.text(blob))

    def drop_reinforcing(
        self, lines: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the `claims` *lines* without those of captures that reinforce: facts would mirror
        them.
        """
        return [
            line for line in lines if line["capture"] not in self.reinforcing
        ]

    def is_harmful(self, capture: str, text: str) -> bool:
        """Tell whether a challenger says what is flagged: its branch presses against the highest
        friction.
        """
        return capture in self.reinforcing or self.find_stated(text) is not None

    def list_queue_lines(self) -> list[dict[str, Any]]:
        """Return the ledger's lines for what joins AUDIT's queue tonight, and what leaves it
        unheard.
        """
        held = {
            each.entry
            for each in routes.list_queued(self.tonight.db)
            if each.row == _ROW
        }
        if not self.flagged and not held:
            return []
        wanted = self._wanted()
        lines = [
            {"e": "queued", "entry": id, "row": _ROW, "reason": reason}
            for id, reason in sorted(wanted.items())
            if id not in held
        ]
        # a damaged file takes no warning back
        over = [] if self.troubles else sorted(held - wanted.keys())
        why = "row 3 (safety): no signal names it any more"
        return lines + [
            {"e": "unqueued", "entry": id, "row": _ROW, "reason": why}
            for id in over
        ]

    def _wanted(self) -> dict[str, str]:
        bearing = (
            weigh_load_bearing_entries(self.tonight) if self.flagged else {}
        )
        wanted = {
            id: _reason(signal, id in bearing)
            for id, signal in self.flagged.items()
        }
        for id in sorted(bearing.keys() - wanted.keys()):
            claims = self._claims(id)
            other = next(
                (each for each in self.flagged if claims & self._claims(each)),
                None,
            )
            if other is not None:
                wanted[id] = (
                    f"{_reason(self.flagged[other], True)}; it says the same as {other}"
                )
        return wanted

    def find_flagged(self) -> dict[str, Signal]:
        """Return the entries that are flagged, each with the first signal that does."""
        found: dict[str, Signal] = {}
        for signal in self.signals:
            for entry in (*self._named(signal), *self._holding(signal)):
                found.setdefault(entry, signal)
        return found

    def _named(self, signal: Signal) -> list[str]:
        if not signal.entry:
            return []
        keys = links.title_key(signal.entry), links.key(signal.entry)
        found = list_entries_called(self.tonight.db, signal.entry, *keys)
        if not found:
            self.tonight.notes.append(
                f"{PATH}: no entry is called {signal.entry}, which {signal.by} flagged"
            )
        return found

    def _holding(self, signal: Signal) -> Iterator[str]:
        if not signal.claim:
            return
        phrase = " ".join(
            f'"{word}"' for word in signals.list_terms(signal.claim)
        )
        for id, blob in list_pages_matching(self.tonight.db, phrase):
            text = without_frontmatter(self.tonight.repo.text(blob))
            if self._stated(signal.claim, text):
                yield id


def watch_signals(tonight: Run, source: SignalSource) -> SignalWatch:
    """Return what *source* flags tonight, with the entries that it names or that hold its claim."""
    found, troubles = source.read()
    # The rules relate alike on every machine.
    relater = configured.open_judges(Config()).relater if found else None
    watch = SignalWatch(tonight, found, troubles, relater)
    watch.flagged = watch.find_flagged()
    tonight.notes += [f"{PATH}, {trouble}" for trouble in troubles]
    return watch


def _made(db: sqlite3.Connection, entry: str) -> dict[str, Any] | None:
    """Return the ledger's line of a page that a signal brought into quarantine; None for every
    other page.
    """
    lines = [event.data for event in list_entry_events(db, entry, ["created"])]
    return next((line for line in lines if "signal" in line), None)


def held_back(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the captures of *entry* whose claims a signal kept out of the ledger."""
    if _made(db, entry) is None:
        return []
    return list_captures_without_claims(db, entry)


def _reason(signal: Signal, bearing: bool) -> str:
    routed = matrix.route(
        Conflict("reinforcement", protected=bearing, harmful=True)
    )
    assert routed is not None
    test = "; it bears weight, so AUDIT is to stress-test it" if bearing else ""
    return f"{routed.reason}; {signal.said}{test}"


def notes(ws: Workspace) -> list[str]:
    """Return what its owner should know of the file: what is wrong with it, and that it is not
    committed.
    """
    try:
        with open(os.path.join(ws.place.root, PATH), "rb") as file:
            data = file.read(signals.MAX_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"{PATH} cannot be read: {error.strerror}"]
    repo = Repo(ws.place)
    found = [f"{PATH}, {trouble}" for trouble in signals.parse_signals(data)[1]]
    if repo.subtree(repo.wiki_tree(repo.tip()), PATH) != hash_blob(data):
        found.append(
            f"{PATH} has changes that are not committed: nights read it from the commit"
        )
    return found
