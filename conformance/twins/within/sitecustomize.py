"""Python reads this before the program under test: functions of its modules come to mean what a
twin says they do.

CONFORMANCE_WITHIN names modules and the source that is run in each once it is loaded. There
`honest` holds what the module's own names meant. A function that the module does not have is an
error: the twin is out of date.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_CHANGES: dict[str, str] = json.loads(os.environ["CONFORMANCE_WITHIN"])


class _Within:
    """A finder that goes before the others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        source = _CHANGES.pop(name, None)  # the second look for it, below, is left to the others
        if source is None:
            return None
        import importlib.util

        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        honestly = spec.loader.exec_module
        spec.loader.exec_module = lambda module: _load(module, honestly, source)  # type: ignore[method-assign]
        return spec


def _load(module: ModuleType, honestly: Callable[[ModuleType], object], source: str) -> None:
    import ast
    from types import SimpleNamespace

    honestly(module)
    known = vars(module)
    given = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    if lacking := [name for name in given if name not in known]:
        raise RuntimeError(
            f"{module.__name__} has no {', '.join(lacking)}: the twin is out of date"
        )
    known["honest"] = SimpleNamespace(**known)
    exec(source, known)


sys.meta_path.insert(0, _Within())
