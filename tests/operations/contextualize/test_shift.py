"""When a source is fitted again: on a move that holds over two cycles, never twice a week."""

from hypothesis import given
from hypothesis import strategies as st

from companion.operations.contextualize.reader.depth import choose_depth
from companion.operations.contextualize.reader.shift import (
    SCORE,
    decide_shift,
    describe_fitting,
)
from companion.operations.contextualize.values import Fitting, Topic
from tests.operations.contextualize.test_fit import DEVELOPER, OWNER

WORDS = (
    "backoff",
    "broker",
    "celery",
    "connection",
    "database",
    "idempotent",
    "job",
)
OTHERS = (
    "complaint",
    "customer",
    "director",
    "goal",
    "quarter",
    "report",
    "roadmap",
)


def fitting(day: int, **changed: object) -> Fitting:
    at = f"2026-11-{day:02d}T06:00:00.000000Z"
    return Fitting(at, "brief", 0.3, WORDS)._replace(**changed)


LAST = fitting(1)
DEEPER = {"step": "detailed", "score": 0.7}

fittings = st.builds(
    Fitting,
    at=st.integers(1, 28).map(lambda day: fitting(day).at),
    step=st.sampled_from(["brief", "key points", "detailed"]),
    score=st.floats(0, 1),
    interests=st.sampled_from([(), WORDS, OTHERS]),
)


def test_the_same_reader_is_left_alone() -> None:
    shift = decide_shift(LAST, [], fitting(20))
    assert shift == (False, False, "You work on it as before.")


def test_one_cycle_alone_changes_nothing_and_two_do() -> None:
    first = decide_shift(LAST, [], fitting(20, **DEEPER))
    assert (first.away, first.recompress) == (True, False)
    assert first.reason.startswith(
        "You would get it as detailed now, not as brief (score 0.30, now 0.70)."
    )
    second = decide_shift(LAST, [fitting(20, **DEEPER)], fitting(21, **DEEPER))
    assert (second.away, second.recompress) == (True, True)
    assert second.reason.endswith("Two cycles agree.")


def test_a_reader_who_comes_back_is_left_alone() -> None:
    back = decide_shift(LAST, [fitting(20, **DEEPER)], fitting(21))
    assert (back.away, back.recompress) == (False, False)


def test_two_cycles_that_disagree_wait() -> None:
    other = fitting(20, interests=OTHERS)
    shift = decide_shift(LAST, [other], fitting(21, **DEEPER))
    assert (shift.away, shift.recompress) == (True, False)


def test_other_interests_at_the_same_depth_are_a_move() -> None:
    moved = fitting(20, interests=OTHERS)
    shift = decide_shift(LAST, [moved], moved._replace(at=fitting(21).at))
    assert shift.recompress
    assert "0% is the same" in shift.reason


def test_it_is_never_fitted_twice_a_week() -> None:
    early = decide_shift(LAST, [fitting(5, **DEEPER)], fitting(6, **DEEPER))
    assert (early.away, early.recompress) == (True, False)
    assert "not again for 2 days" in early.reason
    late = decide_shift(LAST, [fitting(7, **DEEPER)], fitting(8, **DEEPER))
    assert late.recompress


@given(fittings, st.lists(fittings, max_size=3), fittings)
def test_the_laws_hold_for_all_readers(
    last: Fitting, observed: list[Fitting], now: Fitting
) -> None:
    shift = decide_shift(last, observed, now)
    if shift.recompress:
        assert shift.away
        assert observed
        assert now.at[:10] >= fitting(int(last.at[8:10]) + 7).at[:10]
    if last._replace(at=now.at) == now:
        assert not shift.away


def test_a_score_that_only_crosses_a_threshold_is_no_move() -> None:
    near = fitting(20, step="key points", score=0.3 + SCORE / 2)
    assert not decide_shift(LAST, [near], near).away


def test_an_owner_who_becomes_a_developer_moves() -> None:
    topic = Topic(("invoices",), (1.0,))
    fitted = []
    for context in (OWNER, DEVELOPER):
        context = context._replace(topic=topic)
        depth = choose_depth(context, 9_000)
        fitted.append(describe_fitting(context, depth))
    before, after = fitted
    assert "invoic" not in "".join(before.interests)
    later = after._replace(at="2026-12-24T00:00:00.000000Z")
    assert decide_shift(before, [after], later).recompress
    assert not decide_shift(before, [], before).away


def test_fetching_the_original_is_a_move_to_a_deeper_page() -> None:
    context = OWNER._replace(elsewhere=200)
    shallow = describe_fitting(context, choose_depth(context, 9_000))
    fetched = context._replace(recalls=2, now="2026-12-24T00:00:00.000000Z")
    deep = describe_fitting(fetched, choose_depth(fetched, 9_000))
    assert decide_shift(shallow, [deep], deep).recompress
