"""Times of exports: texts with any zone, seconds and milliseconds since 1970."""

import pytest

from companion.sources.records.instants import read_time


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (1730800000.25, "2024-11-05T09:46:40.250000Z"),
        (1730800000250, "2024-11-05T09:46:40.250000Z"),
        ("1730800000", "2024-11-05T09:46:40.000000Z"),
        ("1748851260.123400", "2025-06-02T08:01:00.123400Z"),
        ("2024-11-05T10:46:40+01:00", "2024-11-05T09:46:40.000000Z"),
        ("2024-11-05 09:46:40.250 UTC", "2024-11-05T09:46:40.250000Z"),
        ("2024-11-05", "2024-11-05T00:00:00.000000Z"),
        ("yesterday", None),
        (float("nan"), None),
        (10**40, None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_a_time_is_an_instant_or_none(value, instant):
    assert read_time(value) == instant
