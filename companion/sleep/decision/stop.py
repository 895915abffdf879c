"""Decide, while a night runs, whether conditions have changed so that it must end (pure).

A night asks at its safe points, between which nothing is half done. What it stops goes on next
time.
"""

from typing import NamedTuple

from companion.sleep.decision.policy import Decision
from companion.sleep.decision.rhythm import RULES, Rules
from companion.sleep.decision.state import Body

#: share of the room for a night that must still be free while it runs
_ROOM_LEFT = 0.25
#: by how much hotter than at its beginning the machine may become: the night warms it, too
_WARMER = 0.08


class Now(NamedTuple):
    """The machine and the clock, as a running night sees them at a safe point."""

    body: Body
    elapsed: float  # minutes since it began
    # whether somebody used the wiki since it began
    is_used: bool


class Stop(NamedTuple):
    """Why a night ends before it is done."""

    kind: str
    why: str  # a plain sentence


def find_stop(
    decision: Decision,
    begun: Body,
    now: Now,
    *,
    asked: bool = False,
    rules: Rules = RULES,
) -> Stop | None:
    """Return why a night that began under *begun* by *decision* must end; None: it goes on.

    A night that a person asked for goes on while they work; only physics and its time end it.
    """
    physical = _find_physics(now.body, asked=asked, rules=rules)
    if physical is not None:
        return physical
    if decision.minutes is not None and now.elapsed >= decision.minutes:
        return Stop("time is up", "Its time was up.")
    if asked:
        return None
    if begun.on_mains is not False and now.body.on_mains is False:
        return Stop("unplugged", "The machine was unplugged.")
    if (now.body.heat or 0.0) >= rules.hot + _WARMER:
        return Stop("hot", "The machine became hot.")
    return _find_person(decision, now, rules)


def _find_physics(body: Body, *, asked: bool, rules: Rules) -> Stop | None:
    if body.free is not None and body.free < rules.room * _ROOM_LEFT:
        return Stop("disk full", "The disk became full.")
    floor = rules.floor_asked if asked else rules.floor
    drains = body.on_mains is False or (body.drain or 0.0) > 0
    if body.battery is not None and drains and body.battery <= floor:
        return Stop("battery low", f"The battery fell to {body.battery:.0%}.")
    return None


def _find_person(decision: Decision, now: Now, rules: Rules) -> Stop | None:
    """Return that the person came back; what presses does its five minutes all the same.

    Captures and reads never wait for it, and without that a night might never end.
    """
    if decision.persists and now.elapsed < rules.quiet_least:
        return None
    if now.is_used:
        return Stop("in use", "You came back.")
    if now.body.idle is not None and now.body.idle < now.elapsed:
        return Stop("keyboard in use", "Somebody came back to the keyboard.")
    return None
