"""What stands at the ref of the lease was pushed by somebody: read, or bound by nobody."""

import json

import pytest

from companion.storage.git.lease import Lease, _is_in_force, decode

NOW = "2026-11-02T03:00:00.000000Z"


def said(until: object) -> bytes:
    return json.dumps({"holder": "bbbb", "until": until}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[" * 100_000,
        b'{"holder": "bbbb"}',
        said("soon"),
        said(1e999),
        said("2026-02-31T00:00:00Z"),
        # nothing is ten minutes later than the end of time
        said("9999-12-31T23:59:59Z"),
    ],
)
def test_what_nobody_can_read_is_no_lease(data: bytes) -> None:
    assert decode(data) is None


def test_a_time_without_a_zone_is_utc_as_everywhere() -> None:
    lease = decode(said("2026-11-02T02:55:00"))

    assert lease == Lease("bbbb", "2026-11-02T02:55:00.000000Z")
    assert _is_in_force(lease, "aaaa", NOW)
    assert not _is_in_force(lease, "bbbb", NOW)


@pytest.mark.parametrize(
    ("until", "binds"),
    [
        ("2026-11-02T02:50:00Z", False),
        ("2026-11-02T02:50:01Z", True),
    ],
)
def test_an_end_counts_ten_minutes_later(until: str, binds: bool) -> None:
    assert _is_in_force(decode(said(until)), "aaaa", NOW) is binds
