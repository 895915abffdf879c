"""Drift (N2, 36 cells): each operator while its evidence is revised. Schema (N3, 12 cells): what
stays of a loser.
"""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from companion.ledger.operators import (
    REQUIRES,
    Policy,
    Side,
    choose_side,
    set_key,
)
from companion.storage.index.tables import resolutions
from companion.storage.index.tables.resolutions import ResolvedKey
from companion.storage.run_events import RunEvent
from companion.values.claims import Assertion, Strategy
from tests.ledger.isolation.anomalies import Cell
from tests.ledger.isolation.levels import (
    LEVELS,
    Aborted,
    Transaction,
    database,
    put,
)

KEY = ("atlas", "price")
STRATEGIES: tuple[Strategy, ...] = tuple(sorted(REQUIRES))
WHEN = ("before it is read", "between two reads", "between reading and writing")


def belief(
    strategy: Strategy, rule: str, weights: tuple[int, int]
) -> str | None:
    """Return what an operator makes of two sides; *weights* are their evidence, *rule* who is
    preferred or chosen.
    """
    sides = [
        Side(
            value,
            (
                Assertion(
                    value, KEY, value, "t", "v", agent=who, confidence=n / 100
                ),
            ),
        )
        for value, who, n in zip(("a", "b"), ("x", "y"), weights, strict=True)
    ]
    if strategy == "latest":  # valid time: the operator itself sees ties only
        return (
            None
            if weights[0] == weights[1]
            else "a"
            if weights[0] > weights[1]
            else "b"
        )
    chosen = (
        {set_key(KEY, sides): "a" if rule == "x" else "b"}
        if strategy == "await"
        else {}
    )
    return choose_side(strategy, KEY, sides, Policy((rule,), chosen)).value


BEFORE, AFTER = {"rule": "x", "x": 90, "y": 10}, {"rule": "y", "x": 10, "y": 90}


def drifts(folder: Path, strategy: Strategy, level: str, when: str) -> bool:
    """Tell whether the belief that was written last is not what the evidence committed before it
    says.
    """
    revise = put(**AFTER)
    name = f"{strategy} {level} {when}"
    with (
        database(folder, name) as connect,
        closing(connect()) as one,
        closing(connect()) as two,
    ):
        put(**BEFORE)(one)
        if when == WHEN[0]:
            revise(two)
        with suppress(Aborted), Transaction(one, two, level) as t:  # type: ignore[arg-type]
            rule, x = str(t.read("rule")), int(str(t.read("x")))
            if when == WHEN[1]:
                t.meanwhile(revise)
            y = int(str(t.read("y")))
            if when == WHEN[2]:
                t.meanwhile(revise)
            t.write("belief", belief(strategy, rule, (x, y)))
        found = dict(one.execute("SELECT k, v FROM t").fetchall())
    # the revision came after the belief: another moment, and no drift
    late = bool(t.late)
    return not late and found["belief"] != belief(
        strategy, str(found["rule"]), (int(found["x"]), int(found["y"]))
    )


def drift(folder: Path) -> list[Cell]:
    return [
        (
            f"{strategy}, revised {when}",
            level,
            drifts(folder, strategy, level, when),
            level != "serializable" and when != WHEN[0],
        )
        for strategy in STRATEGIES
        for level in LEVELS
        for when in WHEN
    ]


SCHEMAS = ("one row a key", "rows kept", "rows and audit rows")


def erased(strategy: Strategy, schema: str) -> bool:
    """Tell whether, once settled, it cannot be said who lost against whom and by which rule."""
    db = sqlite3.connect(":memory:")
    unique = "PRIMARY KEY" if schema == SCHEMAS[0] else ""
    db.execute(
        f"CREATE TABLE claims (matter TEXT {unique}, id TEXT, value TEXT)"
    )
    for id, value in (("c1", "a"), ("c2", "b")):
        db.execute(
            "INSERT OR REPLACE INTO claims VALUES ('m', ?, ?)", (id, value)
        )
    row = resolutions.encode_resolution(
        ResolvedKey("superseded", strategy, "r", ("c2",), ("c1",))
    )
    audit = {"keys": [json.loads(json.dumps(row))]}
    rows = []
    if schema == SCHEMAS[2]:
        event = RunEvent("run", "2026-11-01T22:00:00.000000Z", 0, audit)
        rows = [values for _, values in resolutions.encode_resolved(event)]
    lost = [row[1] for row in rows if row[2] == "lost" and row[4] == strategy]
    found = [
        value
        for id in lost
        for (value,) in db.execute(
            "SELECT value FROM claims WHERE id = ?", (id,)
        )
    ]
    return found != ["a"]


def schema() -> list[Cell]:
    return [
        (each, kind, erased(each, kind), kind != SCHEMAS[2])
        for each in STRATEGIES
        for kind in SCHEMAS
    ]
