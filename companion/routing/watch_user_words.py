"""Rows 1 and 2 of the matrix: the night marks words that diverge, and reads answer to them; no page
is changed.

The utility of a word is that of its entry, night by night: what came of showing it
(`core.utility`), and what answers in `review` say of its questions. So row 2 waits for three nights
with evidence.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import PendingCapture
from companion.ledger.read_notes import Readings
from companion.pages import links
from companion.routing import matrix, user_words
from companion.routing.user_words import Marker, Usage, Use, Verdict
from companion.runs.run import Run
from companion.storage.index import claim_names
from companion.storage.index.tables import routing as routes
from companion.storage.index.tables import use as usage
from companion.storage.index.tables.pages import (
    find_active_entry_called,
    has_file_name,
    has_name,
    list_active_blobs_matching,
    list_names,
)
from companion.storage.index.tables.questions import list_answers_about
from companion.usage.utility import utility_of_cycles
from companion.values.claims import split_words
from companion.values.wording import without_frontmatter

_READ = 200  # pages that are looked through for one word
_GOOD = ("accept", "prefer-new", "merge")


class WordWatch:
    """The words of tonight's captures for pages that bear other names."""

    def __init__(self, tonight: Run) -> None:
        self.tonight = tonight
        # (key, entry) -> what is marked already
        self.markers: dict[tuple[str, str], Marker] = {}
        self.uses: dict[str, list[Use]] = {}  # by capture
        # (key, entry) -> a stated alias
        self.outright: dict[tuple[str, str], str] = {}
        self.verdicts: list[Verdict] = []

    def collect(
        self, pending: Sequence[PendingCapture], said: Readings
    ) -> None:
        """Read the words of *pending* captures, and judge them."""
        for divergence in routes.list_divergences(self.tonight.db):
            marker = Marker(
                divergence.key,
                divergence.term,
                divergence.entry,
                divergence.row,
            )
            self.markers[divergence.key, divergence.entry] = marker
        texts = self.tonight.contents()
        for told in pending:
            if told.private or told.lost or told.held:
                continue
            id = told.capture.id
            text = without_frontmatter(texts[id].decode("utf-8", "replace"))
            self.uses[id] = list(user_words.uses(text)) if "|" in text else []
            self._alias(said, id)
        self.verdicts = self._verdicts()

    def _alias(self, said: Readings, capture: str) -> None:
        for claim in said.claims(capture):
            term = user_words.bare(claim.object)
            if (
                claim.key[1] == claim_names.ALIAS
                and term
                and not claim.negated
                and claim.mood == "confirmed"
            ):
                entry = self._entry(claim.key[0])
                if entry is not None:
                    self.outright[links.title_key(term), entry] = term

    def _verdicts(self) -> list[Verdict]:
        found = [
            user_words.ended(marker, "a page bears this name now")
            for marker in self.markers.values()
            if self._is_name(marker.key)
        ]
        for key, entry, term in self._candidates():
            usage = self._usage(key, entry, term)
            verdict = user_words.judge(
                usage,
                self.markers.get((key, entry)),
                utility(self.tonight.db, entry),
            )
            found += [verdict] if verdict is not None else []
        return sorted(found)

    def _candidates(self) -> list[tuple[str, str, str]]:
        """Return (key, entry, word) for what tonight's captures use, and for what is marked
        already.
        """
        named = {
            (key, entry): term for (key, entry), term in self.outright.items()
        }
        for use in (use for uses in self.uses.values() for use in uses):
            entry = self._entry(use.target)
            if entry is not None:
                named.setdefault((links.title_key(use.term), entry), use.term)
        named |= {pair: marker.term for pair, marker in self.markers.items()}
        return sorted(
            (key, entry, term)
            for (key, entry), term in named.items()
            if not self._is_name(key)
            and not user_words.is_form(term, self._names(entry))
        )

    def _usage(self, key: str, entry: str, term: str) -> Usage:
        here = elsewhere = 0
        tonight = [
            use
            for uses in self.uses.values()
            for use in uses
            if links.title_key(use.term) == key
        ]
        # what nobody says tonight is not counted anew
        for use in (*self._written(term), *tonight) if tonight else ():
            if links.title_key(use.term) == key:
                same = self._entry(use.target) == entry
                here, elsewhere = here + same, elsewhere + (not same)
        return Usage(
            key, term, entry, here, elsewhere, (key, entry) in self.outright
        )

    def _written(self, term: str) -> Iterator[Use]:
        """Yield the uses in the pages that have the word."""
        phrase = '"' + " ".join(split_words(term)) + '"'
        for blob in list_active_blobs_matching(self.tonight.db, phrase, _READ):
            yield from user_words.uses(self.tonight.repo.text(blob))

    def _entry(self, target: str) -> str | None:
        return find_active_entry_called(
            self.tonight.db, links.title_key(target), links.key(target)
        )

    def _is_name(self, key: str) -> bool:
        return has_name(self.tonight.db, key) or has_file_name(
            self.tonight.db, key
        )

    def _names(self, entry: str) -> list[str]:
        return list_names(self.tonight.db, entry)

    def compensate(self, stands: Mapping[str, Standing]) -> dict[str, Standing]:
        """Return *stands* with higher friction for captures that use a word whose utility degrades
        (row 2).
        """
        row = matrix.MATRIX[1]
        why = f"row 2 ({row.domain}): {row.channel}, friction {row.friction:.2f}; {row.rationale}"
        degrading = self._degrading()
        compensated = dict(stands)
        for capture, uses in self.uses.items():
            if not any(self._is_degrading(use, degrading) for use in uses):
                continue
            stood = compensated.get(capture, CLEAR)
            split_words = "; ".join(filter(None, (stood.words, why)))
            consistency = round(stood.consistency / row.friction, 6)
            compensated[capture] = Standing(
                consistency, stood.against, split_words
            )
        return compensated

    def _degrading(self) -> dict[str, str]:
        """Return the entry of each word that row 2 applies to, after tonight's verdicts."""
        rows = {pair: marker.row for pair, marker in self.markers.items()}
        for verdict in self.verdicts:
            row = verdict.row if verdict.action == "diverges" else 0
            rows[verdict.key, verdict.entry] = row
        return {key: entry for (key, entry), row in rows.items() if row == 2}

    def _is_degrading(self, use: Use, degrading: Mapping[str, str]) -> bool:
        key = links.title_key(use.term)
        return key in degrading and degrading[key] == self._entry(use.target)

    def list_marker_lines(
        self, flagged: Collection[str]
    ) -> list[dict[str, Any]]:
        """Return the ledger's lines; what is *flagged* from outside is not mirrored (row 3)."""
        return [
            {
                "e": each.action,
                "entry": each.entry,
                "key": each.key,
                "term": each.term,
                "row": each.row,
                "reason": each.reason,
            }
            for each in self.verdicts
            if each.entry not in flagged or each.action == "converges"
        ]


def watch_user_words(
    tonight: Run, pending: Sequence[PendingCapture], said: Readings
) -> WordWatch:
    """Return the words of tonight's captures for pages of other names, judged."""
    words = WordWatch(tonight)
    words.collect(pending, said)
    return words


def utility(db: sqlite3.Connection, entry: str) -> list[float]:
    """Return the utility of *entry* by cycles, oldest first, each from what came in with that run
    alone, in [0, 1].
    """
    said = [
        (time, choice in _GOOD, choice not in _GOOD)
        for time, choice in list_answers_about(db, entry)
    ]
    by_cycle: dict[str, tuple[float, float]] = {}
    for time, gain, loss in (*said, *usage.list_outcomes(db, entry)):
        before = by_cycle.get(time, (0.0, 0.0))
        by_cycle[time] = before[0] + gain, before[1] + loss
    return utility_of_cycles([by_cycle[time] for time in sorted(by_cycle)])
