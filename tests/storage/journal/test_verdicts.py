"""The verdict log: the first answer stays, it is durable, and nothing in it can be changed."""

import sqlite3
from pathlib import Path

import pytest

from companion.storage.files import arm_faults
from companion.storage.index import schema as index
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Logged, Verdicts

NOW = "2026-11-01T00:00:00.000000Z"
YES, NO = (
    Logged("k1", "relate", "light/1", {"label": "same"}),
    Logged("k1", "relate", "light/1", {"label": "neutral"}),
)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.open(str(tmp_path / "journal.db"))


def test_the_first_answer_stays(journal: Journal) -> None:
    log = Verdicts(journal, None)
    assert log.find(["k1"]) == {}
    log.add([YES], NOW)
    log.add([NO], NOW)

    assert log.find(["k1", "k2"]) == {"k1": YES}


@pytest.mark.parametrize(
    "statement", ["DELETE FROM verdicts", "UPDATE verdicts SET answer = '{}'"]
)
def test_a_verdict_can_be_neither_changed_nor_deleted(
    journal: Journal, statement: str
) -> None:
    Verdicts(journal, None).add([YES], NOW)

    with pytest.raises(sqlite3.IntegrityError, match="a verdict is"):
        journal.connection.execute(statement)
    with pytest.raises(sqlite3.IntegrityError):
        journal.connection.execute(
            "INSERT OR REPLACE INTO verdicts VALUES (1, 'k1', 'relate', 'x', '{}', '')"
        )


def test_an_answer_is_on_disk_before_add_returns_and_all_or_nothing(
    journal: Journal, tmp_path: Path
) -> None:
    log, other = (
        Verdicts(journal, None),
        Verdicts(Journal.open(str(tmp_path / "journal.db")), None),
    )
    log.add([YES], NOW)
    assert other.find(["k1"]) == {"k1": YES}
    assert journal.connection.execute("PRAGMA synchronous").fetchone() == (2,)

    disarm = arm_faults.arm("journal.commit:eio")
    try:
        with pytest.raises(OSError, match="Input/output"):
            log.add([YES._replace(key="k2"), YES._replace(key="k3")], NOW)
    finally:
        disarm()
    assert other.find(["k2", "k3"]) == {}


def test_the_ledgers_answer_comes_before_one_that_only_this_journal_has(
    journal: Journal,
) -> None:
    db = index.open_in_memory()
    db.execute(
        "INSERT INTO verdicts VALUES ('k1', 'relate', 'light/1', '{\"label\":\"neutral\"}', 'run')"
    )
    log = Verdicts(journal, db)
    log.add([YES, YES._replace(key="k2")], NOW)

    assert {
        key: logged.answer["label"]
        for key, logged in log.find(["k1", "k2"]).items()
    } == {
        "k1": "neutral",
        "k2": "same",
    }
    assert log.told(["k1", "k2"]) == {"k1"}


def test_many_keys_are_found(journal: Journal) -> None:
    log = Verdicts(journal, None)
    many = [YES._replace(key=f"k{n}") for n in range(1201)]
    log.add(many, NOW)

    assert len(log.find(each.key for each in many)) == 1201
