"""`models`: which reasoners there are, what each would cost, and the switch from one to another
(MaM §8.3, GEN-4).

Swapping a model is a change of configuration: a run of its own that commits companion.yaml and no
page, re-embeds what is derived, and flags the load-bearing entries that the new model contradicts.
They are neither defended nor overwritten (ROW-7): a person, or a later CONSOLIDATE, decides.
"""

from typing import TYPE_CHECKING

from companion import config
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.comparison.page_vectors import open_page_vectors
from companion.config_checks import REASONERS
from companion.errors import CompanionError
from companion.judges import configured
from companion.judges.ask import describe_tally
from companion.judges.compatible import compare_judges
from companion.judges.configured import Judges
from companion.maintenance.ask_new_model import flag_contradicted
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.values.allowance import Allowance
from companion.values.decisions import Write
from companion.values.progress import Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        FlaggedContradiction,
        ReasonerSwitch,
        SwitchResult,
    )


VERSION = "models-1"


class NoSuchReasoner(CompanionError):
    """There is no such reasoner."""

    exit_code = 2
    hint = (
        "Choose light, vectors, semantic, semantic:CROSS-ENCODER or llm:MODEL."
    )


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
    known = kind in REASONERS
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
    flags, tally = flag_contradicted(run, judges)
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
