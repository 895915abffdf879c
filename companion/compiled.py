"""Finds the program's own modules by their compiled files, which is most of what a cold start does.

A search loads 90 modules of this package, an answer 134 and more. For each the usual finder looks
through the folder for every ending a module may have. Here the one file that Python wrote when the
module was last compiled is read at once. Where it is missing, of another Python or older than its
source, the usual finder goes on and compiles the module again.

What an everyday command needs is known beforehand (`ahead.txt`): it is loaded one module after the
other, each after those that it imports, so that Python's import finds it there.
"""

import gc
import marshal
import os
import sys
from _frozen_importlib import BuiltinImporter, FrozenImporter, ModuleSpec
from _frozen_importlib_external import (
    MAGIC_NUMBER,
    PathFinder,
    SourceFileLoader,
)
from collections.abc import Sequence
from types import CodeType, ModuleType

TYPE_CHECKING = (
    False  # a type checker takes it for true; `typing` is not loaded
)
if TYPE_CHECKING:
    from _typeshed.importlib import MetaPathFinderProtocol

#: for each everyday command a line: its name, and the modules it loads (`tests.cli.ahead` wrote it)
AHEAD = "ahead.txt"
#: magic number and flags of a file that is compared with its source by time and size
_HEAD = MAGIC_NUMBER + bytes(4)
_CODE = 16  # where the code begins, behind the time and the size
_WORD = 0xFFFFFFFF  # both are kept in 32 bits
_ENDING = f".{sys.implementation.cache_tag}.pyc"
_LARGEST = 1 << 16  # bytes of a compiled file that is read here


def install(words: Sequence[str] = ()) -> None:
    """Let this finder be asked before the usual one, if compiled files lie in their usual place,
    and load ahead what the command among *words* needs.
    """
    if sys.pycache_prefix is not None or sys.flags.optimize:
        return
    place = sys.meta_path.index(PathFinder)
    in_front = [
        finder
        for finder in sys.meta_path[:place]
        if finder not in (BuiltinImporter, FrozenImporter)
    ]
    sys.meta_path.insert(place, _Finder())
    gc.disable()  # what is loaded stays: there are no circles to look for
    try:
        load_ahead(os.path.dirname(__file__), words, in_front)
    finally:
        gc.freeze()
        gc.enable()


def load_ahead(
    folder: str,
    words: Sequence[str],
    in_front: "Sequence[MetaPathFinderProtocol]",
) -> None:
    """Load what the command among *words* needs and is not loaded yet, as far as no finder
    *in_front* has it and each compiled file is of today.
    """
    for name, source in _list_ahead(folder, words):
        if name in sys.modules:
            continue
        if any(one.find_spec(name, [folder]) for one in in_front):
            return
        spec = _find(name, source)
        if spec is None:
            return
        _load(spec)


def _list_ahead(folder: str, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return name and source of the modules that the command among *words* needs, each after those
    that it imports; none where it is not known, or where the package lies in no folder.
    """
    try:
        with open(f"{folder}/{AHEAD}", encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError:
        return []
    for line in lines:
        command, *parts = line.split(" ")
        if command in words:
            return [
                (_name_module(part), f"{folder}/{part}.py") for part in parts
            ]
    return []


def _name_module(part: str) -> str:
    """Return the name of the module in the file *part* of this package, without its ending."""
    return "companion." + part.removesuffix("/__init__").replace("/", ".")


def _load(spec: ModuleSpec) -> None:
    """Load a module whose parent is loaded.

    Does what `import` does in the end, without asking for it.
    """
    name = spec.name
    module = ModuleType(name)
    vars(module).update(
        __spec__=spec,
        __loader__=spec.loader,
        __package__=spec.parent,
        __file__=spec.origin,
        __cached__=spec.cached,
    )
    if spec.submodule_search_locations is not None:
        module.__path__ = spec.submodule_search_locations
    sys.modules[name] = module
    try:
        exec(spec.loader_state, vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    parent, _, own = name.rpartition(".")
    setattr(sys.modules[parent], own, module)


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
    return _find(name, f"{place}/__init__.py")


def _find(name: str, source: str) -> ModuleSpec | None:
    """Return the spec of the module whose source is *source*, if its compiled file is of today."""
    folder, _, file = source.rpartition("/")
    compiled = f"{folder}/__pycache__/{file[:-3]}{_ENDING}"
    try:
        data = _read(compiled)
        told = os.stat(source)
    except OSError:
        return None
    if data[:_CODE] != _build_head(told) or len(data) == _LARGEST:
        return None
    code = marshal.loads(memoryview(data)[_CODE:])
    loader = _Loader(name, source, code)
    spec = ModuleSpec(name, loader, origin=source, loader_state=code)
    spec.cached = compiled
    spec.has_location = True
    if file == "__init__.py":
        spec.submodule_search_locations = [folder]
    return spec


def _read(path: str) -> bytes:
    """Return the first bytes of a file, in three calls of the system. Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, _LARGEST)
    finally:
        os.close(file)


def _build_head(source: os.stat_result) -> bytes:
    changed = int(source.st_mtime) & _WORD
    size = source.st_size & _WORD
    return _HEAD + changed.to_bytes(4, "little") + size.to_bytes(4, "little")
