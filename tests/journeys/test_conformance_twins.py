"""Twins that change the program from within name modules and functions that exist."""

import ast
import importlib
from pathlib import Path
from textwrap import dedent

import pytest

TWINS = Path(__file__).resolve().parents[2] / "conformance" / "twins"


def changes(twin: Path) -> dict[str, str]:
    """Return {module: source} of the call `within({...})` in *twin*; empty where there is none."""
    for node in ast.walk(ast.parse(twin.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "within":
            mapping = node.args[0]
            assert isinstance(mapping, ast.Dict)
            keys = [ast.literal_eval(key) for key in mapping.keys if key is not None]
            sources = [_text(value) for value in mapping.values]
            return dict(zip(keys, sources, strict=True))
    return {}


def _text(node: ast.expr) -> str:
    return ast.literal_eval(node) if isinstance(node, ast.Constant) else ""


INSIDE = [twin for twin in sorted(TWINS.glob("*.py")) if changes(twin)]


@pytest.mark.parametrize("twin", INSIDE, ids=lambda twin: twin.stem)
def test_a_twin_names_what_the_program_has(twin: Path) -> None:
    for module, source in changes(twin).items():
        known = vars(importlib.import_module(module))
        tree = ast.parse(dedent(source))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        honest = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "honest"
        }
        missing = (defined | honest) - known.keys()
        assert not missing, f"{module} has no {', '.join(sorted(missing))}"
