"""How often each kind of work is due, by the person's own rhythm (pure; MaM §10.1)."""

from typing import NamedTuple

from companion.sleep.decision.state import State

DAY = 24 * 60.0

ADOPT = "adopt"
CONTEXTUALIZE = "contextualize"
CONSOLIDATE = "consolidate"
DECAY = "decay"
AUDIT = "audit"
SETTLE = "settle"
#: the steps of the deepest night, in their order
ALL_STEPS = (ADOPT, CONTEXTUALIZE, CONSOLIDATE, DECAY, AUDIT, SETTLE)

NAP = "nap"  # DECAY alone
SLICE = "slice"  # part of an overdue night, in a break
NIGHT = "night"
DEEP = "deep"  # a night with AUDIT


class Rules(NamedTuple):
    """The thresholds; docs/concepts/sleep.md explains each."""

    quiet: float = 30.0  # minutes without interaction before a night
    quiet_eager: float = 15.0  # once the best window was missed
    quiet_least: float = 5.0  # for what is overdue, or a full buffer
    margin: float = 10.0  # minutes between a night's end and the session
    busy: float = 0.7  # load from which a night waits
    hot: float = 0.9  # heat from which a night waits
    floor: float = 0.3  # of the battery, at the night's predicted end
    floor_asked: float = 0.1  # where a person asked for the night
    reserve: float = 0.2  # above the floor, on battery, before it is overdue
    drain: float = 0.3  # share of a battery that an hour of work is taken for
    room: int = 256 << 20  # bytes that must be free
    full_captures: int = 200  # captures that fill the buffer
    full_originals: int = 50
    notes_a_night: float = 4.0  # how many notes make a night worth while
    shortest: float = DAY / 2  # between two nights of a dense user
    longest: float = 2 * DAY  # between two nights of a sparse user
    overdue: float = 4 * DAY  # age of a waiting note
    pressing: float = 6 * DAY  # … from which a slice finishes beside the person
    retry: float = 30.0  # minutes after a night that failed, doubled each time
    patience: float = DAY / 2  # … up to this
    idle_wiki: float = 5 * DAY  # between nights where nothing waits
    audit: float = 30 * DAY  # between audits
    late: float = (
        2.0  # times that: a slice does not wait longer for a whole night
    )
    audit_queue: float = DAY  # … where something asks for one


RULES = Rules()


def night_interval(state: State, rules: Rules = RULES) -> float:
    """Return the minutes between two nights of this person.

    Somebody who writes much sleeps twice a day, somebody who writes little every other day, so that
    notes meet others of their kind in one night (MaM §10.1).
    """
    daily = max(state.person.notes_a_day, 1e-6)
    wanted = DAY * rules.notes_a_night / daily
    return min(max(wanted, rules.shortest), rules.longest)


def decay_interval(state: State, rules: Rules = RULES) -> float:
    """Return the minutes between two runs of DECAY: half of a night's, at most a day (DEC-5)."""
    return min(night_interval(state, rules) / 2, DAY)


def is_full(state: State, rules: Rules = RULES) -> bool:
    """Tell whether the buffer is so full that it wakes a night (SCH-3)."""
    waiting = state.waiting
    if waiting.captures >= rules.full_captures:
        return True
    return waiting.originals >= rules.full_originals


def is_overdue(state: State, rules: Rules = RULES) -> bool:
    """Tell whether something waits so long that five quiet minutes must do."""
    return state.waiting.oldest >= rules.overdue


def is_pressing(state: State, rules: Rules = RULES) -> bool:
    """Tell whether something waits so long that its slice no longer yields for five minutes."""
    return state.waiting.oldest >= rules.pressing


def choose_steps(
    state: State, *, asked: bool = False, rules: Rules = RULES
) -> tuple[str, ...]:
    """Return the steps that are due, in their order; none where nothing is."""
    steps: list[str] = []
    if asked or is_night_due(state, rules):
        steps += [ADOPT, CONTEXTUALIZE, CONSOLIDATE]
    if steps or _is_due(state.past.decay, decay_interval(state, rules)):
        steps.append(DECAY)
    if CONSOLIDATE in steps:
        interval = rules.audit_queue if state.waiting.to_audit else rules.audit
        if _is_due(state.past.audit, interval):
            steps += [AUDIT, SETTLE]
        elif state.waiting.to_settle:
            steps.append(SETTLE)
    return tuple(steps)


def is_night_due(state: State, rules: Rules = RULES) -> bool:
    """Tell whether a whole night is due, whatever the conditions are."""
    if is_full(state, rules) or is_overdue(state, rules):
        return True
    known = state.waiting.captures or state.waiting.originals
    if not (known or state.shares):
        return _is_due(state.past.night, rules.idle_wiki)
    return _is_due(state.past.night, night_interval(state, rules))


def is_eager(state: State, rules: Rules) -> bool:
    """Tell whether the best window was missed: what waits is older than one and a half intervals.

    That is also so where the buffer is full, and where the last night is very long ago.
    """
    if is_full(state, rules):
        return True
    limit = 1.5 * night_interval(state, rules)
    if state.waiting.oldest >= min(limit, rules.overdue):
        return True
    night = state.past.night
    return night is not None and night >= 1.5 * rules.idle_wiki


def _is_due(age: float | None, interval: float) -> bool:
    return age is None or age >= interval
