"""`models`: which reasoners there are, what each would cost, and the switch from one to another
(MaM §8.3, GEN-4).

Swapping a model is a change of configuration: a run of its own that commits companion.yaml and no
page, re-embeds what is derived, and flags the load-bearing entries that the new model contradicts.
They are neither defended nor overwritten (ROW-7): a person, or a later CONSOLIDATE, decides.
"""

import importlib.util
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion import config, workspace
from companion.adoption.run import make_edit_events
from companion.comparison import candidate_pairs, consistency
from companion.comparison.page_vectors import open_page_vectors
from companion.comparison.pages import Page, list_comparable_entries, list_pages
from companion.config import Config
from companion.errors import CompanionError
from companion.judges import configured
from companion.judges.ask import Tally, ask_relations, describe_tally
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
from companion.storage.index import fold
from companion.storage.index.tables.gravity import (
    list_heaviest_dependents,
    list_loads,
)
from companion.storage.journal.verdicts import Verdicts
from companion.values.decisions import Write
from companion.values.relations import Relation, Statement
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        Costs,
        FlaggedContradiction,
        Installation,
        ModelList,
        ReasonerName,
        ReasonerSwitch,
        SwitchResult,
    )

Progress = Callable[[int], None]

HEAVIEST = 10  # load-bearing entries that a new model is asked about
# passages of a load-bearing entry that a new model is asked about
PER_ENTRY = 3
VERSION = "models-1"
PRIOR = Statement("")  # what the judge knows itself


class NoSuchReasoner(CompanionError):
    """There is no such reasoner."""

    exit_code = 2
    hint = "Choose light, semantic, semantic:CROSS-ENCODER or llm:MODEL."


# Rough figures from one machine of two cores; `models` says that they are no measurement of this
# one.
_COSTS: "Mapping[str, Costs]" = {
    "light": {
        "download": "none: part of the core install", "memory": "about 60 MB at night",
        "time": "thousands of pairs per CPU second", "calls": "none",
    },
    "semantic": {
        "download": "about 300 MB (torch for the CPU, all-MiniLM-L6-v2)", "memory": "about 600 MB at night",
        "time": "6 s to start, then about 170 texts per CPU second", "calls": "none",
    },
    "llm": {
        "download": "the llm library, and what its plugin brings", "memory": "that of the model, if it runs here",
        "time": "that of the model: one call per pair", "calls": "at most max_calls a night (see Settings)",
    },
}  # fmt: skip


def listing(ws: Workspace) -> "ModelList":
    """Return what is installed, what is in use, the weights' hashes, and what each reasoner would
    cost.
    """
    repo = Repo(ws.place)
    chosen = fold.read_settings(repo, repo.wiki_tree(repo.tip()))
    names = [_light(), _semantic(chosen), _llm(chosen)]
    return {
        "reasoner": chosen.reasoner,
        "model": chosen.model,
        "max_calls": chosen.max_calls,
        "max_tokens": chosen.max_tokens,
        "reasoners": [
            {
                **each,
                "in_use": each["name"] == chosen.reasoner,
                **_COSTS[each["name"]],
            }
            for each in names
        ],
    }


def use(
    ws: Workspace,
    name: str,
    *,
    dry_run: bool = False,
    max_calls: int | None = None,
    progress: Progress | None = None,
) -> "SwitchResult":
    """Switch to the reasoner *name* (``light``, ``semantic[:MODEL]``, ``llm:MODEL``) by a run of
    its own.

    Raises NoSuchReasoner, ModelUnavailable or WrongWeights with nothing changed.
    """
    kind, _, model = name.partition(":")
    if (
        kind not in config.REASONERS
        or (kind == "light" and model)
        or (kind == "llm" and not model)
    ):
        raise NoSuchReasoner(f"there is no reasoner {name!r}")
    return run_with_retries(
        ws,
        "models",
        lambda tonight: _use(tonight, kind, model, max_calls, dry_run=dry_run),
        progress,
    )


def _use(
    tonight: Run, kind: str, model: str, max_calls: int | None, *, dry_run: bool
) -> "SwitchResult":
    blob = tonight.repo.subtree(tonight.tree, config.PATH)
    held = tonight.repo.blob(blob) if blob else None
    data = config.set_values(held, {"reasoner": kind, "model": model})
    chosen = config.parse(data)
    judges = configured.open_judges(chosen, max_calls=max_calls)
    # also proves that the model is there, before anything is changed
    embedded = _embed(tonight, judges)
    flags, asked = _contradicted(tonight, judges)
    raised: list[FlaggedContradiction] = [
        {"entry": line["entry"], "reason": line["reason"]}
        for line in flags
        if line["e"] == "flagged"
    ]
    report: ReasonerSwitch = {
        "reasoner": kind,
        "model": model,
        "judges": dict(configured.describe_judges(judges)),
        "embedded": embedded,
        "flagged": raised,
        "judged": [describe_tally(each) for each in asked],
        "notes": list(tonight.notes),
        "dry_run": dry_run,
    }
    if dry_run or data == held:
        return {"run": None, "commit": None, **report}
    before = f"{tonight.config.reasoner}{':' * bool(tonight.config.model)}{tonight.config.model}"
    why = f"chosen instead of {before}; {embedded} pages embedded, {len(raised)} flagged"
    lines = [
        *make_edit_events(tonight),
        {"e": "reasoner", "reasoner": kind, "model": model, "reason": why},
        *flags,
    ]
    run = ledger_file.make_run(
        "models",
        tonight.moment(),
        make_inputs(tonight, {}, {"models": VERSION}),
        lines,
    )
    name = f"{kind}:{model}" if model else kind
    commit = tonight.publish(
        run,
        [Write(config.PATH, data)],
        f"models: use {name}",
        why,
        author=COMPANION,
    )
    tonight.refold()
    return {"run": run.id, "commit": commit, **report}


def _embed(tonight: Run, judges: Judges) -> int:
    """Embed every page with the new embedder, and forget the old one's vectors; return how many
    there are.
    """
    if judges.embedder is None:
        return 0
    with open_page_vectors(tonight, judges.embedder, only=True) as kept:
        return kept.store.count()


def _contradicted(
    tonight: Run, judges: Judges
) -> tuple[list[dict[str, Any]], list[Tally]]:
    """Return flags for the load-bearing entries that the new model contradicts: by what it knows,
    or by a neighbour.
    """
    if judges.relater is None:
        return [], []
    # a model that cannot be found is an error now, and not tomorrow night
    _ = judges.relater.identity
    pages = {
        page.id: page
        for page in list_pages(tonight, list_comparable_entries(tonight))
    }
    asked = [
        (id, other, pair)
        for id in _load_bearing(tonight)
        for other, pair in _questions(tonight, pages, id)
    ]
    log = Verdicts(tonight.journal, tonight.db)
    found = ask_relations(
        log, judges.relater, [pair for _, _, pair in asked], tonight.moment()
    )
    if found.tally.unanswered:
        hint = "Nothing was changed, and what it did answer is kept: try again, or raise --max-calls."
        raise ModelUnavailable(
            f"{found.tally.unanswered} questions have no answer: {found.tally.trouble}",
            hint=hint,
        )
    worst: dict[str, tuple[float, str, str, Relation]] = {}
    for (id, other, _), key, answer in zip(
        asked, found.keys, found.answers, strict=True
    ):
        if answer is not None and answer.label == "contradicts":
            candidate = (
                max(answer.opposition, answer.score),
                key,
                other,
                answer,
            )
            worst[id] = max(
                worst.get(id, candidate), candidate, key=lambda each: each[:2]
            )
    lines = [
        _flag(id, *each[1:], found.used) for id, each in sorted(worst.items())
    ]
    return [line for pair in lines for line in pair], [
        found.tally
    ] if asked else []


def _load_bearing(tonight: Run) -> list[str]:
    return candidate_pairs.rank_load_bearing(list_loads(tonight.db), HEAVIEST)


def _questions(
    tonight: Run, pages: Mapping[str, Page], id: str
) -> list[tuple[str, tuple[Statement, Statement]]]:
    """Return (other entry or "", (earlier, later)): a heavy entry against what the judge knows, and
    its neighbours.
    """
    page = pages[id]
    own = _passages(tonight, page)
    found = [
        ("", (PRIOR, Statement(text, page.title, page.told)))
        for text in own[:PER_ENTRY]
    ]
    for other in list_heaviest_dependents(tonight.db, id, 2):
        if other in pages:
            theirs = _passages(tonight, pages[other])
            for pair in candidate_pairs.pair_passages(other, theirs, id, own):
                earlier = Statement(pair.earlier, page.title, page.told)
                found.append(
                    (
                        other,
                        (
                            earlier,
                            Statement(
                                pair.later,
                                pages[other].title,
                                pages[other].told,
                            ),
                        ),
                    )
                )
    return found


def _passages(tonight: Run, page: Page) -> list[str]:
    return candidate_pairs.split_passages(
        words_to_judge(tonight.repo.text(page.blob))
    )


def _flag(
    id: str, key: str, other: str, answer: Relation, used: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the verdict, for the ledger, and the flag that rests on it."""
    logged = used[key]
    said = {
        name: value for name, value in logged.answer.items() if name != "reason"
    }
    verdict = {
        "e": "verdict",
        "key": key,
        "task": logged.task,
        "judge": logged.judge,
        "entry": id,
        "answer": said,
    }
    flag = {
        "e": "flagged",
        "flag": consistency.flag_id(key, id),
        "kind": "model",
        "entry": id,
        "key": key,
    }
    against = {"other": other} if other else {}
    routed = matrix.route(Conflict("model", protected=True))
    assert routed is not None
    why = f"{routed.reason}; {logged.judge}: {answer.reason}"
    return [
        {**verdict, "reason": answer.reason},
        {**flag, **against, "reason": why},
    ]


# -- what there is ---------------------------------------------------------------------------------


def _light() -> "Installation":
    found, trouble = configured.open_judges(Config()), None
    identity = (
        Identity("light", "")
        if found.embedder is None
        else found.embedder.identity
    )
    try:
        if found.embedder is not None:
            # reads the vectors and checks their hash
            found.embedder.embed(["a"])
    except (ModelUnavailable, WrongWeights) as error:
        # `models` lists what is there; what is not is an answer here, and no failure
        trouble = str(error)
    return _found(found, "light", identity.model, identity.weights, trouble, [])


def _semantic(chosen: Config) -> "Installation":
    from companion.judges import semantic

    nli = (
        [chosen.model] if chosen.reasoner == "semantic" and chosen.model else []
    )
    found, trouble = (
        configured.open_judges(Config(reasoner="semantic", model="".join(nli))),
        None,
    )
    try:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise ModelUnavailable("sentence-transformers is not installed")
        semantic.check_weights(
            os.path.join(semantic.packaged(), "model.safetensors"),
            semantic.WEIGHTS,
        )
        # a cross encoder, if one is chosen, is looked for and hashed
        configured.describe_judges(found)
    except (ModelUnavailable, WrongWeights) as error:
        trouble = str(error)
    return _found(
        found, "semantic", semantic.MODEL, semantic.WEIGHTS, trouble, nli
    )


def _llm(chosen: Config) -> "Installation":
    model = chosen.model if chosen.reasoner == "llm" else ""
    if importlib.util.find_spec("llm") is None:
        return _found(
            None, "llm", model, "", "the llm library is not installed", []
        )
    import llm

    workspace.forbid_downloads()
    names = sorted(str(each.model_id) for each in llm.get_models())
    trouble = (
        f"the llm library knows no model {model!r}"
        if model and model not in llm.get_model_aliases()
        else None
    )
    return _found(
        configured.open_judges(chosen) if model else None,
        "llm",
        model,
        "",
        trouble,
        names,
    )


def _found(
    judges: Judges | None,
    name: "ReasonerName",
    model: str,
    weights: str,
    trouble: str | None,
    models: list[str],
) -> "Installation":
    jobs = (
        dict(configured.describe_judges(judges))
        if judges and not trouble
        else {}
    )
    return {
        "name": name,
        "installed": trouble is None,
        "trouble": trouble,
        "model": model,
        "weights": weights,
        "models": models,
        "judges": jobs,
    }
