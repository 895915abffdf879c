"""The steps of a night: each runs one operation, and says in a sentence what it did."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from companion.errors import CompanionError, InputOutput, Unexpected
from companion.sleep.decision import rhythm
from companion.sleep.safe_points import WikiGone
from companion.values.allowance import Allowance
from companion.values.progress import Progress
from companion.values.wording import many
from companion.workspace import Workspace

DONE = "done"
NOTHING = "nothing"
FAILED = "failed"
SKIPPED = "skipped"
ABORTED = "aborted"

TRY_LATER = 75

Report = Mapping[str, Any]


class Watching(Progress, Protocol):
    """Hears how far a night is, and may end it at a safe point."""

    step: str  # that runs now

    def is_over(self) -> bool:
        """Tell whether the night must end, for a step that ends by itself in slices."""


class Limits(NamedTuple):
    """The limits of a night's cost."""

    most: int | None = None  # notes that CONSOLIDATE takes in; None: all
    # of a language model, for all steps together
    allowance: Allowance | None = None
    takes_edits: bool = True  # the settings let a night adopt


class Outcome(NamedTuple):
    """The outcome of one step."""

    outcome: str  # done | nothing | failed | skipped
    words: str  # one plain sentence
    run: str | None = None
    error: CompanionError | None = None


def run_step(
    name: str, ws: Workspace, watch: Watching, limits: Limits
) -> Outcome:
    """Run one step. Raises Woken at a safe point where conditions have changed, and WikiGone.

    An error is an outcome: it must not cost the later steps their night.
    """
    watch.step = name
    try:
        return _STEPS[name](ws, watch, limits)
    except WikiGone:
        raise
    except CompanionError as error:
        return _describe_error(error)
    except sqlite3.Error as error:
        return _describe_error(InputOutput(f"database: {error}"))
    except OSError as error:
        return _describe_error(InputOutput(str(error)))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        name_of_error = type(error).__name__
        return _describe_error(Unexpected(f"{name_of_error}: {error}"))


def _describe_error(error: CompanionError) -> Outcome:
    outcome = SKIPPED if error.exit_code == TRY_LATER else FAILED
    words = str(error)
    sentence = words[:1].upper() + words[1:]
    if not sentence.endswith("."):
        sentence += "."
    return Outcome(outcome, sentence, None, error)


def _adopt(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    if not limits.takes_edits:
        return Outcome(
            SKIPPED, "Your settings leave your edits to `companion adopt`."
        )
    from companion.adoption.run import adopt

    doc = adopt(ws, progress=watch)
    changed = sum(
        len(doc[kind]) for kind in ("new", "edited", "renamed", "deleted")
    )
    if not changed:
        return _finish(doc, "No page was changed by hand.")
    return _finish(doc, f"Took in {many(changed, 'page')} that you changed.")


def _consolidate(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    from companion.operations.consolidate.run import consolidate

    doc = consolidate(
        ws, progress=watch, allowance=limits.allowance, most=limits.most
    )
    notes = len(doc["integrated"])
    pages = len({item["entry"] for item in doc["integrated"]})
    if notes:
        words = f"{many(notes, 'note')} became part of {many(pages, 'page')}."
    else:
        words = "No new note could become part of a page."
        if not doc["waiting"]:
            words = "There was no new note."
    if doc["waiting"]:
        count = len(doc["waiting"])
        words += f" {many(count, 'note')} {'wait' if count > 1 else 'waits'}."
    return _finish(doc, words)


def _decay(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    from companion.operations.decay.run import decay

    doc = decay(ws, progress=watch)
    parts = []
    for key in ("decaying", "compressed", "archived", "restored"):
        count = len(doc[key])
        if count:
            verb = (
                "began to fade"
                if key == "decaying"
                else f"{_WERE[count > 1]} {key}"
            )
            parts.append(f"{many(count, 'page')} {verb}")
    return _finish(doc, (", ".join(parts) or "No page faded") + ".")


_WERE = {False: "was", True: "were"}


def _audit(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    from companion.operations.audit.run import audit

    doc = audit(ws, progress=watch, allowance=limits.allowance)
    if not doc["audited"]:
        return _finish(doc, "No page was due to be tested.")
    return _finish(doc, f"Tested {many(len(doc['audited']), 'page')}.")


def _settle(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    from companion.operations.audit.settle import settle

    doc = settle(ws, progress=watch)
    if not doc["settled"]:
        return _finish(doc, "No test had a consequence.")
    kinds = Counter(item["what"] for item in doc["settled"])
    listed = ", ".join(
        f"{count} {kind}" for kind, count in sorted(kinds.items())
    )
    return _finish(doc, f"Drew the consequences of tests: {listed}.")


def _contextualize(ws: Workspace, watch: Watching, limits: Limits) -> Outcome:
    from companion.operations.contextualize.run import contextualize

    doc = contextualize(
        ws,
        is_over=watch.is_over,
        progress=watch,
        allowance=limits.allowance,
    )
    parts = []
    if doc["sources"]:
        parts.append(f"Read {many(len(doc['sources']), 'source')}.")
    if doc["unread"]:
        parts.append(f"{many(len(doc['unread']), 'source')} could not be read.")
    if doc["locked"]:
        locked = many(len(doc["locked"]), "source")
        parts.append(f"Kept back {locked} with a secret: `companion review`.")
    if doc["passed_over"]:
        files = many(len(doc["passed_over"]), "file")
        parts.append(f"Passed over {files} with nothing of their own.")
    if doc["left"]:
        parts.append(f"{many(doc['left'], 'source')} left for the next night.")
    return _finish(doc, " ".join(parts) or "No source waited.")


def _finish(doc: Report, words: str) -> Outcome:
    run = doc["run"]
    return Outcome(DONE if run else NOTHING, words, run)


_STEPS: Mapping[str, Callable[[Workspace, Watching, Limits], Outcome]] = {
    rhythm.ADOPT: _adopt,
    rhythm.CONTEXTUALIZE: _contextualize,
    rhythm.CONSOLIDATE: _consolidate,
    rhythm.DECAY: _decay,
    rhythm.AUDIT: _audit,
    rhythm.SETTLE: _settle,
}
