"""The laws of the policy, for every state that a machine and a life can be in."""

from collections.abc import Callable
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.sleep.decision import policy, rhythm
from companion.sleep.decision.policy import Decision, decide
from companion.sleep.decision.rhythm import DAY, RULES
from companion.sleep.decision.state import Body, Past, Person, State, Waiting

MINUTES = st.floats(0, 20 * DAY, allow_nan=False)
SHARES = st.floats(0, 1, allow_nan=False)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


BODIES = st.builds(
    Body,
    load=maybe(st.floats(0, 3)),
    heat=maybe(st.floats(0, 1.2)),
    on_mains=maybe(st.booleans()),
    battery=maybe(SHARES),
    drain=maybe(st.floats(-0.6, 0.9)),
    metered=maybe(st.booleans()),
    free=maybe(st.integers(0, 1 << 40)),
    idle=maybe(MINUTES),
)
WAITINGS = st.builds(
    Waiting,
    captures=st.integers(0, 400),
    originals=st.integers(0, 90),
    oldest=MINUTES,
    to_audit=st.integers(0, 3),
    to_settle=st.integers(0, 3),
)
STATES = st.builds(
    State,
    body=BODIES,
    waiting=WAITINGS,
    past=st.builds(
        Past,
        night=maybe(MINUTES),
        decay=maybe(MINUTES),
        audit=maybe(MINUTES),
        lasts=st.floats(0.1, 300),
        failures=st.integers(0, 3),
        failed=maybe(MINUTES),
    ),
    person=st.builds(
        Person,
        quiet=maybe(MINUTES),
        next_session=maybe(st.floats(0, 2 * DAY)),
        window=maybe(st.floats(0, DAY)),
        notes_a_day=st.floats(0, 200),
    ),
    asks_far_model=st.booleans(),
    leased_to=maybe(st.just("the other laptop")),
)


def with_body(state: State, **changes: Any) -> State:
    return state._replace(body=state.body._replace(**changes))


def with_waiting(state: State, **changes: Any) -> State:
    return state._replace(waiting=state.waiting._replace(**changes))


def with_person(state: State, **changes: Any) -> State:
    return state._replace(person=state.person._replace(**changes))


@given(STATES, st.booleans())
def test_the_battery_never_ends_below_its_floor(
    state: State, asked: bool
) -> None:
    decision = decide(state, asked=asked)
    assume(decision.sleep)
    floor = RULES.floor_asked if asked else RULES.floor
    minutes = decision.minutes
    if minutes is None:
        minutes = max(state.past.lasts, RULES.quiet_least)

    left = policy.battery_at_end(state.body, minutes)

    assert left is None or left >= floor - 1e-9


@given(STATES, st.floats(0, 4.99))
def test_a_person_at_work_is_never_disturbed(
    state: State, quiet: float
) -> None:
    assert not decide(with_person(state, quiet=quiet)).sleep
    assert not decide(with_body(state, idle=quiet)).sleep


@given(STATES, st.floats(RULES.overdue, 30 * DAY), st.floats(5, DAY))
def test_five_quiet_minutes_are_enough_within_seven_days(
    state: State, oldest: float, quiet: float
) -> None:
    state = with_waiting(
        state, oldest=oldest, captures=max(1, state.waiting.captures)
    )
    state = without_failures(with_person(state, quiet=quiet))
    state = with_body(
        state, idle=quiet, free=RULES.room, heat=0.5, on_mains=True, drain=0.0
    )

    decision = decide(state)

    assert RULES.overdue < 7 * DAY
    assert decision.sleep and rhythm.CONSOLIDATE in decision.steps


@given(STATES, st.integers(RULES.full_captures, 10_000), st.floats(5, DAY))
def test_a_full_buffer_wakes_it(
    state: State, captures: int, quiet: float
) -> None:
    state = with_waiting(state, captures=captures)._replace(leased_to=None)
    state = without_failures(with_person(state, quiet=quiet))
    state = with_body(
        state,
        idle=quiet,
        free=RULES.room,
        heat=0.5,
        load=0.2,
        on_mains=True,
        drain=0.0,
    )

    decision = decide(state)

    assert decision.sleep and rhythm.CONSOLIDATE in decision.steps


@given(STATES)
def test_a_persons_word_wakes_it(state: State) -> None:
    state = with_body(state, free=RULES.room, on_mains=True, drain=0.0)

    decision = decide(state, asked=True)

    assert decision.sleep and rhythm.CONSOLIDATE in decision.steps


@given(STATES, st.booleans())
def test_every_decision_says_why(state: State, asked: bool) -> None:
    decision = decide(state, asked=asked)

    assert decision.kind and decision.why.endswith(".")
    assert bool(decision.depth) == bool(decision.steps) == decision.sleep
    order = [rhythm.ALL_STEPS.index(step) for step in decision.steps]
    assert order == sorted(order)


@given(STATES, st.booleans())
def test_a_metered_network_is_not_used(state: State, asked: bool) -> None:
    decision = decide(with_body(state, metered=True), asked=asked)
    assume(decision.sleep)

    assert not decision.fetches
    assert not (decision.asks_far_model and state.asks_far_model)


def without_failures(state: State) -> State:
    return state._replace(past=state.past._replace(failures=0, failed=None))


@given(STATES, st.floats(0, 29.9))
def test_a_failed_night_is_not_tried_again_at_once(
    state: State, age: float
) -> None:
    past = state.past._replace(failures=1, failed=age)
    assert not decide(state._replace(past=past)).sleep


# What is better for a night never keeps it from beginning.

BETTER: dict[str, Callable[[State, float], State]] = {
    "longer quiet": lambda s, x: with_person(
        s, quiet=(s.person.quiet or 0) + x
    ),
    "longer idle": lambda s, x: with_body(s, idle=(s.body.idle or 0) + x),
    "less load": lambda s, x: with_body(s, load=(s.body.load or 0) / (1 + x)),
    "cooler": lambda s, x: with_body(s, heat=(s.body.heat or 0) / (1 + x)),
    "fuller battery": lambda s, x: with_body(
        s, battery=min(1, (s.body.battery or 0) + x)
    ),
    "on mains": lambda s, x: with_body(s, on_mains=True, drain=0.0),
    "more room": lambda s, x: with_body(
        s, free=(s.body.free or 0) + int(x * 2**30)
    ),
    "more notes": lambda s, x: with_waiting(
        s, captures=s.waiting.captures + int(x * 100)
    ),
    "older notes": lambda s, x: with_waiting(
        s, oldest=s.waiting.oldest + x * DAY
    ),
    "no lease elsewhere": lambda s, x: s._replace(leased_to=None),
}


#: states in which a night often begins; nothing is unknown
FAIR = st.builds(
    State,
    body=st.builds(
        Body,
        load=st.floats(0, 0.9),
        heat=st.floats(0.2, 0.95),
        on_mains=st.sampled_from([True, True, False]),
        battery=st.floats(0.25, 1),
        drain=st.floats(-0.2, 0.4),
        free=st.integers(200 << 20, 1 << 33),
        idle=st.floats(3, 600),
    ),
    waiting=st.builds(
        Waiting, captures=st.integers(1, 300), oldest=st.floats(0, 6 * DAY)
    ),
    past=st.builds(
        Past,
        night=st.floats(DAY, 9 * DAY),
        lasts=st.floats(1, 90),
        failed=st.none(),
    ),
    person=st.builds(
        Person,
        quiet=st.floats(3, 600),
        next_session=maybe(st.floats(0, DAY)),
        window=st.sampled_from([None, 0.0, 0.0, 200.0]),
        notes_a_day=st.floats(0, 20),
    ),
    leased_to=st.sampled_from([None, None, "desk"]),
)


@settings(max_examples=1500)
@given(FAIR, st.sampled_from(sorted(BETTER)), st.floats(0, 10))
def test_better_conditions_never_keep_it_awake(
    state: State, name: str, more: float
) -> None:
    if decide(state).sleep:
        better = decide(BETTER[name](state, more))
        assert better.sleep, (name, better)


@given(STATES, st.floats(1, 50), st.floats(1, 50))
def test_who_writes_more_sleeps_more_often(
    state: State, notes: float, more: float
) -> None:
    sparse = with_person(state, notes_a_day=notes)
    dense = with_person(state, notes_a_day=notes + more)

    assert rhythm.night_interval(dense) <= rhythm.night_interval(sparse)
    assert rhythm.decay_interval(sparse) < rhythm.night_interval(sparse)
    assert rhythm.decay_interval(sparse) <= DAY


def test_the_rhythms_of_a_sparse_and_a_dense_user() -> None:
    rhythms = {}
    for notes in (0.1, 1, 4, 8, 100):
        rhythms[notes] = (
            rhythm.night_interval(with_person(State(), notes_a_day=notes)) / DAY
        )
    assert rhythms == {0.1: 2.0, 1: 2.0, 4: 1.0, 8: 0.5, 100: 0.5}


# Single decisions, in the order of an evening.

EVENING = State(
    body=Body(
        load=0.1,
        heat=0.4,
        on_mains=True,
        battery=0.8,
        drain=-0.1,
        free=1 << 36,
        idle=600,
    ),
    waiting=Waiting(captures=6, oldest=DAY),
    past=Past(night=DAY, decay=DAY, audit=DAY, lasts=25),
    person=Person(quiet=300, next_session=480, window=240, notes_a_day=5),
)


def shape(decision: Decision) -> tuple[bool, str, str]:
    return decision.sleep, decision.kind, decision.depth


def test_it_waits_for_the_quietest_time() -> None:
    decision = decide(EVENING)
    assert shape(decision) == (False, "planned", "") and decision.begins == 240
    assert shape(decide(with_person(EVENING, window=0.0))) == (
        True,
        "due",
        "night",
    )


def test_a_missed_window_makes_it_eager() -> None:
    late = with_waiting(EVENING, oldest=1.6 * DAY)
    assert shape(decide(late)) == (True, "due", "night")
    assert shape(decide(with_person(late, quiet=12))) == (False, "in use", "")


def test_it_ends_before_the_session_begins() -> None:
    morning = with_person(EVENING, window=0.0, next_session=30.0)
    assert shape(decide(morning)) == (False, "session near", "")
    in_time = decide(with_person(EVENING, window=0.0, next_session=60.0))
    assert in_time.sleep and in_time.minutes == 50


def test_on_battery_it_waits_for_mains_and_an_overdue_night_takes_slices() -> (
    None
):
    away = with_body(
        with_person(EVENING, window=0.0), on_mains=False, drain=0.15
    )
    assert shape(decide(away)) == (False, "on battery", "")
    overdue = with_waiting(away, oldest=5 * DAY)
    long = overdue._replace(past=overdue.past._replace(lasts=200))
    decision = decide(long)
    assert shape(decision) == (True, "overdue", "slice")
    assert decision.minutes is not None and decision.minutes < 200
    assert shape(decide(with_body(long, battery=0.31))) == (
        False,
        "battery low",
        "",
    )


def test_a_slice_leaves_an_audit_to_whole_nights_unless_there_is_none() -> None:
    always_here = with_person(
        with_waiting(EVENING, oldest=5 * DAY), next_session=0.0
    )
    due = always_here._replace(past=always_here.past._replace(audit=40 * DAY))
    assert (
        decide(due).depth == "slice" and rhythm.AUDIT not in decide(due).steps
    )
    late = always_here._replace(past=always_here.past._replace(audit=61 * DAY))
    assert decide(late).depth == "slice" and rhythm.AUDIT in decide(late).steps


def test_decay_alone_is_due_between_nights() -> None:
    rested = EVENING._replace(
        past=Past(night=13 * 60, decay=13 * 60, audit=DAY)
    )
    rested = with_person(rested, window=0.0)
    decision = decide(rested)
    assert shape(decision) == (True, "decay due", "nap")
    assert decision.steps == (rhythm.DECAY,)


def test_audit_comes_once_a_month_and_when_something_asks_for_it() -> None:
    month = with_person(EVENING, window=0.0)
    month = month._replace(past=month.past._replace(audit=31 * DAY))
    assert decide(month).steps == rhythm.ALL_STEPS
    queued = with_waiting(with_person(EVENING, window=0.0), to_audit=1)
    assert decide(queued).depth == "deep"
    audited = with_waiting(with_person(EVENING, window=0.0), to_settle=2)
    assert decide(audited).steps[-1] == rhythm.SETTLE


def test_the_other_machine_does_the_work_while_it_holds_the_lease() -> None:
    leased = with_person(EVENING, window=0.0)._replace(leased_to="desk")
    assert shape(decide(leased)) == (False, "leased", "")
    assert decide(with_waiting(leased, oldest=5 * DAY)).sleep


def test_a_full_disk_stops_even_a_persons_word() -> None:
    assert shape(decide(with_body(EVENING, free=1000), asked=True)) == (
        False,
        "disk full",
        "",
    )


def test_a_processor_is_never_busier_than_busy() -> None:
    state = State(
        body=Body(load=6.1),
        waiting=Waiting(captures=1, oldest=DAY),
        person=Person(quiet=DAY),
    )
    why = decide(state).why
    assert why == "The processor is busy with other work (100%)."
