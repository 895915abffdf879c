"""Dated values of one quantity become rows of one page, from the third value on two days."""

from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.pages.series_table import read_rows
from companion.pages.statements import read_mentions, read_statements
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def night(wiki: Wiki, *notes: str) -> dict:
    for note in notes:
        wiki.ingest(note)
    done = wiki.consolidate()
    wiki.tick(days=1)
    return done


def page(wiki: Wiki, title: str) -> Path:
    [path] = (wiki.root / "entries").rglob(f"{title}.md")
    return path


def test_a_series_begins_at_the_third_value_on_two_days(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning", "bought a saw")
    night(wiki, "weight 80.9 kg")
    assert not list((wiki.root / "entries").rglob("*.md"))

    night(wiki, "81.0 kg")

    weight = page(wiki, "Weight")
    rows = read_rows(weight.read_text())
    assert [row.value for row in rows] == ["81.2 kg", "80.9 kg", "81.0 kg"]
    assert not read_statements(weight.read_text())
    assert rows[0].words == "81.2 kg this morning"
    day = wiki.read("journal/2026/2026-11-01.md")
    assert [one.words for one in read_statements(day)] == ["bought a saw"]
    assert [one.page for one in read_mentions(day)] == ["Weight"]
    check_index(wiki)


def test_later_values_join_it_and_contradict_nobody(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning")
    night(wiki, "weight 80.9 kg")
    night(wiki, "81.0 kg")

    done = night(wiki, "80.1 kg", "Gewicht 80,0 kg")

    assert len(read_rows(page(wiki, "Weight").read_text())) == 5
    assert all(not item["quarantined"] for item in done["integrated"])
    assert not wiki.events("flagged")
    check_index(wiki)


def test_an_undo_puts_the_values_back_on_their_days(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning")
    night(wiki, "weight 80.9 kg")
    ledger = ".companion/ledger/"
    before = {p: t for p, t in wiki.files().items() if ledger not in p}
    done = night(wiki, "81.0 kg")

    undo(wiki.ws, str(done["run"]))

    assert {p: t for p, t in wiki.files().items() if ledger not in p} == before
    check_index(wiki)


def test_what_is_no_value_is_no_row(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning")
    night(wiki, "weight 80.9 kg")
    night(wiki, "81.0 kg")

    night(wiki, "Dr. Klein says 78 kg would be better for my knee")

    assert len(read_rows(page(wiki, "Weight").read_text())) == 3


def test_a_value_that_corrects_its_day_takes_its_place(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning")
    night(wiki, "weight 80.9 kg")
    night(wiki, "81.0 kg")

    night(wiki, "weight 88.0 kg", "no, 80.8")

    rows = read_rows(page(wiki, "Weight").read_text())
    assert [row.value for row in rows[-2:]] == ["88.0 kg", "80.8"]
    assert rows[-2].corrected_by == rows[-1].id
    assert rows[-1].words == "no, 80.8"
    check_index(wiki)


def test_nights_go_on_beside_a_series(wiki: Wiki) -> None:
    night(wiki, "81.2 kg this morning")
    night(wiki, "weight 80.9 kg")
    night(wiki, "81.0 kg")
    night(wiki, "80.1 kg")

    done = night(wiki, "# Anna\n\nAnna weighs flour for the bread.")

    assert done["integrated"][0]["title"] == "Anna"
    check_index(wiki)


@pytest.mark.parametrize(
    ("notes", "title", "values"),
    [
        (["Mood: 6", "Mood: 8", "mood 5"], "Mood", ["6", "8", "5"]),
        (["Sleep 7", "sleep: 6.5", "Sleep 8"], "Sleep", ["7", "6.5", "8"]),
        (["Liegestütze 25", "Liegestütze: 28", "Liegestütze 30"],
         "Liegestütze", ["25", "28", "30"]),
        (["visitors: 120", "visitors today: 95", "Visitors: 143"],
         "Visitors", ["120", "95", "143"]),
        (["push-ups 25", "push-ups 30", "push-ups 28"],
         "Push-ups", ["25", "30", "28"]),
    ],
)  # fmt: skip
def test_a_name_and_a_bare_number_are_a_series_from_the_third_on(
    wiki: Wiki, notes: list[str], title: str, values: list[str]
) -> None:
    for note in notes:
        night(wiki, note)

    done = night(wiki, notes[0].replace(values[0], "9"))

    rows = read_rows(page(wiki, title).read_text())
    assert [row.value for row in rows] == [*values, "9"]
    assert not wiki.events("flagged")
    assert not done["integrated"][0]["quarantined"]
    check_index(wiki)


def test_one_number_that_stays_is_a_name_and_no_series(wiki: Wiki) -> None:
    for note in ("Bus 42", "Bus 42 today", "bus: 42"):
        night(wiki, note)

    assert not list((wiki.root / "entries").rglob("Bus*.md"))


def test_a_number_behind_a_pages_name_is_a_note_on_it(wiki: Wiki) -> None:
    night(wiki, "# Gate\n\nThe gate at the back of the hall.")

    for number in (4, 5, 7):
        night(wiki, f"Gate {number}")

    assert not read_rows(page(wiki, "Gate").read_text())
