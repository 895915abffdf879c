"""The isolation grid: nine anomalies at three levels, with and without a keyed log of answers (54
cells).
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from companion.storage.index.isolation import Level
from tests.ledger.isolation.levels import (
    LEVELS,
    Aborted,
    Transaction,
    database,
    put,
)

Connect = Callable[[], sqlite3.Connection]
# (connections, level, a log of answers) -> the anomaly showed
Scene = Callable[[Connect, Level, bool], bool]


def _values(db: sqlite3.Connection) -> dict[str, object]:
    return dict(db.execute("SELECT k, v FROM t").fetchall())


def dirty_write(connect: Connect, level: Level, log: bool) -> bool:
    with closing(connect()) as one, closing(connect()) as two:
        with suppress(Aborted), Transaction(one, two, level) as t:
            t.write("x", 1)
            t.meanwhile(put(x=2, y=2))
            t.write("y", 1)
        found = _values(one)
    return found["x"] != found["y"]


def dirty_read(connect: Connect, level: Level, log: bool) -> bool:
    seen: list[object] = []
    with (
        closing(connect()) as one,
        closing(connect()) as two,
        suppress(Aborted),
        Transaction(one, two, level) as t,
    ):
        t.write("x", 1)
        t.meanwhile(lambda db: seen.append(_values(db)["x"]))
        raise Aborted
    return 1 in seen


def fuzzy_read(connect: Connect, level: Level, log: bool) -> bool:
    with (
        closing(connect()) as one,
        closing(connect()) as two,
        Transaction(one, two, level) as t,
    ):
        first = t.read("x")
        t.meanwhile(put(x=2))
        return t.read("x") != first


def phantom(connect: Connect, level: Level, log: bool) -> bool:
    """A rule arrives while the rules are applied: what is written must agree with the rules
    committed before it.
    """
    with closing(connect()) as one, closing(connect()) as two:
        with suppress(Aborted), Transaction(one, two, level) as t:
            rules = t.keys()
            t.meanwhile(put(z=1))
            t.write("decided", len(rules))
        decided = _values(one).get("decided")
    return t.overtaken and decided == 2


def lost_update(connect: Connect, level: Level, log: bool) -> bool:
    with closing(connect()) as one, closing(connect()) as two:
        with suppress(Aborted), Transaction(one, two, level) as t:
            before = t.read("x")
            t.meanwhile(_add)
            t.write("x", int(str(before)) + 1)
        done = _values(one)["x"]
    return t.committed and t.overtaken and done == 51


def _add(db: sqlite3.Connection) -> None:
    db.execute("UPDATE t SET v = v + 1 WHERE k = 'x'")


def read_skew(connect: Connect, level: Level, log: bool) -> bool:
    with (
        closing(connect()) as one,
        closing(connect()) as two,
        Transaction(one, two, level) as t,
    ):
        x = t.read("x")
        t.meanwhile(put(x=10, y=90))
        return int(str(x)) + int(str(t.read("y"))) != 100


def write_skew(connect: Connect, level: Level, log: bool) -> bool:
    """Either may go to nothing while the other is there; both read, each writes the other one."""

    def take_y(db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        if _values(db)["x"]:
            db.execute("UPDATE t SET v = 0 WHERE k = 'y'")
        db.execute("COMMIT")

    with closing(connect()) as one, closing(connect()) as two:
        with suppress(Aborted), Transaction(one, two, level) as t:
            alive = t.read("y")
            t.meanwhile(take_y)
            if alive:
                t.write("x", 0)
        found = _values(one)
    return not found["x"] and not found["y"]


def replay(connect: Connect, level: Level, log: bool) -> bool:
    """Two ask a judge of two minds the same; who asks once more must hear what was decided on."""
    with closing(connect()) as one, closing(connect()) as two:
        first = _asked(one, "mine", log)
        second = _asked(two, "theirs", log)
    return first != second


def _asked(db: sqlite3.Connection, says: str, log: bool) -> str:
    if not log:
        return says
    db.execute(
        "INSERT INTO t VALUES ('answer', ?) ON CONFLICT(k) DO NOTHING", (says,)
    )
    return str(_values(db)["answer"])


def callback(connect: Connect, level: Level, log: bool) -> bool:
    """A choice is awaited: without the log there is nothing to await, and something is written
    before it comes.
    """
    with closing(connect()) as one, closing(connect()) as two:
        with suppress(Aborted), Transaction(one, two, level) as t:
            answer = t.read("answer") if log else "a guess"
            if answer is not None:
                t.write("decided", answer)
        put(answer="the choice")(two)
        found = _values(one)
    return found.get("decided", "the choice") != "the choice"


#: what excludes each: the weakest level, or the log (TOKI, guard map)
SCENES: dict[str, tuple[Scene, str]] = {
    "P0 dirty write": (dirty_write, "read committed"),
    "P1 dirty read": (dirty_read, "read committed"),
    "P2 fuzzy read": (fuzzy_read, "snapshot"),
    "P3 phantom": (phantom, "serializable"),
    "P4 lost update": (lost_update, "snapshot"),
    "A5A read skew": (read_skew, "snapshot"),
    "A5B write skew": (write_skew, "serializable"),
    "N1 replay": (replay, "log"),
    "callback": (callback, "log"),
}
# (row, column, the anomaly shows, it should)
Cell = tuple[str, str, bool, bool]


def grid(folder: Path) -> list[Cell]:
    cells = []
    for name, (scene, guard) in SCENES.items():
        for level in LEVELS:
            for log in (False, True):
                with database(folder, f"{name} {level} {log}") as connect:
                    shows = scene(connect, level, log)
                excluded = (
                    log
                    if guard == "log"
                    else LEVELS.index(level) >= [*LEVELS].index(guard)
                )  # type: ignore[arg-type]
                cells.append(
                    (
                        name,
                        level + (" + log" if log else ""),
                        shows,
                        not excluded,
                    )
                )
    return cells
