"""SQL lives below companion/storage: other rooms call functions with names."""

import ast
import re
from pathlib import Path

import companion

_ROOM = Path(companion.__file__).parent
_SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|BEGIN|COMMIT)\b(?! [a-z])"
)


def test_no_room_but_storage_writes_sql() -> None:
    found = [
        f"{path.relative_to(_ROOM)}:{node.lineno}"
        for path in sorted(_ROOM.rglob("*.py"))
        if "storage" not in path.relative_to(_ROOM).parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and _SQL.match(str(node.value))
    ]

    assert found == []
