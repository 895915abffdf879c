"""Make the document of a night."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from companion.sleep import nights
from companion.sleep.decision.policy import Decision
from companion.sleep.decision.stop import Stop
from companion.sleep.gather import Situation
from companion.sleep.nights import StepRecord, local_time
from companion.sleep.words import describe_decision, describe_vector

if TYPE_CHECKING:
    from companion.sleep.results import (
        DecisionResult,
        SleepResult,
        VectorResult,
    )


def report_night(
    situation: Situation,
    decision: Decision,
    *,
    outcome: str = nights.WAITED,
    done: Sequence[tuple[StepRecord, int]] = (),
    stop: Stop | None = None,
    started: str | None = None,
    ended: str | None = None,
    dry_run: bool = False,
) -> "SleepResult":
    """Return what a wake did, or would do."""
    at = local_time(situation.at)
    codes = [code for _, code in done if code]
    return {
        "decision": _report_decision(situation, decision, dry_run=dry_run),
        "vector": _report_vector(situation),
        "words": [list(pair) for pair in describe_vector(situation)],
        "outcome": outcome,
        "steps": [
            {**record._asdict(), "exit_code": code}  # type: ignore[typeddict-item]
            for record, code in done
        ],
        "stopped": None if stop is None else stop.why,
        "started": started or at,
        "ended": ended or at,
        "exit_code": codes[0] if codes else 0,
        "dry_run": dry_run,
    }


def _report_decision(
    situation: Situation, decision: Decision, *, dry_run: bool
) -> "DecisionResult":
    return {
        "sleep": decision.sleep,
        "kind": decision.kind,
        "why": decision.why,
        "words": describe_decision(decision, situation, dry_run=dry_run),
        "depth": decision.depth,
        "steps": list(decision.steps),
        "minutes": decision.minutes,
        "begins_at": _later(situation, decision.begins),
        "done_by": find_end(situation, decision),
    }


def find_end(situation: Situation, decision: Decision) -> str | None:
    """Return by when the night means to be done; None where it does not sleep."""
    lasts = situation.state.past.lasts
    if decision.sleep:
        limit = decision.minutes
        return _later(situation, lasts if limit is None else min(limit, lasts))
    if decision.begins is None:
        return None
    return _later(situation, decision.begins + lasts)


def _later(situation: Situation, minutes: float | None) -> str | None:
    if minutes is None:
        return None
    from datetime import datetime

    moment = datetime.fromisoformat(situation.at) + timedelta(minutes=minutes)
    return local_time(moment.isoformat())


def _report_vector(situation: Situation) -> "VectorResult":
    state = situation.state
    body: Any = state.body._asdict()
    body["missing"] = list(state.body.missing)
    return {
        "body": body,
        "waiting": state.waiting._asdict(),
        "past": state.past._asdict(),
        "person": state.person._asdict(),
        "asks_far_model": state.asks_far_model,
        "shares": state.shares,
        "leased_to": state.leased_to,
    }
