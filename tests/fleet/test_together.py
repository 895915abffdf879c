"""One place to ask, in a real PostgreSQL: the union of the shards' indexes, row for row."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.answers.ask import ask
from companion.fleet.together.ask import ask_shards, search_shards
from companion.fleet.together.project import drop, project
from companion.storage.index.schema import open_for_reading
from companion.storage.postgres import connect as connecting
from companion.storage.postgres import tables
from companion.storage.postgres.connect import (
    NotProjected,
    PostgresDown,
    PostgresOld,
    PostgresTrouble,
    connect,
)
from companion.values.time import format_instant
from tests.fleet.server import Server, serve
from tests.fleet.shards import serial, shard
from tests.wiki import Wiki

pytestmark = pytest.mark.needs("psycopg", "pg_ctl")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    yield server.database
    drop(server.database)


def make(tmp_path: Path, count: int = 3) -> list[Wiki]:
    wikis = []
    for number in range(count):
        wiki = shard(tmp_path, number)
        wiki.ingest(f"owner:: Team {number}\n\nThe staging database is big.")
        wikis.append(serial(wiki, tmp_path / f"s{number}"))
    return wikis


def union(wikis: list[Wiki]) -> dict[str, list[tuple[object, ...]]]:
    """What the projection must be: every row of every index, with its shard."""
    rows: dict[str, list[tuple[object, ...]]] = {}
    for wiki in wikis:
        db = open_for_reading(wiki.ws.place.index_db)
        assert db is not None
        with closing(db):
            for table in tables.PROJECTED:
                names = [name for name, _ in tables.list_columns(table)]
                found = db.execute(f"SELECT {', '.join(names)} FROM {table}")
                mine = rows.setdefault(table, [])
                mine += [(str(wiki.root), *row) for row in found]
    return {table: sorted(found, key=repr) for table, found in rows.items()}


def projection(database: str) -> dict[str, list[tuple[object, ...]]]:
    rows: dict[str, list[tuple[object, ...]]] = {}
    with connect(database) as pg:
        for table in tables.PROJECTED:
            mine = rows.setdefault(table, [])
            for tip in tables.list_tips(pg):
                found = tables.read_rows(pg, table, tip.shard)
                mine += [(tip.shard, *row) for row in found]
    return {table: sorted(found, key=repr) for table, found in rows.items()}


def names(wikis: list[Wiki]) -> list[str]:
    return [str(wiki.root) for wiki in wikis]


def test_it_is_the_union_of_the_indexes_also_after_a_drop(
    tmp_path: Path, database: str
) -> None:
    wikis = make(tmp_path)
    doc = project(names(wikis), database)
    assert doc["exit_code"] == 0, doc
    assert [one["replaced"] for one in doc["projected"]] == [True] * 3
    expected = union(wikis)
    assert len(expected["claims"]) >= 3
    assert projection(database) == expected
    again = project(names(wikis), database)
    assert [one["replaced"] for one in again["projected"]] == [False] * 3

    project(names(wikis)[:1], database)
    assert drop(database) == {"dropped": 3}
    with pytest.raises(NotProjected):
        search_shards(database, "Rome", 5)
    project(names(wikis), database)
    assert projection(database) == expected


def test_a_shard_that_moved_on_is_replaced_and_others_stay(
    tmp_path: Path, database: str
) -> None:
    wikis = make(tmp_path, 2)
    project(names(wikis), database)
    wikis[0].ingest("Alice moved to Bern.")
    wikis[0].consolidate()
    doc = project(names(wikis), database)
    assert [one["replaced"] for one in doc["projected"]] == [True, False]
    assert projection(database) == union(wikis)
    (hit, *_) = search_shards(database, "bern", 5)["hits"]
    assert hit["from"]["shard"] == str(wikis[0].root)
    assert hit["from"]["tree"] == wikis[0].tree


def test_a_projection_that_breaks_leaves_the_shard_as_it_was(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wikis = make(tmp_path, 2)
    project(names(wikis), database)
    before = projection(database)
    wikis[0].ingest("Alice moved to Bern.")
    wikis[0].consolidate()
    real = tables._copy

    def break_at_claims(
        pg: object, shard: str, table: str, *rest: object
    ) -> None:
        if table == "claims":
            pg.execute("SELECT 1 / 0")  # type: ignore[attr-defined]
        real(pg, shard, table, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "_copy", break_at_claims)
    doc = project(names(wikis), database)
    assert "division by zero" in doc["projected"][0]["problem"]
    assert doc["exit_code"] == PostgresTrouble.exit_code
    assert projection(database) == before


def test_answers_are_those_of_the_shards_and_say_whose(
    tmp_path: Path, database: str
) -> None:
    wikis = make(tmp_path)
    wikis[1].ingest("Alice moved to Bern.")
    wikis[1].consolidate()
    project(names(wikis), database)
    question = "Where does Alice live?"
    now = format_instant(wikis[1].now)
    doc = ask_shards(database, question, as_of=None, now=now)
    assert doc["known"]
    told: dict[str, list[object]] = {}
    for one in doc["told"]:
        told.setdefault(one["from"]["shard"], []).append(one["answer"])
    for wiki in wikis:
        own = ask(wiki.ws, question, as_of=None, budget=1000)["answers"]
        assert own and told[str(wiki.root)] == own
    values = {one["answer"]["value"] for one in doc["told"]}
    assert values == {"Rome", "Bern"}
    assert all(one["from"]["at"] for one in doc["told"])
    nobody = ask_shards(database, "Where is Zoe?", as_of=None, now=now)
    assert (nobody["known"], nobody["asked"]) == (False, 0)


def test_what_was_private_is_not_there(tmp_path: Path, database: str) -> None:
    (wiki,) = make(tmp_path, 1)
    wiki.ingest("The code of the safe is 4711.", scope="private")
    wiki.consolidate()
    project(names([wiki]), database)
    assert not search_shards(database, "code of the safe", 5)["hits"]


def test_words_are_found_by_their_stems_and_strange_bytes_do_no_harm(
    tmp_path: Path, database: str
) -> None:
    (wiki,) = make(tmp_path, 1)
    wiki.write(
        "odd.md", "# It's a 'quote' \\ & | !\n\nnul \x00 here, walking dogs\n"
    )
    wiki.adopt()
    project(names([wiki]), database)
    for query in ("walked", "dog", "it's 'quote'", "\\ & | ! dog"):
        hits = search_shards(database, query, 5)["hits"]
        assert hits and hits[0]["path"] == "odd.md", query
    assert search_shards(database, "", 5)["hits"] == []


def test_a_damaged_shard_is_set_aside(tmp_path: Path, database: str) -> None:
    wikis = make(tmp_path, 2)
    (wikis[0].root / ".git/refs/heads/main").write_text("no commit\n")
    doc = project([*names(wikis), str(tmp_path / "none")], database)
    problems = [bool(one["problem"]) for one in doc["projected"]]
    assert problems == [True, False, True]
    assert search_shards(database, "Rome", 5)["shards"] == 1


def test_two_that_project_at_once_do_not_mix(
    tmp_path: Path, database: str
) -> None:
    (wiki,) = make(tmp_path, 1)
    project(names([wiki]), database)
    with connect(database) as pg:
        (tip,) = tables.list_tips(pg)
        db = open_for_reading(wiki.ws.place.index_db)
        assert db is not None
        other = tip._replace(tree="0" * 40)
        assert not tables.replace_shard(pg, tip, other, db, ())
        db.close()
    assert projection(database) == union([wiki])


def test_a_server_that_is_down_or_old(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PostgresDown), connect(f"host={tmp_path} dbname=none"):
        pass
    with monkeypatch.context() as patch:
        patch.setattr(connecting, "LEAST", 990_000)
        with pytest.raises(PostgresOld, match="too old"):
            search_shards(database, "Rome", 5)


def test_a_server_that_goes_down_in_the_middle(
    tmp_path: Path,
    server: Server,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wikis = make(tmp_path, 2)
    project(names(wikis), database)
    before = projection(database)
    for wiki in wikis:
        wiki.ingest("Alice moved to Bern.")
        wiki.consolidate()
    real = tables._copy

    def stop_at_claims(*args: object) -> None:
        if args[2] == "claims":
            server.stop()
        real(*args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(tables, "_copy", stop_at_claims)
        doc = project(names(wikis), database)
    server.start()
    assert {one["exit_code"] for one in doc["projected"]} == {
        PostgresDown.exit_code
    }, doc
    assert projection(database) == before
    assert project(names(wikis), database)["exit_code"] == 0
    assert projection(database) == union(wikis)


def test_a_drop_in_the_middle_of_projecting_all(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wikis = make(tmp_path, 3)
    real = tables.replace_shard

    def drop_after_the_last(*args: object) -> bool:
        replaced = real(*args)  # type: ignore[arg-type]
        if args[1].shard == names(wikis)[2]:  # type: ignore[attr-defined]
            args[0].commit()  # type: ignore[attr-defined]
            drop(database)
        return replaced

    with monkeypatch.context() as patch:
        patch.setattr(tables, "replace_shard", drop_after_the_last)
        doc = project(names(wikis), database)
    assert doc["exit_code"] == 0, doc
    with pytest.raises(NotProjected):
        search_shards(database, "Rome", 5)
    project(names(wikis), database)
    assert projection(database) == union(wikis)


def test_a_full_disk_changes_nothing(
    tmp_path: Path, server: Server, database: str
) -> None:
    (wiki,) = make(tmp_path, 1)
    project(names([wiki]), database)
    before = projection(database)
    chance = random.Random(3)
    for number in range(8):
        words = " ".join(f"{chance.getrandbits(40):x}" for _ in range(40_000))
        wiki.write(f"long {number}.md", f"# Long {number}\n\n{words}\n")
    wiki.adopt()
    with server.limit_files(2_000_000):
        doc = project(names([wiki]), database)
    assert doc["exit_code"] == PostgresTrouble.exit_code, (
        doc["projected"][0]["problem"],
        (server.folder / "log").read_text()[-1500:],
    )
    assert projection(database) == before
    assert project(names([wiki]), database)["exit_code"] == 0
    assert projection(database) == union([wiki])
