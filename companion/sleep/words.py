"""Say the state vector and the decision in plain sentences, with times of this machine's clock."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from companion.sleep.decision import rhythm
from companion.sleep.decision.histogram import FREE, HOURS, USUAL
from companion.sleep.decision.policy import Decision
from companion.sleep.decision.rhythm import (
    RULES,
    decay_interval,
    night_interval,
)
from companion.sleep.decision.state import Body, Waiting
from companion.sleep.gather import Situation, to_local
from companion.sleep.nights import AWAKE
from companion.values.wording import list_words, many

#: what each step of a night is for
_PURPOSES = {
    rhythm.ADOPT: "take in your edits",
    rhythm.CONTEXTUALIZE: "read sources",
    rhythm.CONSOLIDATE: "turn notes into pages",
    rhythm.DECAY: "let unused pages fade",
    rhythm.AUDIT: "test important pages",
    rhythm.SETTLE: "act on what tests found",
}


def describe_decision(
    decision: Decision, situation: Situation, *, dry_run: bool = False
) -> str:
    """Return the decision in words, e.g. `04:45, done by 05:10; you usually begin at 08:00.`"""
    local = to_local(situation.at, situation.offset)
    lasts = situation.state.past.lasts
    if decision.sleep:
        sleeps = "would sleep" if dry_run else "sleeps"
        words = f"It {sleeps} now. {decision.why}"
        if decision.minutes is not None:
            ends = local + timedelta(minutes=min(decision.minutes, lasts))
            words += f" It means to be done by {_clock(ends)}."
        if dry_run:
            purposes = [_PURPOSES[step] for step in decision.steps]
            words += f" It would {list_words(purposes)}."
    elif decision.begins is not None:
        begins = local + timedelta(minutes=decision.begins)
        ends = begins + timedelta(minutes=lasts)
        words = f"It sleeps at {_clock(begins)}, and will be done by {_clock(ends)}."
    else:
        words = f"{AWAKE} {decision.why}"
    ahead = situation.state.person.next_session
    if ahead:
        usual = local + timedelta(minutes=ahead)
        words += f" You usually begin at {_clock(usual)}."
    return words


def describe_vector(situation: Situation) -> Iterator[tuple[str, str]]:
    """Yield each part of the vector with its name."""
    state = situation.state
    person = state.person
    yield "last use", _age(person.quiet, "nothing was ever told or asked")
    yield "waiting", _describe_waiting(situation)
    yield "buffer", _describe_buffer(state.waiting)
    yield "last night", _age(state.past.night, "there was none")
    yield "last decay", _age(state.past.decay, "there was none")
    yield "a night", f"takes about {span(state.past.lasts)}"
    yield "rhythm", _describe_rhythm(situation)
    yield "usual hours", _describe_hours(situation)
    yield "next session", _describe_next_session(situation)
    yield from _describe_body(state.body)
    if state.leased_to is not None:
        yield "lease", f"{state.leased_to} holds it"


def span(minutes: float) -> str:
    """Return a duration in the unit that fits it."""
    if minutes < 1:
        return "less than a minute"
    if minutes < 90:
        return many(round(minutes), "minute")
    if minutes < 36 * 60:
        return many(round(minutes / 60), "hour")
    return many(round(minutes / 1440), "day")


def _describe_waiting(situation: Situation) -> str:
    waiting = situation.state.waiting
    if not (waiting.captures or waiting.originals):
        return "nothing"
    parts = []
    if waiting.captures:
        parts.append(many(waiting.captures, "note"))
    if waiting.originals:
        parts.append(many(waiting.originals, "source"))
    return f"{' and '.join(parts)}, the first for {span(waiting.oldest)}"


def _describe_buffer(waiting: Waiting) -> str:
    notes = many(RULES.full_captures, "note")
    sources = many(RULES.full_originals, "source")
    share = max(
        waiting.captures / RULES.full_captures,
        waiting.originals / RULES.full_originals,
    )
    return f"{share:.0%} full; {notes} or {sources} wake a night"


def _describe_next_session(situation: Situation) -> str:
    ahead = situation.state.person.next_session
    if ahead is None:
        return "not predicted"
    if not ahead:
        return "you usually work at this hour"
    local = to_local(situation.at, situation.offset)
    usual = local + timedelta(minutes=ahead)
    return f"usually at {_clock(usual)}, in {span(ahead)}"


def _describe_rhythm(situation: Situation) -> str:
    state = situation.state
    notes = state.person.notes_a_day
    return (
        f"{notes:.1f} notes a day: a night every {span(night_interval(state))},"
        f" decay every {span(decay_interval(state))}"
    )


def _describe_hours(situation: Situation) -> str:
    usual = situation.usual
    if not usual.predicts:
        return "too few days are known to predict them"
    used = sum(share >= USUAL for share in usual.shares)
    free = sum(share < FREE for share in usual.shares)
    return (
        f"{used} of the week's {HOURS} are usual, {free} are free (from"
        f" {many(usual.days, 'day')})"
    )


def _describe_power(body: Body) -> Iterator[tuple[str, str]]:
    if body.battery is not None:
        yield "battery", _describe_battery(body)
    elif body.on_mains is not None:
        yield "power", "mains" if body.on_mains else "battery"


def _describe_body(body: Body) -> Iterator[tuple[str, str]]:
    if body.load is not None:
        yield "processor", f"{body.load:.0%} busy"
    if body.heat is not None:
        yield "heat", f"{body.heat:.0%} of its limit"
    yield from _describe_power(body)
    if body.idle is not None:
        yield "keyboard", f"used {span(body.idle)} ago"
    if body.metered is not None:
        yield "network", "metered" if body.metered else "not metered"
    if body.free is not None:
        yield "disk", f"{body.free >> 20:,} MB free"
    if body.missing:
        yield "unknown", ", ".join(body.missing)


def _describe_battery(body: Body) -> str:
    words = f"{body.battery:.0%}"
    if body.on_mains is not None:
        words += ", on mains" if body.on_mains else ", in use"
    if body.drain is not None:
        change = "loses" if body.drain > 0 else "gains"
        words += f", {change} {abs(body.drain):.0%} an hour"
    return words


def _age(minutes: float | None, nothing: str) -> str:
    return nothing if minutes is None else f"{span(minutes)} ago"


def _clock(moment: datetime) -> str:
    return moment.strftime("%H:%M")
