"""A PostgreSQL that is too old is named as such, and asked for nothing."""

from pathlib import Path

import pytest

from companion.__main__ import main
from companion.storage.postgres.connect import (
    PostgresOld,
    PostgresTrouble,
    connect,
)
from tests.fleet.old_server import serve_old
from tests.wiki import Wiki

pytestmark = pytest.mark.needs("psycopg")


@pytest.mark.parametrize("version", ["9.6.24", "11.22", "8.4.22"])
def test_an_old_server_is_told_its_version_and_asked_nothing(
    version: str,
) -> None:
    with serve_old(version) as server:
        with pytest.raises(PostgresOld) as raised, connect(server.database):
            pass
        assert server.asked == []
    assert str(raised.value) == f"PostgreSQL {version} is too old"
    assert "Version 12" in raised.value.hint


def test_the_oldest_that_will_do_is_let_in() -> None:
    """The twin of the test above: the same stand-in with another version is used."""
    with serve_old("12.0") as server:
        with (
            pytest.raises(PostgresTrouble, match="stand-in"),
            connect(server.database),
        ):
            pass
        assert server.asked


@pytest.mark.parametrize("what", ["project", "compare", "search", "ask"])
def test_every_verb_says_so_and_the_shard_is_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    wiki = Wiki.new(tmp_path / "rome")
    wiki.ingest("The kiln is hot.")
    wiki.consolidate()
    head = wiki.head
    with serve_old("11.22") as server:
        words = {
            "project": ["fleet", "project", str(wiki.root), "--database"],
            "compare": ["fleet", "compare", str(wiki.root), "--database"],
            "search": ["search", "kiln", "--fleet"],
            "ask": ["ask", "Is the kiln hot?", "--fleet"],
        }[what]
        code = main([*words, server.database])
    told = capsys.readouterr()
    assert code == PostgresOld.exit_code
    assert "PostgreSQL 11.22 is too old" in told.out + told.err
    assert "Version 12 or newer will do." in told.out + told.err
    assert (wiki.head, wiki.status()) == (head, "")
