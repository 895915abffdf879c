"""The same notes, taken in in another order, end on the same pages."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.operations.triage import capture
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.wiki import START, Wiki

DAYS = (
    ("The boiler was serviced in March.", "Bought stamps", "Anna called."),
    ("Called about the boiler pressure", "Rain all day", "Lunch with Anna"),
    ("the boiler is loud again", "Anna lives in Oslo.", "Read the newspaper"),
    ("Anna's train was late", "The boiler needs a valve.", "Paid the rent"),
)


def live(
    root: Path, orders: Sequence[tuple[int, ...]], *, gap: bool
) -> dict[str, bytes]:
    """Tell the notes of each day in the order given, a night after each day; the files.

    With *gap*, each note is told in a process of its own, a minute after the other.
    """
    wiki = Wiki.new(root / "wiki")
    for day, order in enumerate(orders):
        wiki.now = START + timedelta(days=day, hours=10)
        drafts = []
        for place in order:
            hour = START + timedelta(days=day, hours=place)
            moment = format_instant(hour)
            drafts.append(Draft(DAYS[day][place], event_time=moment))
        if gap:
            for draft in drafts:
                wiki.tick()
                capture.ingest(wiki.ws, [draft])
        else:
            capture.ingest(wiki.ws, drafts)
        wiki.consolidate()
    return wiki.files()


@cache
def live_in_order() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        return live(Path(folder), [(0, 1, 2)] * len(DAYS), gap=False)


ORDER = st.permutations(range(3)).map(tuple)


@given(st.tuples(*[ORDER] * len(DAYS)).map(list), st.booleans())
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_the_order_of_telling_within_a_day_changes_no_page(
    orders: list[tuple[int, ...]], gap: bool
) -> None:
    expected = live_in_order()
    assert any(path.endswith("Boiler.md") for path in expected)
    with TemporaryDirectory() as folder:
        assert live(Path(folder), orders, gap=gap) == expected
