"""Twins that change the program from within name modules, functions and values that exist."""

import ast
import builtins
import importlib
import symtable
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

TWINS = Path(__file__).resolve().parents[2] / "conformance" / "twins"


def changes(twin: Path) -> dict[str, str]:
    """Return {module: source} of the call `within({...})` in *twin*; empty where there is none."""
    for node in ast.walk(ast.parse(twin.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "within":
            mapping = node.args[0]
            assert isinstance(mapping, ast.Dict)
            keys = [
                ast.literal_eval(key) for key in mapping.keys if key is not None
            ]
            sources = [
                dedent(ast.literal_eval(value)) for value in mapping.values
            ]
            return dict(zip(keys, sources, strict=True))
    return {}


def missing(module: ModuleType, source: str) -> set[str]:
    """Return the names that *source* takes from *module*, and that the module does not have."""
    known = vars(module)
    tree = ast.parse(source)
    functions = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef)
    }
    # What the twin assigns and never reads, it assigns for the program to read.
    replaced = functions | _assigned(tree) - _read(tree)
    used = (
        _free_names(source)
        - _defined(tree)
        - vars(builtins).keys()
        - {"honest"}
    )
    absent = (replaced | used) - known.keys()
    return absent | set(_absent_attributes(tree, known))


def _free_names(source: str) -> set[str]:
    """Return the names that *source* reads and that no function of it binds."""
    tables = [symtable.symtable(source, "twin", "exec")]
    found: set[str] = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        symbols = table.get_symbols()
        found |= {
            each.get_name()
            for each in symbols
            if each.is_global() and each.is_referenced()
        }
        if table.get_type() == "module":
            found |= {
                each.get_name() for each in symbols if each.is_referenced()
            }
    return found


def _defined(tree: ast.Module) -> set[str]:
    """Return the names that the twin makes for itself: imports, classes, values that it reads."""
    names = _assigned(tree) & _read(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def _assigned(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign):
            parts = ast.walk(ast.Tuple(node.targets, ast.Store()))
            names |= {part.id for part in parts if isinstance(part, ast.Name)}
    return names


def _read(tree: ast.Module) -> set[str]:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _absent_attributes(
    tree: ast.Module, known: dict[str, object]
) -> Iterator[str]:
    """Yield `owner.name` where *owner* is a module or a class of the program without that name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(
            node.value, ast.Name
        ):
            continue
        owner = node.value.id
        if owner == "honest" and node.attr not in known:
            yield f"honest.{node.attr}"
        thing = known.get(owner)
        is_new = isinstance(node.ctx, ast.Store) and not isinstance(thing, type)
        if (
            isinstance(thing, (ModuleType, type))
            and not is_new
            and not hasattr(thing, node.attr)
        ):
            yield f"{owner}.{node.attr}"


INSIDE = [twin for twin in sorted(TWINS.glob("*.py")) if changes(twin)]


@pytest.mark.parametrize("twin", INSIDE, ids=lambda twin: twin.stem)
def test_a_twin_names_what_the_program_has(twin: Path) -> None:
    for name, source in changes(twin).items():
        module = importlib.import_module(name)
        absent = missing(module, source)
        assert not absent, f"{name} has no {', '.join(sorted(absent))}"
