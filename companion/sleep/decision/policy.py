"""Decide from the state vector whether to sleep now, how deep, and by when to be done.

Pure: no clock, no machine. `decide` gives the reason with every decision. MaM §6.1 asks for
anticipation rather than a timer; the conditions follow Bonawitz et al., arXiv:1902.01046 (idle,
charging, unmetered, with abort when they change).
"""

from typing import NamedTuple

from companion.sleep.decision.rhythm import (
    AUDIT,
    CONSOLIDATE,
    DAY,
    DECAY,
    DEEP,
    NAP,
    NIGHT,
    RULES,
    SLICE,
    Rules,
    choose_steps,
    is_eager,
    is_full,
    is_overdue,
    is_pressing,
    night_interval,
)
from companion.sleep.decision.state import Body, State
from companion.values.wording import many


class Decision(NamedTuple):
    """Whether to sleep now, and why."""

    sleep: bool
    kind: str  # the reason's name, the same for like decisions
    why: str  # the reason, in plain sentences
    depth: str = ""  # nap | slice | night | deep
    steps: tuple[str, ...] = ()
    minutes: float | None = None  # that it may take; None: as long as it needs
    asks_far_model: bool = True  # a model on another machine may be asked
    fetches: bool = True  # the network may be used
    begins: float | None = None  # where it waits for a time: minutes until then
    lingers: bool = False  # overdue: look again each minute for a quiet one
    persists: bool = False  # it goes on for five minutes when the person comes


def decide(
    state: State, *, asked: bool = False, rules: Rules = RULES
) -> Decision:
    """Return whether to sleep now; *asked* is a person's word, which only physics outranks."""
    steps = choose_steps(state, asked=asked, rules=rules)
    obstacle = _find_physical_obstacle(state, steps, asked=asked, rules=rules)
    if obstacle is not None:
        return obstacle
    if asked:
        limit = _battery_minutes(state.body, rules.floor_asked, rules)
        return _sleep(state, steps, "asked", "You asked for it.", limit)
    if not steps:
        return _wait("nothing due", _explain_nothing_due(state, rules))
    is_late = is_overdue(state, rules)
    if state.leased_to is not None and not is_late:
        words = f"Tonight's work is done by {state.leased_to}, which holds the lease."
        return _wait("leased", words)
    disturbance = _find_disturbance(state, steps, rules)
    if disturbance is not None:
        return disturbance._replace(lingers=is_late)
    planned = None
    if not (is_late or is_full(state, rules) or is_eager(state, rules)):
        planned = _wait_for_window(state)
    return planned or _fit(state, steps, rules)


def battery_at_end(
    body: Body, minutes: float, rules: Rules = RULES
) -> float | None:
    """Return the share of the battery left after *minutes* of work; None where it does not drain.

    On mains a battery drains only where the charger gives less than the machine takes.
    """
    drain = _expected_drain(body, rules)
    if body.battery is None or drain is None:
        return None
    return body.battery - drain * minutes / 60


def _expected_drain(body: Body, rules: Rules) -> float | None:
    """Return the share of the battery that an hour of work takes; None where it takes nothing."""
    drain = body.drain or 0.0
    if body.on_mains is False:
        return max(drain, rules.drain)
    return drain if drain > 0.001 else None


# -- what keeps from sleeping ----------------------------------------------------------------------


def _find_physical_obstacle(
    state: State, steps: tuple[str, ...], *, asked: bool, rules: Rules
) -> Decision | None:
    body = state.body
    if body.free is not None and body.free < rules.room:
        free, room = body.free >> 20, rules.room >> 20
        words = f"The disk has {free:,} MB left; a night needs {room:,} MB."
        return _wait("disk full", words)
    floor = rules.floor_asked if asked else rules.floor
    minutes = _least_minutes(state, steps, rules)
    left = battery_at_end(body, minutes, rules)
    if left is not None and left < floor:
        words = (
            f"The battery would be at {max(left, 0):.0%} afterwards, below"
            f" {floor:.0%}."
        )
        return _wait("battery low", words)
    return None


def _find_disturbance(
    state: State, steps: tuple[str, ...], rules: Rules
) -> Decision | None:
    """Return why a night would disturb the person or the machine now."""
    overdue = is_overdue(state, rules)
    return (
        _find_person(state, rules)
        or _find_failures(state, rules)
        or _find_heat(state.body, rules)
        or (None if overdue else _find_load(state.body, rules))
        or (None if overdue else _find_battery(state, steps, rules))
    )


def _find_person(state: State, rules: Rules) -> Decision | None:
    needed = _quiet_needed(state, rules)
    quiet = state.person.quiet
    if quiet is not None and quiet < needed:
        words = (
            f"You used it {_minutes(quiet)} ago; it waits for"
            f" {needed:.0f} quiet minutes."
        )
        return _wait("in use", words)
    idle = state.body.idle
    if idle is not None and idle < min(needed, rules.quiet_eager):
        words = f"Somebody was at the keyboard {_minutes(idle)} ago."
        return _wait("keyboard in use", words)
    return None


def _find_failures(state: State, rules: Rules) -> Decision | None:
    """Let a night that failed be tried again later, each time after twice as long."""
    past = state.past
    if past.failed is None or not past.failures:
        return None
    pause = min(rules.retry * 2.0 ** min(past.failures - 1, 10), rules.patience)
    if past.failed >= pause:
        return None
    words = (
        f"The last night failed {_minutes(past.failed)} ago; it is tried again"
        f" {_hours(pause)} after that."
    )
    return _wait("failed lately", words)


def _find_heat(body: Body, rules: Rules) -> Decision | None:
    if body.heat is None or body.heat < rules.hot:
        return None
    words = f"The machine is hot ({body.heat:.0%} of its limit)."
    return _wait("hot", words)


def _find_load(body: Body, rules: Rules) -> Decision | None:
    if body.load is None or body.load < rules.busy:
        return None
    # more work may wait than there are cores for it
    share = min(body.load, 1.0)
    words = f"The processor is busy with other work ({share:.0%})."
    return _wait("busy", words)


def _find_battery(
    state: State, steps: tuple[str, ...], rules: Rules
) -> Decision | None:
    if state.body.on_mains is not False:
        return None
    if not is_eager(state, rules):
        return _wait(
            "on battery", "The machine runs on its battery; it waits for mains."
        )
    minutes = _expected_minutes(state, steps, rules)
    left = battery_at_end(state.body, minutes, rules)
    if left is not None and left < rules.floor + rules.reserve:
        words = (
            "The machine runs on its battery, which would be at"
            f" {max(left, 0):.0%} when it is done."
        )
        return _wait("on battery", words)
    return None


def _quiet_needed(state: State, rules: Rules) -> float:
    if is_overdue(state, rules) or is_full(state, rules):
        return rules.quiet_least
    return rules.quiet_eager if is_eager(state, rules) else rules.quiet


def _wait_for_window(state: State) -> Decision | None:
    window = state.person.window
    if window is None or window <= 0:
        return None
    words = "It waits for the time in which it disturbs least."
    return _wait("planned", words)._replace(begins=window)


# -- how deep --------------------------------------------------------------------------------------


def _fit(state: State, steps: tuple[str, ...], rules: Rules) -> Decision:
    """Return the deepest sleep for which there is time before the next session."""
    minutes = _expected_minutes(state, steps, rules)
    limit = _time_left(state, rules)
    kind, why = _explain_sleep(state, steps, rules)
    if limit is None or limit >= minutes:
        return _sleep(state, steps, kind, why, limit)
    if is_overdue(state, rules) or is_full(state, rules):
        # whoever usually works at this hour is quiet just now
        limit = max(limit, rules.quiet_least)
        return _slice(state, steps, kind, why, limit, rules)
    if is_eager(state, rules):
        if state.person.next_session == 0 and _has_power(state, rules):
            # somebody who is always here at this hour, and is quiet just now
            limit = rules.quiet_least
        if limit >= rules.quiet_least:
            return _slice(state, steps, kind, why, limit, rules)
    return _wait("session near", _explain_session(state, minutes))


def _time_left(state: State, rules: Rules) -> float | None:
    """Return the minutes until the next session or the battery's floor; None: no end is known."""
    limits: list[float] = []
    if state.person.next_session is not None:
        limits.append(state.person.next_session - rules.margin)
    lasts = _battery_minutes(state.body, rules.floor, rules)
    if lasts is not None:
        limits.append(lasts)
    return min(limits, default=None)


def _has_power(state: State, rules: Rules) -> bool:
    """Tell whether the battery lasts for the shortest slice."""
    lasts = _battery_minutes(state.body, rules.floor, rules)
    return lasts is None or lasts >= rules.quiet_least


def _battery_minutes(body: Body, floor: float, rules: Rules) -> float | None:
    """Return the minutes of work until the battery is at *floor*; None where it does not drain."""
    drain = _expected_drain(body, rules)
    if body.battery is None or drain is None:
        return None
    return max(0.0, (body.battery - floor) / drain * 60)


def _explain_session(state: State, minutes: float) -> str:
    ahead = state.person.next_session
    if not ahead:
        return "You usually work at this hour."
    return (
        f"A night takes about {_minutes(minutes)}, and you usually begin in"
        f" {_minutes(ahead)}."
    )


def _sleep(
    state: State,
    steps: tuple[str, ...],
    kind: str,
    why: str,
    limit: float | None,
) -> Decision:
    depth = NIGHT if CONSOLIDATE in steps else NAP
    if AUDIT in steps:
        depth = DEEP
    metered = state.body.metered is True
    return Decision(
        sleep=True,
        kind=kind,
        why=why,
        depth=depth,
        steps=steps,
        minutes=limit,
        asks_far_model=not (metered and state.asks_far_model),
        fetches=not metered,
    )


def _slice(
    state: State,
    steps: tuple[str, ...],
    kind: str,
    why: str,
    limit: float,
    rules: Rules,
) -> Decision:
    audited = state.past.audit
    if audited is not None and audited < rules.late * rules.audit:
        # what takes longest waits for a whole night, if there is one in time
        steps = tuple(step for step in steps if step != AUDIT)
    whole = _sleep(state, steps, kind, why, limit)
    return whole._replace(depth=SLICE, persists=is_pressing(state, rules))


def _explain_sleep(
    state: State, steps: tuple[str, ...], rules: Rules
) -> tuple[str, str]:
    if is_overdue(state, rules):
        days = state.waiting.oldest / DAY
        return "overdue", f"Notes have waited for {days:.0f} days."
    if is_full(state, rules):
        return "buffer full", f"{_tell_waiting(state)}."
    if CONSOLIDATE not in steps:
        return "decay due", "Only the fading of unused pages is due."
    if state.waiting.captures or state.waiting.originals:
        if state.person.window == 0:
            why = f"{_tell_waiting(state)}, and this is a quiet time."
        else:
            why = f"{_tell_waiting(state)}, and nobody is here."
        return "due", why
    return "due", "The last night was long ago."


def _explain_nothing_due(state: State, rules: Rules) -> str:
    if not (state.waiting.captures or state.waiting.originals):
        return "Nothing waits for a night."
    left = night_interval(state, rules) - (state.past.night or 0.0)
    return f"{_tell_waiting(state)}; the next night is due in {_hours(left)}."


def _tell_waiting(state: State) -> str:
    """Return what waits, e.g. `1 note waits`."""
    waiting = state.waiting
    parts = []
    if waiting.captures:
        parts.append(many(waiting.captures, "note"))
    if waiting.originals:
        parts.append(many(waiting.originals, "source"))
    verb = "waits" if waiting.captures + waiting.originals == 1 else "wait"
    return f"{' and '.join(parts)} {verb}"


# -- measures --------------------------------------------------------------------------------------


def _expected_minutes(
    state: State, steps: tuple[str, ...], rules: Rules
) -> float:
    """Return how long *steps* are expected to take."""
    if not steps or steps == (DECAY,):
        return rules.quiet_least
    return max(state.past.lasts, 1.0)


def _least_minutes(state: State, steps: tuple[str, ...], rules: Rules) -> float:
    """Return how long the least that would be done takes: an overdue night runs in slices."""
    if is_overdue(state, rules) or is_full(state, rules):
        return rules.quiet_least
    return _expected_minutes(state, steps, rules)


def _wait(kind: str, why: str) -> Decision:
    return Decision(sleep=False, kind=kind, why=why)


def _minutes(minutes: float) -> str:
    if minutes < 1:
        return "less than a minute"
    return many(round(minutes), "minute")


def _hours(minutes: float) -> str:
    if minutes < 60:
        return _minutes(minutes)
    return many(round(minutes / 60), "hour")
