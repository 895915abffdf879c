"""A year of simulated machines: do nights happen, and does anybody notice?

`python -m tests.bench sleeping` prints the table; `python -m tests.bench.sleeping --plot FILE` also
draws it, where matplotlib is.

Five lives, from a fixed seed, minute by minute, against the real policy (`decide`, `find_stop`, the
histogram, the drain of the battery). The operations are not run: a night takes the minutes that its
notes take, which is told beside the table. The life decides when the machine runs, whether it is on
mains, and when its person writes and asks. The timer wakes the companion every twenty minutes in
which the machine runs.

A night that runs when the person comes sees it at its next safe point, within five seconds, and
ends: a return. A minute is shared where a night goes on beside the person, which only a slice of
what has waited for six days does. What such a slice, or a whole night, began and did not end is
lost.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from companion.sleep.decision import histogram, policy, rhythm
from companion.sleep.decision.policy import Decision, decide
from companion.sleep.decision.state import Body, Past, Person, State, Waiting
from companion.sleep.decision.stop import Now, find_stop
from companion.sleep.machine.wakes import (
    FASTEST,
    Wakes,
    adapt_pace,
    add_wake,
    list_awake_hours,
    measure_drain,
)
from tests.bench.sleeping_page import (
    COMMAND,
    PAGE,
    Lived,
    Record,
    write_page,
    write_record,
)
from tests.made import Made, note_origin, publish

BEGIN = datetime(2026, 1, 1)  # noqa: DTZ001 - local wall time
_PERSON = ("in use", "keyboard in use")
WAKE = 20  # minutes between two wakes
#: minutes of a night for each note, beside a minute for the rest
A_NOTE = 0.2
MAINS_AN_HOUR = 0.6  # share of a battery that an hour on mains gives
IDLE_DRAIN, WORK_DRAIN = (
    0.08,
    0.2,
)  # share lost in an hour, idle and while a night runs


class Minute(NamedTuple):
    """One minute of a life."""

    runs: bool  # the machine is on, and its lid open
    on_mains: bool
    uses: bool  # the person writes or asks in this minute
    writes: bool  # … a note
    idle: bool  # nobody touches the keyboard


Life = Callable[[datetime, random.Random], Minute]


def weekday(moment: datetime) -> bool:
    return moment.weekday() < 5


def desktop(moment: datetime, chance: random.Random) -> Minute:
    """Always on, on mains; its person works from 8 to 18 on weekdays."""
    at_work = weekday(moment) and 8 <= moment.hour < 18 and moment.hour != 12
    uses = at_work and chance.random() < 0.05
    return Minute(True, True, uses, uses and chance.random() < 0.4, not at_work)


def laptop(moment: datetime, chance: random.Random) -> Minute:
    """Open from 8 to 12 and 13 to 17 on battery, from 19 to 22 on mains; closed at night."""
    hour = moment.hour
    by_day = weekday(moment) and (8 <= hour < 12 or 13 <= hour < 17)
    evening = 19 <= hour < 22
    uses = (by_day or (evening and hour < 21)) and chance.random() < 0.03
    runs = by_day or evening
    return Minute(
        runs, evening, uses, uses and chance.random() < 0.4, hour == 21
    )


def always_carried(moment: datetime, chance: random.Random) -> Minute:
    """On battery all day, never a free half hour; charged at night with its lid closed."""
    open_ = 9 <= moment.hour < 20
    # somebody comes by between the meetings: five to ten quiet minutes an hour
    busy = moment.minute < 50 and chance.random() < 0.2
    uses = open_ and busy
    return Minute(open_, False, uses, uses and chance.random() < 0.05, not busy)


def shift_worker(moment: datetime, chance: random.Random) -> Minute:
    """Early, late and night shifts, a week each; the machine is always on."""
    week = moment.isocalendar().week % 3
    begins = (6, 14, 22)[week]
    hours = {(begins + step) % 24 for step in range(8)}
    on_shift = weekday(moment) and moment.hour in hours
    uses = on_shift and chance.random() < 0.04
    return Minute(
        True, True, uses, uses and chance.random() < 0.4, not on_shift
    )


def traveller(moment: datetime, chance: random.Random) -> Minute:
    """Works from 9 to 17 where they are: every tenth day six or nine hours east or west."""
    return _travel(moment, chance)


def _travel(moment: datetime, chance: random.Random) -> Minute:
    at_work = weekday(moment) and 9 <= moment.hour < 17
    evening = 20 <= moment.hour < 23
    uses = (at_work or evening) and chance.random() < 0.04
    runs = at_work or evening
    return Minute(
        runs,
        evening,
        uses,
        uses and chance.random() < 0.4,
        not uses and evening,
    )


def server(moment: datetime, chance: random.Random) -> Minute:
    """Always on; assistants ask at any hour, a little less at night."""
    rate = 0.02 if 2 <= moment.hour < 6 else 0.05
    uses = chance.random() < rate
    return Minute(True, True, uses, uses and chance.random() < 0.3, True)


LIVES: dict[str, Life] = {
    "desktop, always on": desktop,
    "laptop, closed at night": laptop,
    "laptop, always carried": always_carried,
    "shift worker": shift_worker,
    "traveller": traveller,
    "server": server,
}
ZONES = (0, 6, -6, 9, -3, 0)


class Year(NamedTuple):
    """What came of one life."""

    nights: int  # whole ones
    slices: int
    naps: int
    aborted: int
    longest: float  # days that a note waited for a night
    shared: int  # minutes in which a night went on beside the person
    lowest: float  # battery at the end of a minute of a night
    missed: int  # nights that came later than one and a half intervals
    waits: list[float]  # of every note, in days
    returns: int = 0  # nights and slices that the person ended by coming


class Machine:
    """One machine, its person, and what waits."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.chance = random.Random(f"{name} {seed}")
        self.battery = 1.0
        self.wakes = Wakes()
        self.moments: list[datetime] = []
        self.pending: list[datetime] = []
        self.written: list[datetime] = []
        self.last_use: datetime | None = None
        self.last_key: datetime | None = None
        self.night: datetime | None = None
        self.decay: datetime | None = None
        self.lasted: list[float] = []
        self.pace = FASTEST
        self.known: (
            tuple[date, histogram.Histogram, histogram.Histogram] | None
        ) = None
        self.year = Year(0, 0, 0, 0, 0.0, 0, 1.0, 0, [])

    def offset(self, moment: datetime) -> timedelta:
        """How far the person's clock is from the machine's first zone."""
        if self.name != "traveller":
            return timedelta()
        trip = (moment - BEGIN).days // 10
        return timedelta(hours=ZONES[trip % len(ZONES)])


def live(name: str, days: int, seed: int = 1) -> Year:
    """Return the year of one life."""
    life = Machine(name, seed)
    act = LIVES[name]
    running: _Night | None = None
    for step in range(days * 1440):
        moment = BEGIN + timedelta(minutes=step)
        local = moment + life.offset(moment)
        minute = act(local, life.chance)
        _charge(life, minute, works=running is not None)
        if minute.uses:
            life.last_use = moment
            life.moments.append(local)
        if not minute.idle:
            life.last_key = moment
        if minute.writes:
            life.pending.append(moment)
            life.written.append(moment)
        if running is not None:
            running = _go_on(life, running, moment, minute)
        elif minute.runs and _is_wake(life, moment):
            running = _wake(life, moment, local, minute)
    left = [
        (BEGIN + timedelta(days=days) - each) / timedelta(days=1)
        for each in life.pending
    ]
    waits = [*life.year.waits, *left]
    return life.year._replace(longest=max(waits, default=0.0), waits=waits)


class _Night(NamedTuple):
    begun: datetime
    decision: Decision
    body: Body
    lasts: float
    taken: int  # notes


def _is_wake(life: Machine, moment: datetime) -> bool:
    if moment.minute % WAKE == 0:
        return True
    # an overdue wake lingers and looks each minute
    oldest = life.pending[0] if life.pending else moment
    return (moment - oldest) / timedelta(minutes=1) >= rhythm.RULES.overdue


def _charge(life: Machine, minute: Minute, *, works: bool) -> None:
    if not minute.runs or minute.on_mains:
        # a closed laptop hangs on its charger
        life.battery = min(1.0, life.battery + MAINS_AN_HOUR / 60)
        return
    drain = WORK_DRAIN if works else IDLE_DRAIN
    life.battery = max(0.0, life.battery - drain / 60)


def _read(life: Machine, moment: datetime, minute: Minute) -> Body:
    has_battery = life.name.startswith("laptop") or life.name == "traveller"
    idle = None if life.last_key is None else _minutes(life.last_key, moment)
    return Body(
        load=0.1,
        heat=0.5,
        on_mains=minute.on_mains,
        battery=round(life.battery, 2) if has_battery else None,
        metered=False,
        free=1 << 36,
        idle=None if life.name == "server" else idle,
    )


def _wake(
    life: Machine, moment: datetime, local: datetime, minute: Minute
) -> _Night | None:
    body = _read(life, moment, minute)
    at = moment.isoformat(timespec="microseconds") + "Z"
    drain = measure_drain(life.wakes, body, at)
    body = body._replace(drain=drain)
    if moment.minute % WAKE == 0:
        life.wakes = add_wake(life.wakes, body, at, local)
    state = _gather(life, moment, local, body)
    decision = decide(state)
    if not decision.sleep:
        return None
    taken = len(life.pending) if rhythm.CONSOLIDATE in decision.steps else 0
    if decision.depth == policy.SLICE and decision.minutes is not None:
        taken = min(taken, max(1, int(decision.minutes * life.pace)))
    lasts = 1 + A_NOTE * taken
    interval = rhythm.night_interval(state)
    if (
        rhythm.CONSOLIDATE in decision.steps
        and state.waiting.oldest > 1.5 * interval
    ):
        life.year = life.year._replace(missed=life.year.missed + 1)
    return _Night(moment, decision, body, lasts, taken)


def _gather(
    life: Machine, moment: datetime, local: datetime, body: Body
) -> State:
    reach = local - timedelta(days=histogram.REACH)
    life.moments = [each for each in life.moments if each >= reach]
    life.written = [
        each for each in life.written if moment - each < timedelta(days=28)
    ]
    usual, awake = _know_hours(life, local)
    lasts = max(1.25 * max(life.lasted[-7:], default=8.0), 1.0)
    known = max(1.0, min(28.0, (moment - BEGIN) / timedelta(days=1)))
    return State(
        body=body,
        waiting=Waiting(
            captures=len(life.pending),
            oldest=_minutes(life.pending[0], moment) if life.pending else 0.0,
        ),
        past=Past(
            night=_age(life.night, moment),
            decay=_age(life.decay, moment),
            audit=0.0,
            lasts=lasts,
        ),
        person=Person(
            quiet=_age(life.last_use, moment),
            next_session=histogram.next_usual_hour(usual, local),
            window=histogram.find_window(
                usual,
                local,
                lasts,
                awake.shares if awake.days >= histogram.LEAST_DAYS else None,
            ),
            notes_a_day=len(life.written) / known,
        ),
    )


def _know_hours(
    life: Machine, local: datetime
) -> tuple[histogram.Histogram, histogram.Histogram]:
    """Return when the person works and the machine runs; computed once a day, to save time."""
    today = local.date()
    if life.known is None or life.known[0] != today:
        usual = histogram.make_histogram(life.moments, local)
        awake = histogram.make_histogram(list_awake_hours(life.wakes), local)
        life.known = (today, usual, awake)
    return life.known[1:]


def _go_on(
    life: Machine, night: _Night, moment: datetime, minute: Minute
) -> _Night | None:
    """Return the night, or None where it ended in this minute."""
    year = life.year
    if not minute.runs:
        # the lid: it looks again when the machine wakes, and finds another time
        life.year = year._replace(aborted=year.aborted + 1)
        return None
    elapsed = _minutes(night.begun, moment)
    body = _read(life, moment, minute)
    if body.battery is not None:
        year = year._replace(lowest=min(year.lowest, life.battery))
    used = life.last_use is not None and life.last_use > night.begun
    is_slice = night.decision.depth == policy.SLICE
    stop = find_stop(night.decision, night.body, Now(body, elapsed, used))
    if minute.uses and stop is None:
        year = year._replace(shared=year.shared + 1)
    if stop is not None and stop.kind in _PERSON:
        year = year._replace(returns=year.returns + 1)
    life.year = year
    if elapsed >= night.lasts and not minute.uses:
        _finish(life, night, moment, elapsed)
        return None
    if stop is None:
        return night
    life.year = year._replace(aborted=year.aborted + 1)
    if is_slice:
        life.pace = adapt_pace(life.pace, is_done=False)
    return None


def _finish(
    life: Machine, night: _Night, moment: datetime, elapsed: float
) -> None:
    year = life.year
    life.decay = moment
    if rhythm.CONSOLIDATE not in night.decision.steps:
        life.year = year._replace(naps=year.naps + 1)
        return
    taken = night.taken
    if night.decision.depth == policy.SLICE:
        life.pace = adapt_pace(life.pace, is_done=True)
        year = year._replace(slices=year.slices + 1)
    else:
        year = year._replace(nights=year.nights + 1)
        life.lasted.append(elapsed)
    waits = [
        (moment - each) / timedelta(days=1) for each in life.pending[:taken]
    ]
    life.pending = life.pending[taken:]
    life.night = moment
    life.year = year._replace(waits=[*year.waits, *waits])


def _age(since: datetime | None, moment: datetime) -> float | None:
    return None if since is None else _minutes(since, moment)


def _minutes(since: datetime, moment: datetime) -> float:
    return (moment - since) / timedelta(minutes=1)


def plot(years: dict[str, Year], path: str) -> None:
    """Draw how long notes waited, one line a life."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.6))
    for name, year in years.items():
        waits = sorted(year.waits)
        shares = [(place + 1) / len(waits) for place in range(len(waits))]
        axes.step(waits, shares, where="post", label=name)
    axes.axvline(7, color="grey", linestyle=":")
    axes.set_xlabel("days that a note waited for its night")
    axes.set_ylabel("share of notes")
    axes.set_xlim(0, 7.5)
    axes.set_ylim(0, 1)
    axes.legend(fontsize="small", loc="lower right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def make_record(
    origin: Made, years: dict[str, Year], days: int, seed: int
) -> Record:
    """Return what is published of *years*."""
    lives = []
    for name, year in years.items():
        waits = sorted(year.waits)
        half = waits[len(waits) // 2] if waits else 0.0
        lives.append(
            Lived(
                name,
                year.nights,
                year.slices,
                year.naps,
                year.aborted,
                year.missed,
                round(half * 24),
                round(year.longest, 1),
                year.returns,
                year.shared,
                round(year.lowest, 2),
            )
        )
    return Record(*origin, [seed], days, lives)


def sleeping() -> None:
    """Print the page of a year."""
    main([])


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; end with 1 where a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench sleeping")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument(
        "--write", action="store_true", help="write the page of the documents"
    )
    options = parser.parse_args(argv)
    years = {name: live(name, options.days, options.seed) for name in LIVES}
    origin = note_origin(COMMAND)
    record = make_record(origin, years, options.days, options.seed)
    if options.write:
        publish(PAGE.stem, write_record(record), write_page(record))
    else:
        print(write_page(record))
    if options.plot:
        plot(years, options.plot)
    return int(any(broken(year) for year in years.values()))


def broken(year: Year) -> bool:
    """Tell whether a promise of docs/concepts/sleep.md is broken."""
    if year.shared:
        return True
    return year.longest > 7 or year.lowest < rhythm.RULES.floor - 0.01


if __name__ == "__main__":
    raise SystemExit(main())
