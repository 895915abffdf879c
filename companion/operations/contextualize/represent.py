"""Fit a source to its reader: see what the wiki shows of them, choose the depth, choose what stays.

The depth is judged at the cycle, against the wiki as it is then (CTX-7).
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.judges import configured
from companion.judges.configured import Judges
from companion.language.protocols import Embedder, Summariser
from companion.operations.contextualize.fitting.abstract import abstract
from companion.operations.contextualize.fitting.fit import fit
from companion.operations.contextualize.identify import Identified
from companion.operations.contextualize.read_items import ReadOriginal
from companion.operations.contextualize.reader.depth import (
    choose_depth,
    find_override,
)
from companion.operations.contextualize.reader.gather_context import (
    Surroundings,
)
from companion.operations.contextualize.reader.shift import describe_fitting
from companion.operations.contextualize.values import (
    STEPS,
    Depth,
    Fitting,
    Kept,
    Linkout,
    Override,
    ReaderContext,
    Representation,
    Step,
)
from companion.runs.run import Run
from companion.sources.document import Document
from companion.storage.index.tables.use import count_recalls
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.allowance import Allowance
from companion.values.wording import name_file


class Fitted(NamedTuple):
    """A source's representation, why it has its depth, and for which interests it was made."""

    representation: Representation
    depth: Depth
    fitting: Fitting
    # what a language model answered, where one is configured
    verdicts: Mapping[str, Logged] = {}

    @property
    def spans(self) -> list[Kept]:
        """The stretches of the source that are kept, in the order of the page."""
        spans = list(self.representation.spans)
        for turn in self.representation.turns:
            spans += turn.spans
        return spans


class Fitter:
    """Fits the sources of one run to the wiki's owner."""

    def __init__(
        self, run: Run, step: Step | None, allowance: Allowance | None = None
    ) -> None:
        self._run = run
        self._step = step  # that a person asked for
        self._allowance = allowance
        self._judges: Judges | None = None
        self._surroundings: Surroundings | None = None

    def fit(self, one: Identified) -> Fitted:
        """Return the representation of a source. Raises ModelUnavailable or WrongWeights."""
        document = one.read.document
        context, depth = self._judge(one.read, one.key, one.entry)
        # a path is another one on each machine; the ledger has it
        item = one.read.item
        name = item.name if item.container is None else name_file(item.source)
        where = document.url or one.cold.url or name
        linkout = Linkout(where, one.entry)
        representation = fit(
            document, context, depth, self._load_embedder(), linkout=linkout
        )
        fitted = Fitted(representation, depth, describe_fitting(context, depth))
        rewriter = self._open_judges().rewriter
        if rewriter is None:
            return fitted
        return self._reword(document, fitted, rewriter, linkout)

    def _reword(
        self,
        document: Document,
        fitted: Fitted,
        rewriter: Summariser,
        linkout: Linkout,
    ) -> Fitted:
        """Return *fitted* in the words of a language model, as far as they hold."""
        done = abstract(
            document,
            fitted.representation,
            fitted.depth,
            rewriter,
            Verdicts(self._run.journal, self._run.db),
            self._run.moment(),
            linkout=linkout,
        )
        if done.tally is not None and done.tally.trouble is not None:
            self._run.notes.append(
                f"{document.title}: {done.tally}; the rest stands verbatim"
            )
        return fitted._replace(
            representation=done.representation, verdicts=done.used
        )

    def measure(self, read: ReadOriginal, key: str, entry: str) -> Fitting:
        """Return what a fitting of a source would rest on now, without making it."""
        return describe_fitting(*self._judge(read, key, entry))

    @property
    def is_asked(self) -> bool:
        """Whether a person asked for a depth."""
        return self._step is not None

    def _judge(
        self, read: ReadOriginal, key: str, entry: str
    ) -> tuple[ReaderContext, Depth]:
        if self._surroundings is None:
            embedder = self._load_embedder()
            self._surroundings = Surroundings(self._run, embedder)
        context = self._surroundings.around(
            read.document,
            entry=entry,
            recalls=count_recalls(self._run.db, entry),
        )
        override = self._find_override(read, key, context)
        size = len(read.document.text)
        return context, choose_depth(context, size, override)

    def _find_override(
        self, read: ReadOriginal, key: str, context: ReaderContext
    ) -> Override | None:
        if self._step is not None:
            return Override(self._step, "You asked for this depth.")
        item = read.item
        for name in (key, item.url, item.source, item.name):
            found = find_override(
                self._run.config.depth,
                source=name or "",
                title=read.document.title,
                topic=context.topic,
            )
            if found is not None:
                return found
        return None

    def _load_embedder(self) -> Embedder:
        embedder = self._open_judges().embedder
        assert embedder is not None
        return embedder

    def _open_judges(self) -> Judges:
        if self._judges is None:
            self._judges = configured.open_judges(
                self._run.config, allowance=self._allowance
            )
        return self._judges


def find_step(name: str | None) -> Step | None:
    """Return the step of depth called *name*; None for None."""
    for step in STEPS:
        if step == name:
            return step
    return None
