"""Finds the program's own modules by their compiled files, which is most of what a cold start does.

A search loads 91 modules of this package, an answer 134. For each the usual finder looks through
the folder for every ending a module may have. Here the one file that Python wrote when the module
was last compiled is read at once. Where it is missing, of another Python or older than its source,
the usual finder goes on and compiles the module again.
"""

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import (
    MAGIC_NUMBER,
    PathFinder,
    SourceFileLoader,
)
from collections.abc import Sequence
from types import CodeType, ModuleType

#: magic number and flags of a file that is compared with its source by time and size
_HEAD = MAGIC_NUMBER + bytes(4)
_CODE = 16  # where the code begins, behind the time and the size
_WORD = 0xFFFFFFFF  # both are kept in 32 bits
_ENDING = f".{sys.implementation.cache_tag}.pyc"


def install() -> None:
    """Let this finder be asked before the usual one, if compiled files lie in their usual place."""
    if sys.pycache_prefix is None and not sys.flags.optimize:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), _Finder())


class _Loader(SourceFileLoader):
    """A loader that has the code already."""

    def __init__(self, name: str, source: str, code: CodeType) -> None:
        super().__init__(name, source)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code


class _Finder:
    """A finder for the modules of this package (`importlib.abc.MetaPathFinder`)."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how to load *name*; None where the usual finder has to."""
        if not path or not name.startswith("companion."):
            return None
        place = f"{path[0]}/{name.rpartition('.')[2]}"
        return _find_module(name, place) or _find_package(name, place)


def _find_module(name: str, place: str) -> ModuleSpec | None:
    return _find(name, f"{place}.py")


def _find_package(name: str, place: str) -> ModuleSpec | None:
    spec = _find(name, f"{place}/__init__.py")
    if spec is not None:
        spec.submodule_search_locations = [place]
    return spec


def _find(name: str, source: str) -> ModuleSpec | None:
    """Return the spec of the module whose source is *source*, if its compiled file is of today."""
    folder, _, file = source.rpartition("/")
    compiled = f"{folder}/__pycache__/{file[:-3]}{_ENDING}"
    try:
        with open(compiled, "rb", buffering=0) as stream:
            data = stream.read()
        told = os.stat(source)
    except OSError:
        return None
    if data[:_CODE] != _build_head(told):
        return None
    code = marshal.loads(memoryview(data)[_CODE:])
    spec = ModuleSpec(name, _Loader(name, source, code), origin=source)
    spec.cached = compiled
    spec.has_location = True
    return spec


def _build_head(source: os.stat_result) -> bytes:
    changed = int(source.st_mtime) & _WORD
    size = source.st_size & _WORD
    return _HEAD + changed.to_bytes(4, "little") + size.to_bytes(4, "little")
