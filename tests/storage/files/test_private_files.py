"""Databases are their owner's alone, with their logs; so are locks."""

import os
from pathlib import Path

import pytest

from companion.storage.files import durable
from companion.storage.files.lock import lock_file
from tests.wiki import Wiki


def modes(wiki: Wiki) -> dict[str, int]:
    """Return the mode of each database and its logs."""
    state = Path(wiki.ws.place.state)
    return {
        path.name: path.stat().st_mode & 0o777 for path in state.glob("*.db*")
    }


def test_every_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        wiki = Wiki.made(tmp_path / "wiki")
        wiki.ingest("Bob lives in Rome.", scope="private", agent="bot")
        wiki.consolidate()
        wiki.as_("bot").journal().close()
    finally:
        os.umask(before)

    found = modes(wiki)
    assert {"journal.db", "index.db"} <= found.keys()
    assert set(found.values()) == {0o600}, found


def test_a_database_that_others_could_read_is_closed_to_them(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    journal = Path(wiki.ws.place.journal_db)
    journal.chmod(0o644)

    wiki.ingest("one")

    assert journal.stat().st_mode & 0o777 == 0o600


def test_nothing_in_a_file_that_is_there_changes(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    file.write_bytes(b"held")

    durable.make_private(str(file))

    assert file.read_bytes() == b"held"


def test_a_database_in_memory_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    durable.make_private(":memory:")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("earlier", [None, 0o644])
def test_a_lock_is_for_its_owner_alone(
    tmp_path: Path, earlier: int | None
) -> None:
    path = tmp_path / "sleep.lock"
    if earlier is not None:
        path.touch(earlier)
    before = os.umask(0o022)
    try:
        with lock_file(str(path), "a night"):
            assert path.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
