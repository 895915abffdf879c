"""Load one module from a source of its own: `python -m tests.mutation.instead PATH FILE MODULE
WORDS...` runs MODULE with the one at PATH read from FILE.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import runpy
import sys
from pathlib import Path
from types import ModuleType


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Load the module at *path* from *source*."""

    def __init__(self, path: str, source: str) -> None:
        self.name = path.removesuffix(".py").replace("/", ".")
        self.path, self.source = path, source

    def find_spec(
        self, name: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a spec for the one module."""
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source in *module*."""
        exec(compile(self.source, self.path, "exec"), vars(module))


def main() -> None:
    """Run a module with another one loaded from a file."""
    path, file, module, *words = sys.argv[1:]
    source = Path(file).read_text(encoding="utf-8")
    sys.meta_path.insert(0, Instead(path, source))
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
