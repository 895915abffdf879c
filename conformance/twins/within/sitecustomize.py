"""Python runs this file before the program under test, to replace functions in its modules.

CONFORMANCE_WITHIN has the names of modules and the source to run in each when it is loaded. In that
source `honest` holds the module's own names. A function that the module does not have is an error,
because the twin is then out of date.
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
    """Find the modules to change, before the other finders do."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: object = None,
    ) -> ModuleSpec | None:
        source = _CHANGES.get(name)
        if source is None or name in self.asked:
            return None
        import importlib.util

        # find_spec() asks the other finders. The change stays: whoever only looks loads nothing.
        self.asked.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.asked.remove(name)
        if spec is None or spec.loader is None:
            return None
        honestly = spec.loader.exec_module
        spec.loader.exec_module = lambda module: _load(module, honestly, source)  # type: ignore[method-assign]
        return spec


def _load(
    module: ModuleType, honestly: Callable[[ModuleType], object], source: str
) -> None:
    import ast
    from types import SimpleNamespace

    honestly(module)
    known = vars(module)
    body = ast.parse(source).body
    functions = [
        node.name for node in body if isinstance(node, ast.FunctionDef)
    ]
    missing = [name for name in functions if name not in known]
    if missing:
        raise RuntimeError(
            f"{module.__name__} has no {', '.join(missing)}: the twin is out of date"
        )
    known["honest"] = SimpleNamespace(**known)
    exec(source, known)


sys.meta_path.insert(0, _Within())
