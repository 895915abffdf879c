"""The program's modules are those that Python would load, found by their compiled files."""

import importlib.util
import os
import py_compile
import subprocess
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest

from companion import compiled


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one module, and a package in it; all compiled."""
    for name, text in (
        ("rooms.py", "def ask():\n    raise LookupError('nobody')\n"),
        ("house/__init__.py", "NAME = 'house'\n"),
    ):
        source = tmp_path / name
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        py_compile.compile(str(source), doraise=True)
    return tmp_path


@pytest.fixture
def finders() -> Iterator[None]:
    before = list(sys.meta_path)
    yield
    sys.meta_path[:] = before


def find(package: Path, name: str) -> ModuleSpec | None:
    return compiled._Finder().find_spec(f"companion.{name}", [str(package)])


def load(spec: ModuleSpec) -> dict[str, object]:
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return vars(module)


@pytest.mark.parametrize("name", ["rooms", "house"])
def test_a_module_is_what_python_loads(package: Path, name: str) -> None:
    found = find(package, name)
    usual = PathFinder.find_spec(f"companion.{name}", [str(package)])
    assert found and usual

    ours, theirs = load(found), load(usual)

    assert ours.keys() == theirs.keys()
    for said in ("__name__", "__file__", "__cached__", "__package__"):
        assert ours[said] == theirs[said]
    assert ours.get("__path__") == theirs.get("__path__")


def test_an_error_in_it_shows_its_line(package: Path) -> None:
    found = find(package, "rooms")
    assert found
    ask = load(found)["ask"]

    with pytest.raises(LookupError) as told:
        ask()  # type: ignore[operator]

    assert "raise LookupError" in "".join(traceback.format_tb(told.tb))


def test_an_edited_source_is_left_to_python(package: Path) -> None:
    source = package / "rooms.py"
    assert find(package, "rooms")

    source.write_text("def ask():\n    raise LookupError('nobody!')\n")
    assert not find(package, "rooms")  # another size

    source.write_text("def ask():\n    raise LookupError('no one')\n")
    os.utime(source, (1, 1))
    assert not find(package, "rooms")  # another time


@pytest.mark.parametrize("head", [b"", b"\0\0\0\0", b"an old Python's file"])
def test_a_compiled_file_of_another_python_is_left(
    package: Path, head: bytes
) -> None:
    file = Path(importlib.util.cache_from_source(str(package / "rooms.py")))
    file.write_bytes(head + file.read_bytes()[len(head) :] if head else b"")
    assert not find(package, "rooms")


def test_a_module_that_was_never_compiled_is_left(package: Path) -> None:
    (package / "new.py").write_text("NEW = True\n")
    assert not find(package, "new")
    assert not find(package, "nothing")


def test_modules_of_others_are_left(package: Path) -> None:
    finder = compiled._Finder()
    assert not finder.find_spec("rooms", None)
    assert not finder.find_spec("elsewhere.rooms", [str(package)])


@pytest.mark.usefixtures("finders")
def test_where_compiled_files_lie_elsewhere_nothing_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = list(sys.meta_path)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    compiled.install()
    assert sys.meta_path == before


@pytest.mark.usefixtures("finders")
def test_who_put_a_finder_in_front_is_asked_before() -> None:
    """So mutants and other tools keep what they give."""
    before = list(sys.meta_path)
    compiled.install()
    assert isinstance(sys.meta_path[before.index(PathFinder)], compiled._Finder)


@pytest.fixture
def known(package: Path) -> Iterator[Path]:
    """A package named `companion`, of which one command needs all."""
    package.joinpath(compiled.AHEAD).write_text(
        "other\nsearch house/__init__ rooms\n"
    )
    names = ("companion.rooms", "companion.house")
    before = {name: sys.modules.pop(name, None) for name in names}
    yield package
    for name in names:
        sys.modules.pop(name, None)
        vars(sys.modules["companion"]).pop(name.split(".")[1], None)
    sys.modules.update({k: v for k, v in before.items() if v})


def is_loaded(name: str) -> bool:
    return f"companion.{name}" in sys.modules


@pytest.mark.parametrize("name", ["rooms", "house"])
def test_a_module_loaded_ahead_is_what_python_loads(
    known: Path, name: str
) -> None:
    usual = PathFinder.find_spec(f"companion.{name}", [str(known)])
    assert usual

    compiled.load_ahead(str(known), ["-C", "x", "search", "gate"], [])

    ours, theirs = vars(sys.modules[f"companion.{name}"]), load(usual)
    assert ours.keys() == theirs.keys()
    for said in ("__name__", "__file__", "__cached__", "__package__"):
        assert ours[said] == theirs[said]
    assert ours.get("__path__") == theirs.get("__path__")
    assert (
        getattr(sys.modules["companion"], name)
        is sys.modules[f"companion.{name}"]
    )


def test_a_module_that_is_loaded_is_not_loaded_again(known: Path) -> None:
    compiled.load_ahead(str(known), ["search"], [])
    house = sys.modules["companion.house"]

    compiled.load_ahead(str(known), ["search"], [])

    assert sys.modules["companion.house"] is house


def test_what_no_everyday_command_needs_is_not_loaded_ahead(
    known: Path,
) -> None:
    compiled.load_ahead(str(known), ["serch", "x"], [])
    assert not is_loaded("house")


def test_a_module_of_another_finder_is_not_loaded_ahead(known: Path) -> None:
    class Other:
        @staticmethod
        def find_spec(name: str, path: object) -> ModuleSpec | None:
            return ModuleSpec(name, None) if name.endswith("rooms") else None

    compiled.load_ahead(str(known), ["search"], [Other])  # type: ignore[list-item]

    assert is_loaded("house")
    assert not is_loaded("rooms")


def test_from_an_edited_source_on_python_loads(known: Path) -> None:
    known.joinpath("house/__init__.py").write_text("NAME = 'a house'\n")
    compiled.load_ahead(str(known), ["search"], [])
    assert not is_loaded("house")
    assert not is_loaded("rooms")


def test_a_module_that_fails_is_not_left_half_loaded(known: Path) -> None:
    source = known / "rooms.py"
    source.write_text("1 / 0\n")
    py_compile.compile(str(source), doraise=True)

    with pytest.raises(ZeroDivisionError) as told:
        compiled.load_ahead(str(known), ["search"], [])

    assert "1 / 0" in "".join(traceback.format_tb(told.tb))
    assert not is_loaded("rooms")


def test_the_installed_program_loads_its_modules_so(tmp_path: Path) -> None:
    """Each module of a second run has the loader of this finder."""
    lines = [
        "import sys",
        "from companion.__main__ import main",
        "sys.argv = ['companion', 'status', '-C', 'nowhere']",
        "import os; os._exit = lambda code: None",
        "main()",
        "loaded = [m for n, m in sys.modules.items() if n.startswith('companion.')]",
        "by = {type(m.__spec__.loader).__name__ for m in loaded if m.__name__ not in"
        " ('companion.__main__', 'companion.compiled')}",
        "print(len(loaded) > 10, by)",
    ]
    environment = {
        key: value
        for key, value in os.environ.items()
        if key != "PYTHONDONTWRITEBYTECODE"
    }
    for _ in range(2):
        told = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    assert told.stdout.splitlines()[-1] == "True {'_Loader'}"
