"""The machine's time zone, for one test."""

import time

import pytest

# Central Europe by the rule itself: no zone database is needed.
BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
NEW_YORK = "EST5EDT,M3.2.0,M11.1.0"
KOLKATA = "IST-5:30"


def set_zone(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """Let this machine be in *zone*; `own_environment` takes it back before the next test."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
