"""Make the judges that a wiki's configuration names, when they are needed.

Nothing heavy is imported before that.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion import workspace
from companion.config import Config
from companion.language.protocols import (
    Comparer,
    Embedder,
    Extractor,
    Relater,
    Summariser,
)
from companion.values.allowance import Allowance
from companion.values.relations import Statement

if TYPE_CHECKING:
    from companion.judges.llm.client import Budget
    from companion.judges.llm.relate import Cost

# pairs that are judged together -> what that is going to cost
Estimate = Callable[[Sequence[tuple[Statement, Statement]]], "Cost"]


class Judges(NamedTuple):
    """The judges in use; None for a job that the chosen reasoner has nobody for."""

    embedder: Embedder | None
    relater: Relater | None
    extractor: Extractor | None
    summariser: Summariser | None
    # holds notes against load-bearing pages, with a lower bar
    contest: Relater | None = None
    # holds answers against each other: only a language model can
    comparer: Comparer | None = None
    # says paragraphs of sources in fewer words: only a language model can
    rewriter: Summariser | None = None
    # of a language model: what it may cost tonight, and what it has
    budget: "Budget | None" = None
    estimate: Estimate | None = None

    def let_go(self) -> None:
        """Free the memory of the embedder: a night plans and publishes after it has judged."""
        from companion.judges.vectors import MultilingualEmbedder
        from companion.language.vectors.static_vectors import StaticEmbedder

        if isinstance(self.embedder, StaticEmbedder | MultilingualEmbedder):
            self.embedder.let_go()


def open_judges(
    config: Config, *, allowance: Allowance | None = None
) -> Judges:
    """Return the judges that *config* names; a language model spends from *allowance*.

    A judge raises ModelUnavailable when it is asked.
    """
    if config.reasoner == "vectors":
        return _vectors()
    if config.reasoner == "semantic":
        return _semantic(config)
    if config.reasoner == "llm":
        return _llm(config, allowance or Allowance())
    return _light()


def _light() -> Judges:
    from companion.judges.summarise import LightSummariser
    from companion.language.claims.extract import LightExtractor
    from companion.language.relations.relate import LightRelater
    from companion.language.stance.contest import HeardContest
    from companion.language.vectors.static_vectors import StaticEmbedder

    embedder = StaticEmbedder()
    return Judges(
        embedder,
        LightRelater(embedder),
        LightExtractor(),
        LightSummariser(),
        HeardContest(embedder),
    )


def _vectors() -> Judges:
    from companion.judges.vectors import MultilingualEmbedder

    # the relater's bars were set on the static vectors, and it keeps them
    return _light()._replace(embedder=MultilingualEmbedder())


def _semantic(config: Config) -> Judges:
    workspace.forbid_downloads()
    from companion.judges.semantic import (
        CrossEncoder,
        SemanticEmbedder,
        SemanticRelater,
    )
    from companion.language.relations.relate import LightRelater

    embedder = SemanticEmbedder()
    nli = None
    if config.model:
        nli = CrossEncoder(config.model)
    return _light()._replace(
        embedder=embedder, relater=SemanticRelater(LightRelater(embedder), nli)
    )


def _llm(config: Config, allowance: Allowance) -> Judges:
    from companion.judges.llm.client import Budget, Model
    from companion.judges.llm.compare_answers import LlmComparer
    from companion.judges.llm.prompts import LlmExtractor, LlmSummariser
    from companion.judges.llm.relate import LlmRelater
    from companion.judges.llm.reword import LlmRewriter

    most = allowance.find_most_calls(config.max_calls)
    budget = Budget(most, config.max_tokens, allowance)
    model = Model(config.model, budget)
    relater = LlmRelater(model)
    return Judges(
        _light().embedder,
        relater,
        LlmExtractor(model),
        LlmSummariser(model),
        contest=relater,
        comparer=LlmComparer(model),
        rewriter=LlmRewriter(model),
        budget=budget,
        estimate=relater.estimate,
    )


def describe_judges(found: Judges) -> Mapping[str, str]:
    """Return who does which job. Raises ModelUnavailable or WrongWeights for a judge that is not
    there.
    """
    jobs = {
        "embed": found.embedder,
        "relate": found.relater,
        "extract": found.extractor,
        "summarise": found.summariser,
        "compare": found.comparer,
        "reword": found.rewriter,
    }
    return {
        job: str(judge.identity)
        for job, judge in jobs.items()
        if judge is not None
    }
