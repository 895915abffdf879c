"""Rows 1 and 2 of the matrix: the night marks words that diverge, and reads answer to them; no page
is changed.

The utility of a word is that of its entry, night by night: what came of showing it
(`usage.utility`), and what answers in `review` say of its questions. So row 2 waits for three
nights with evidence.
"""

import sqlite3
from collections import defaultdict
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import chain

from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import PendingCapture, PlannedPage
from companion.ledger.read_notes import Readings
from companion.pages import links, page
from companion.routing import matrix, user_words
from companion.routing.user_words import Marker, Usage, Use, Verdict
from companion.runs.run import Run
from companion.storage.index import claim_names
from companion.storage.index.tables.pages.names import (
    find_active_entry_called,
    has_file_name,
    has_name,
    list_names,
)
from companion.storage.index.tables.pages.words import (
    list_active_blobs_matching,
)
from companion.storage.index.tables.questions import list_answers_about
from companion.storage.index.tables.routing import list_divergences
from companion.storage.index.tables.use import list_outcomes
from companion.usage.utility import utility_of_cycles
from companion.values.claims import Claim, split_words
from companion.values.events import LedgerLine
from companion.values.wording import without_frontmatter

_READ = 200  # pages that are looked through for one word
_GOOD = ("accept", "prefer-new", "merge")
_LESS_USEFUL = (
    "It uses another name for a page that does not serve its readers well."
)


class WordWatch:
    """The words of tonight's captures for pages that bear other names."""

    def __init__(self, run: Run) -> None:
        self.run = run
        # (key, entry) -> what is marked already
        self.markers: dict[tuple[str, str], Marker] = {}
        self.uses: dict[str, list[Use]] = {}  # by capture
        # (key, entry) -> a stated alias
        self.outright: dict[tuple[str, str], str] = {}
        self.verdicts: list[Verdict] = []
        # what tonight's captures state, by capture
        self.claims: dict[str, Sequence[Claim]] = {}
        # the pages that tonight begins: key of a name -> entries
        self.begun: defaultdict[str, set[str]] = defaultdict(set)
        # entry -> the keys of its title and aliases
        self.names_begun: dict[str, list[str]] = {}

    def collect(
        self, pending: Sequence[PendingCapture], readings: Readings
    ) -> None:
        """Read the words of *pending* captures, and judge them."""
        for divergence in list_divergences(self.run.db):
            marker = Marker(
                divergence.key,
                divergence.term,
                divergence.entry,
                divergence.row,
            )
            self.markers[divergence.key, divergence.entry] = marker
        texts = self.run.contents()
        for each in pending:
            if each.private or each.lost or each.held:
                continue
            id = each.capture.id
            text = without_frontmatter(texts[id].decode("utf-8", "replace"))
            self.uses[id] = []
            if "|" in text:
                self.uses[id] = list(user_words.list_uses(text))
            self.claims[id] = readings.claims(id)
        self._judge()

    def judge_with_begun(self, planned: Iterable[PlannedPage]) -> None:
        """Judge again, now that tonight's pages are *planned*: words may mean what is begun with
        them. A page in quarantine is not meant.
        """
        for each in planned:
            if each.base_blob is None and each.cohesion.bucket != "low":
                self._add_begun(each)
        if self.begun:
            self._judge()

    def _add_begun(self, planned: PlannedPage) -> None:
        text = planned.content.decode("utf-8", "replace")
        read = page.parse(text, planned.path)
        names = [links.title_key(name) for name in (read.title, *read.aliases)]
        self.names_begun[planned.entry] = names
        for key in (*names, links.key(planned.path)):
            self.begun[key].add(planned.entry)

    def _judge(self) -> None:
        self.outright = {}
        for claims in self.claims.values():
            self._collect_aliases(claims)
        self.verdicts = sorted(self._judge_words())

    def _collect_aliases(self, claims: Iterable[Claim]) -> None:
        """Record the names that *claims* give outright to a page."""
        for claim in claims:
            is_stated = claim.mood == "confirmed" and not claim.negated
            if claim.key[1] != claim_names.ALIAS or not is_stated:
                continue
            term = user_words.strip_article(claim.object)
            entry = self._find_entry(claim.key[0]) if term else None
            if entry is not None:
                self.outright[links.title_key(term), entry] = term

    def _judge_words(self) -> list[Verdict]:
        verdicts = [
            user_words.end_marker(marker, "A page has this name now.")
            for marker in self.markers.values()
            if self._is_name(marker.key)
        ]
        for key, entry, term in self._list_candidates():
            verdict = user_words.judge_word(
                self.count_usage(key, entry, term),
                self.markers.get((key, entry)),
                measure_utility(self.run.db, entry),
            )
            if verdict is not None:
                verdicts.append(verdict)
        return verdicts

    def _list_candidates(self) -> list[tuple[str, str, str]]:
        """Return (key, entry, word) for what tonight's captures use, and for what is marked
        already.
        """
        terms = dict(self.outright)
        for use in self._list_uses():
            entry = self._find_entry(use.target)
            if entry is not None:
                terms.setdefault((links.title_key(use.term), entry), use.term)
        for pair, marker in self.markers.items():
            terms[pair] = marker.term
        candidates: list[tuple[str, str, str]] = []
        for (key, entry), term in terms.items():
            if not self._is_name(key):
                names = self.names_begun.get(entry)
                names = names or list_names(self.run.db, entry)
                if not user_words.is_form(term, names):
                    candidates.append((key, entry, term))
        return sorted(candidates)

    def _list_uses(self) -> list[Use]:
        """Return the words that links of tonight's captures show."""
        return list(chain.from_iterable(self.uses.values()))

    def count_usage(self, key: str, entry: str, term: str) -> Usage:
        """Return how often links show a word for *entry*, and for anything else.

        A word that nobody uses tonight is not counted anew.
        """
        here = 0
        elsewhere = 0
        new_uses = [
            use for use in self._list_uses() if links.title_key(use.term) == key
        ]
        if new_uses:
            for use in (*self._list_written(term), *new_uses):
                if links.title_key(use.term) != key:
                    continue
                if self._find_entry(use.target) == entry:
                    here += 1
                else:
                    elsewhere += 1
        outright = (key, entry) in self.outright
        return Usage(key, term, entry, here, elsewhere, outright)

    def _list_written(self, term: str) -> Iterator[Use]:
        """Yield the uses in the pages that have the word."""
        phrase = '"' + " ".join(split_words(term)) + '"'
        for blob in list_active_blobs_matching(self.run.db, phrase, _READ):
            yield from user_words.list_uses(self.run.repo.text(blob))

    def _find_entry(self, target: str) -> str | None:
        """Return the one page that *target* names, of the wiki or begun tonight."""
        keys = links.title_key(target), links.key(target)
        begun = self.begun.get(keys[0], set()) | self.begun.get(keys[1], set())
        if not begun:
            return find_active_entry_called(self.run.db, *keys)
        is_alone = len(begun) == 1 and not self._is_filed(keys)
        return next(iter(begun)) if is_alone else None

    def _is_name(self, key: str) -> bool:
        return key in self.begun or self._is_filed((key, key))

    def _is_filed(self, keys: tuple[str, str]) -> bool:
        """Tell whether a page of the wiki has this title or alias, or this file name."""
        title_key, file_key = keys
        db = self.run.db
        return has_name(db, title_key) or has_file_name(db, file_key)

    def compensate(self, stands: Mapping[str, Standing]) -> dict[str, Standing]:
        """Return *stands* with higher friction for captures that use a word whose utility degrades
        (row 2).
        """
        row = matrix.MATRIX[1]
        degrading = self._degrading()
        compensated = dict(stands)
        for capture, uses in self.uses.items():
            if not any(self._is_degrading(use, degrading) for use in uses):
                continue
            before = compensated.get(capture, CLEAR)
            reason = matrix.explain_row(row)
            if before.words:
                reason = f"{before.words}; {reason}"
            consistency = round(before.consistency / row.friction, 6)
            warning = f"{before.warning} {_LESS_USEFUL}".lstrip()
            compensated[capture] = Standing(
                consistency, before.against, reason, warning
            )
        return compensated

    def _degrading(self) -> dict[str, str]:
        """Return the entry of each word that row 2 applies to, after tonight's verdicts."""
        rows = {pair: marker.row for pair, marker in self.markers.items()}
        for verdict in self.verdicts:
            rows[verdict.key, verdict.entry] = 0
            if verdict.action == "diverges":
                rows[verdict.key, verdict.entry] = verdict.row
        return {key: entry for (key, entry), row in rows.items() if row == 2}

    def _is_degrading(self, use: Use, degrading: Mapping[str, str]) -> bool:
        key = links.title_key(use.term)
        return key in degrading and degrading[key] == self._find_entry(
            use.target
        )

    def list_steady_markers(self) -> list[Marker]:
        """Return the words that reads answer to (row 1), and of which tonight decides nothing."""
        changed = {(each.key, each.entry) for each in self.verdicts}
        return [
            marker
            for pair, marker in sorted(self.markers.items())
            if marker.row == 1 and pair not in changed
        ]

    def list_marker_lines(self, flagged: Collection[str]) -> list[LedgerLine]:
        """Return the ledger's lines; what is *flagged* from outside is not mirrored (row 3)."""
        lines: list[LedgerLine] = []
        for each in self.verdicts:
            if each.entry not in flagged or each.action == "converges":
                lines.append(
                    {
                        "e": each.action,
                        "entry": each.entry,
                        "key": each.key,
                        "term": each.term,
                        "row": each.row,
                        "reason": each.reason,
                    }
                )
        return lines


def watch_user_words(
    run: Run, pending: Sequence[PendingCapture], readings: Readings
) -> WordWatch:
    """Return the words of tonight's captures for pages of other names, judged."""
    words = WordWatch(run)
    words.collect(pending, readings)
    return words


def measure_utility(db: sqlite3.Connection, entry: str) -> list[float]:
    """Return the utility of *entry* by cycles, oldest first, each from what came in with that run
    alone, in [0, 1].
    """
    by_cycle: dict[str, tuple[float, float]] = {}
    for time, choice in list_answers_about(db, entry):
        is_good = choice in _GOOD
        _add_cycle(by_cycle, time, float(is_good), float(not is_good))
    for time, gain, loss in list_outcomes(db, entry):
        _add_cycle(by_cycle, time, gain, loss)
    return utility_of_cycles([by_cycle[time] for time in sorted(by_cycle)])


def _add_cycle(
    by_cycle: dict[str, tuple[float, float]],
    time: str,
    gain: float,
    loss: float,
) -> None:
    before = by_cycle.get(time, (0.0, 0.0))
    by_cycle[time] = (before[0] + gain, before[1] + loss)
