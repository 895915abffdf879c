"""Each statement that storage holds as text names columns that its tables have.

Nothing else looks at a statement before it runs, and a table's file knows nothing of its readers.
Statements about tables that are made for one connection are left out.
"""

import ast
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import companion
from companion.storage import vectors
from companion.storage.index.schema import open_in_memory
from companion.storage.index.tables_sql import TABLES
from companion.storage.journal import reads, verdicts
from companion.storage.journal import schema as journal
from companion.storage.sqlite import statements

_STORAGE = Path(companion.__file__).parent / "storage"
_STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s")
_MISSING = re.compile(
    r"no (?:such )?column:? (?:named )?(?:(?P<table>\w+)\.)?\w+"
)
_UNBOUND = "Incorrect number of bindings"


def test_every_column_that_a_statement_names_is_there() -> None:
    databases = list(_databases())
    strange = []
    for place, text in _constants():
        if _STATEMENT.match(text) and "{" not in text:
            faults = [_fault(db, text) for db in databases]
            if all(faults):
                strange += [
                    f"{place}: {fault}"
                    for fault in faults
                    if _names_own_column(text, fault)
                ]
    assert strange == []


def test_a_column_that_went_away_is_found() -> None:
    db = open_in_memory()
    gone = "SELECT a.as_of FROM accesses a WHERE a.entry = ?"
    assert _names_own_column(gone, _fault(db, gone))
    assert _fault(db, "SELECT entry FROM accesses WHERE entry = ?") == ""


def _databases() -> Iterator[sqlite3.Connection]:
    schemas = (
        (TABLES,),
        journal.SCHEMAS,
        (reads._SCHEMA,),
        (verdicts._SCHEMA,),
        vectors._SCHEMA,
    )
    for schema in schemas:
        db = sqlite3.connect(":memory:", isolation_level=None)
        for script in schema:
            for statement in statements(script):
                db.execute(statement)
        yield db


def _constants() -> Iterator[tuple[str, str]]:
    """Yield the file and line of each text that is one whole, with the text."""
    for path in sorted(_STORAGE.rglob("*.py")):
        if path.is_relative_to(_STORAGE / "postgres"):
            continue  # another engine, with tables of its own
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts |= {id(part) for part in node.values}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in parts:
                continue
            if isinstance(node.value, str):
                yield f"{path.relative_to(_STORAGE)}:{node.lineno}", node.value


def _names_own_column(statement: str, fault: str) -> bool:
    """Tell whether *fault* is a missing column, and not one of a statement around this one."""
    missing = _MISSING.search(fault)
    if missing is None:
        return False
    table = missing["table"]
    own = rf"(FROM|JOIN|UPDATE|INTO)\s+([\w.]+\s+)?{table}\b"
    return table is None or re.search(own, statement) is not None


def _fault(db: sqlite3.Connection, statement: str) -> str:
    """Return why *db* cannot run *statement*; "" where it can, given values."""
    try:
        db.execute(f"EXPLAIN {statement}")
    except sqlite3.ProgrammingError as error:
        return "" if _UNBOUND in str(error) else str(error)
    except sqlite3.Error as error:
        return str(error)
    return ""
