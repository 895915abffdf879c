"""Three weeks of each simulated machine keep the promises; without the policy they do not."""

import pytest

from companion.sleep.decision import rhythm
from companion.sleep.decision.policy import Decision
from tests.bench import sleeping, sleeping_page
from tests.made import Made


@pytest.mark.parametrize("name", sleeping.LIVES)
def test_three_weeks_keep_the_promises(name: str) -> None:
    year = sleeping.live(name, 21)
    assert not sleeping.broken(year), year
    assert year.nights + year.slices >= 3


def test_a_timer_that_decides_nothing_breaks_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every wake sleeps, whoever is there and whatever the battery holds."""

    def always(state: object) -> Decision:
        return Decision(True, "always", "Always.", "night", rhythm.ALL_STEPS)

    monkeypatch.setattr(sleeping, "decide", always)
    monkeypatch.setattr(sleeping, "find_stop", lambda *_: None)
    year = sleeping.live("laptop, always carried", 21)
    assert year.shared > 20


def test_a_nightly_timer_leaves_a_closed_laptop_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At half past three the lid is closed."""
    waits = Decision(False, "not half past three", "It is not half past three.")
    monkeypatch.setattr(sleeping, "decide", lambda state: waits)
    assert sleeping.broken(sleeping.live("laptop, closed at night", 21))


def test_the_page_says_what_is_recorded() -> None:
    text = sleeping_page.RESULTS.read_text("utf-8")
    record = sleeping_page.read_record(text)
    assert sleeping_page.write_record(record) == text
    page = sleeping_page.PAGE.read_text("utf-8")
    assert page == sleeping_page.write_page(record)


def test_a_year_is_recorded_as_it_was_lived() -> None:
    year = sleeping.live("laptop, closed at night", 21)
    origin = Made("python -m tests.bench sleeping", "0123abcd", "2026-11-27")
    record = sleeping.make_record(origin, {"laptop": year}, 21, 1)
    (lived,) = record.lives
    assert (lived.nights, lived.longest) == (
        year.nights,
        round(year.longest, 1),
    )
    assert "| laptop |" in sleeping_page.write_page(record)
