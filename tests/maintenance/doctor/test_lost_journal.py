"""A journal that is damaged or gone: what doctor says of it, and what its repair brings back."""

from pathlib import Path

from companion.maintenance.doctor import run as health
from companion.reading.status import describe_wiki
from tests.wiki import Wiki, check_health, check_index


def some(root: Path) -> Wiki:
    wiki = Wiki.new(root)
    wiki.ingest(
        "# Harbour\n\nIt opens at six.", "# Wall\n\nIt has nine stones."
    )
    wiki.consolidate()
    return wiki


def remove(wiki: Wiki) -> None:
    for path in Path(wiki.ws.place.state).glob("journal.db*"):
        path.unlink()


def test_a_repair_makes_a_journal_that_is_gone_anew(tmp_path: Path) -> None:
    wiki = some(tmp_path / "wiki")
    remove(wiki)
    assert [
        finding["kind"] for finding in health.doctor(wiki.ws)["findings"]
    ] == ["journal-missing"]
    done = health.doctor(wiki.ws, repair=True)

    assert (done["ok"], [each["kind"] for each in done["repaired"]]) == (
        True,
        ["journal-missing"],
    )
    assert "2 captures" in done["repaired"][0]["what"]
    # and not as if no page had been made of them
    assert describe_wiki(wiki.ws)["pending"] == 0
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_a_journal_that_cannot_be_read_is_named_once_with_what_to_do(
    tmp_path: Path,
) -> None:
    wiki = some(tmp_path / "wiki")
    remove(wiki)
    Path(wiki.ws.place.journal_db).write_bytes(
        b"SQLite format 3\0" + b"\xff" * 8000
    )
    findings = health.doctor(wiki.ws)["findings"]

    assert len([each for each in findings if "journal.db" in each["what"]]) == 1
    assert (
        "Run `companion doctor`;" not in findings[0]["hint"]
        and "Move journal.db" in findings[0]["hint"]
    )
    remove(wiki)  # what the hint says
    assert health.doctor(wiki.ws, repair=True)["ok"]


def test_a_note_that_is_called_done_though_no_run_took_it_is_named_and_waits_again(
    tmp_path: Path,
) -> None:
    wiki = some(tmp_path / "wiki")
    (told,) = wiki.ingest("# Otter\n\nIt swims.")
    journal = wiki.ws.journal()
    journal.connection.execute(
        "UPDATE captures SET settled = 1 WHERE id = ?", (told["id"],)
    )
    found = health.doctor(wiki.ws)
    assert [each["kind"] for each in found["findings"]] == ["capture-forgotten"]
    assert not found["ok"]

    assert health.doctor(wiki.ws, repair=True)["ok"]

    assert describe_wiki(wiki.ws)["pending"] == 1
    assert [each["title"] for each in wiki.consolidate()["integrated"]] == [
        "Otter"
    ]
    check_health(wiki)


def test_notes_whose_tellings_are_gone_are_named_and_get_them_back_from_git(
    tmp_path: Path,
) -> None:
    wiki = some(tmp_path / "wiki")
    db = wiki.ws.journal().connection
    triggers = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'sightings'"
    ).fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    db.execute("DELETE FROM sightings")
    for _, sql in triggers:
        db.execute(sql)
    found = health.doctor(wiki.ws)
    assert "tellings-missing" in [each["kind"] for each in found["findings"]]
    assert not found["ok"]

    assert health.doctor(wiki.ws, repair=True)["ok"]
    check_health(wiki)
