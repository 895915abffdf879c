"""One wake: look at the conditions, decide, and sleep: each step a run of its own (SCH-1 to 3)."""

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion import config
from companion.runs.packs import unite_packs
from companion.sleep import nights, steps
from companion.sleep.decision import rhythm
from companion.sleep.decision.policy import Decision, decide
from companion.sleep.decision.stop import Stop
from companion.sleep.gather import Situation, gather_state, to_local
from companion.sleep.machine import wakes
from companion.sleep.machine.readings import open_body
from companion.sleep.nights import NightRecord, StepRecord, local_time
from companion.sleep.report import find_end, report_night
from companion.sleep.safe_points import Readings, Watch, Woken, require_wiki
from companion.sleep.share_nights import Exchange, fetch, find_leaseholder
from companion.sleep.steps import Limits, Outcome, run_step
from companion.sleep.words import describe_decision
from companion.storage.files import durable, lock
from companion.storage.git.repo import Repo
from companion.values.allowance import Allowance
from companion.values.progress import SILENT, Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.sleep.results import SleepResult

#: the lock of a whole night; each step takes the wiki's own lock besides
LOCK = "night.lock"
FETCH = "fetch"
#: minutes that an overdue wake waits for quiet ones, and between two looks
LINGER = 18.0
LOOK = 1.0


class Order(NamedTuple):
    """The order of the person or of the timer."""

    asked: bool = False  # a person's word: only physics outranks it
    dry_run: bool = False
    unattended: bool = False  # called by a timer: remember the wake
    max_minutes: float | None = None
    max_calls: int | None = None


def keep_silent(line: str) -> None:
    """Tell nobody how the night goes."""


class Done(NamedTuple):
    """The steps that a night took, and why it stopped."""

    steps: list[tuple[StepRecord, int]]  # each with its exit code
    stop: Stop | None


def sleep(
    ws: Workspace,
    order: Order = Order(),  # noqa: B008 - it is immutable
    *,
    exchange: Exchange | None = None,
    readings: Readings | None = None,
    progress: Progress = SILENT,
    tell: Callable[[str], None] = keep_silent,
    pause: Callable[[float], None] = time.sleep,
) -> "SleepResult":
    """Sleep if this is a good time, and say why or why not.

    *exchange* brings notes together with a remote. An overdue wiki waits here for a quiet minute,
    by *pause*. *tell* hears a line when the night begins, and after each step. Raises Busy where
    another night is at work, WikiGone where the wiki went away.
    """
    body = readings or open_body(ws)
    if order.dry_run:
        situation = gather_state(ws, body.read())
        decision = decide(situation.state, asked=order.asked)
        return report_night(situation, decision, dry_run=True)
    durable.make_dirs(ws.place.state, mode=0o700)
    _await_quiet(ws, order, body, pause)
    with lock.lock_file(os.path.join(ws.place.state, LOCK), "a night"):
        situation = gather_state(ws, body.read())
        decision = _shorten(situation, order)
        holder = None
        if decision.sleep and decision.fetches and not order.asked:
            holder = find_leaseholder(ws, situation)
        if holder is not None:
            state = situation.state._replace(leased_to=holder.words)
            situation = situation._replace(state=state)
            decision = _shorten(situation, order)
            if holder.is_news:
                fetch(ws, exchange)
        if not decision.sleep:
            return _wait(ws, order, situation, decision)
        watch = _make_watch(ws, order, body, progress, situation, decision)
        return _sleep(ws, order, situation, watch, exchange, tell)


def _await_quiet(
    ws: Workspace,
    order: Order,
    body: Readings,
    pause: Callable[[float], None],
) -> None:
    """Remember this wake; where something is overdue, look each minute until the next one.

    No lock is held meanwhile: a person's word need not wait for it.
    """
    if not order.unattended:
        return
    left = LINGER
    situation = gather_state(ws, body.read())
    _remember_wake(ws, situation)
    while decide(situation.state).lingers and left > 0:
        pause(LOOK * 60)
        left -= LOOK
        situation = gather_state(ws, body.read())


def _shorten(situation: Situation, order: Order) -> Decision:
    """Return the decision within the minutes that were ordered: shorter than a night, a slice."""
    decision = decide(situation.state, asked=order.asked)
    if order.max_minutes is None or not decision.sleep:
        return decision
    limits = [order.max_minutes]
    if decision.minutes is not None:
        limits.append(decision.minutes)
    decision = decision._replace(minutes=min(limits))
    if min(limits) < situation.state.past.lasts:
        return decision._replace(depth=rhythm.SLICE)
    return decision


def _remember_wake(ws: Workspace, situation: Situation) -> None:
    local = to_local(situation.at, situation.offset)
    body = situation.state.body
    known = wakes.read_wakes(ws.place)
    added = wakes.add_wake(known, body, situation.at, local)
    wakes.write_wakes(ws.place, added)


def _wait(
    ws: Workspace, order: Order, situation: Situation, decision: Decision
) -> "SleepResult":
    if order.unattended:
        at = local_time(situation.at)
        words = describe_decision(decision, situation)
        record = NightRecord(
            at, at, nights.WAITED, "", words, decision.kind, None, ()
        )
        nights.write_record(ws.place, record)
    return report_night(situation, decision, outcome=nights.WAITED)


def _make_watch(
    ws: Workspace,
    order: Order,
    body: Readings,
    progress: Progress,
    situation: Situation,
    decision: Decision,
) -> Watch:
    begun = situation.state.body
    return Watch(ws, body, progress, decision, begun, asked=order.asked)


def _sleep(
    ws: Workspace,
    order: Order,
    situation: Situation,
    watch: Watch,
    exchange: Exchange | None,
    tell: Callable[[str], None],
) -> "SleepResult":
    started = local_time(ws.now())
    decision = watch.decision
    records = _Steps(tell)
    tell(f"asleep: {decision.why}")
    try:
        stop = _run_steps(ws, order, watch, exchange, records)
    except (KeyboardInterrupt, SystemExit):
        stop = Stop("interrupted", "It was interrupted.")
        _record(ws, situation, decision, started, Done(records, stop))
        raise
    # what failed last may have failed for that
    require_wiki(ws.place)
    done = Done(records, stop)
    if stop is None:
        unite_packs(ws)
    _remember_night(ws, situation, decision, done)
    outcome = _record(ws, situation, decision, started, done)
    return report_night(
        situation,
        decision,
        outcome=outcome,
        done=done.steps,
        stop=done.stop,
        started=started,
        ended=local_time(ws.now()),
    )


def _run_steps(
    ws: Workspace,
    order: Order,
    watch: Watch,
    exchange: Exchange | None,
    done: "_Steps",
) -> Stop | None:
    """Run the steps one after another, and add each to *done*; return why they ended early.

    One that fails does not keep the later ones from running.
    """
    decision = watch.decision
    if decision.fetches and rhythm.CONSOLIDATE in decision.steps:
        begun = time.monotonic()
        fetched = fetch(ws, exchange)
        if fetched is not None:
            done.add(FETCH, fetched, begun)
        watch.forget_use()
    limits = _make_limits(ws, order, decision)
    for name in decision.steps:
        begun = time.monotonic()
        try:
            watch.check()
            outcome = run_step(name, ws, watch, limits)
        except Woken as woken:
            outcome = Outcome(steps.ABORTED, woken.stop.why)
            done.add(name, outcome, begun)
            return woken.stop
        done.add(name, outcome, begun)
        if name == rhythm.CONTEXTUALIZE:
            watch.forget_use()
    return None


class _Steps(list[tuple[StepRecord, int]]):
    """The steps that a night took, each told as soon as it is over."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def add(self, name: str, outcome: Outcome, begun: float) -> None:
        """Add the step *name*, which *begun* at that monotonic time."""
        record, code = _make_record(name, outcome, begun)
        self.append((record, code))
        self._tell(f"{name}: {record.words} ({record.seconds:.1f} s)")


def _make_limits(ws: Workspace, order: Order, decision: Decision) -> Limits:
    most = None
    if decision.depth == rhythm.SLICE and decision.minutes is not None:
        pace = wakes.read_wakes(ws.place).pace
        most = max(1, int(decision.minutes * pace))
    max_calls = order.max_calls
    if not decision.asks_far_model:
        max_calls = 0
    return Limits(most, Allowance(max_calls), _may_adopt(ws))


def _may_adopt(ws: Workspace) -> bool:
    """Tell whether the settings let a night take in what the person edited."""
    repo = Repo(ws.place)
    blob = repo.subtree(repo.wiki_tree(repo.tip()), config.PATH)
    if blob is None:
        return True
    return config.parse(repo.blob(blob)).adopt != "ask"


def _make_record(
    name: str, outcome: Outcome, begun: float
) -> tuple[StepRecord, int]:
    seconds = round(time.monotonic() - begun, 3)
    record = StepRecord(
        name, outcome.outcome, seconds, outcome.run, outcome.words
    )
    code = 0
    if outcome.outcome == steps.FAILED and outcome.error is not None:
        code = outcome.error.exit_code
    return record, code


def _remember_night(
    ws: Workspace, situation: Situation, decision: Decision, done: Done
) -> None:
    """Remember which captures a whole night has looked at: what it left waits for no other one.

    Of a slice, remember whether it took in too much.
    """
    if decision.depth == rhythm.SLICE:
        _learn_pace(ws, done)
        return
    looked = [
        record
        for record, _ in done.steps
        if record.name == rhythm.CONSOLIDATE
        and record.outcome in (steps.DONE, steps.NOTHING)
    ]
    if looked:
        known = wakes.read_wakes(ws.place)
        seen = max(known.seen, situation.backlog.newest)
        wakes.write_wakes(ws.place, known._replace(seen=seen))


def _learn_pace(ws: Workspace, done: Done) -> None:
    for record, _ in done.steps:
        if record.name == rhythm.CONSOLIDATE:
            known = wakes.read_wakes(ws.place)
            is_done = record.outcome != steps.ABORTED
            pace = wakes.adapt_pace(known.pace, is_done=is_done)
            wakes.write_wakes(ws.place, known._replace(pace=pace))


def _record(
    ws: Workspace,
    situation: Situation,
    decision: Decision,
    started: str,
    done: Done,
) -> str:
    """Write the night into the log of nights; return how it ended."""
    failed = any(code for _, code in done.steps)
    outcome = nights.SLEPT
    kind, why = decision.kind, decision.why
    if done.stop is not None:
        outcome = nights.ABORTED
        kind, why = done.stop.kind, f"{why} {done.stop.why}"
    if failed:
        outcome = nights.FAILED
    record = NightRecord(
        started=started,
        ended=local_time(ws.now()),
        outcome=outcome,
        depth=decision.depth,
        why=why,
        kind=kind,
        done_by=find_end(situation, decision),
        steps=tuple(record for record, _ in done.steps),
    )
    nights.write_record(ws.place, record)
    return outcome
