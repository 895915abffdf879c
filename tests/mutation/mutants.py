"""Mutants of one file, made by the operators of cosmic-ray."""

import ast
import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# families of operators; what mutates annotations (`int | None`) breaks no rule
FAMILIES = (
    "core/ReplaceComparisonOperator",
    "core/NumberReplacer",
    "core/ReplaceTrueWithFalse",
    "core/ReplaceFalseWithTrue",
    "core/ReplaceAndWithOr",
    "core/ReplaceOrWithAnd",
    "core/AddNot",
    "core/ReplaceBreakWithContinue",
    "core/ReplaceContinueWithBreak",
    "core/ZeroIterationForLoop",
    "core/ReplaceBinaryOperator_Add_Sub",
    "core/ReplaceBinaryOperator_Sub_Add",
    "core/ReplaceBinaryOperator_Mul_Div",
    "core/ReplaceBinaryOperator_Div_Mul",
    "core/ReplaceBinaryOperator_Pow_Mul",
    "core/ReplaceUnaryOperator_USub_UAdd",
    "core/ReplaceUnaryOperator_Delete_Not",
)
# True where a comparison by identity or of types would be made: no program of ours does so
NEEDLESS = ("_Is", "_IsNot")
# beginnings whose change breaks no rule: of a signature, and of what is imported for types alone
IDLE = ("*,", "TYPE_CHECKING:")


class Mutant(NamedTuple):
    """One change of one file."""

    path: str
    operator: str
    occurrence: int
    line: int

    @property
    def name(self) -> str:
        """The words for it in a report."""
        return f"{self.path}:{self.line} {self.operator.removeprefix('core/')}"


def list_mutants(path: str) -> Iterator[Mutant]:
    """Yield every mutant of the file *path*."""
    source = Path(path).read_text(encoding="utf-8")
    lines = source.splitlines()
    tree = get_ast(source)
    for name in operator_names():
        if not name.startswith(FAMILIES) or name.endswith(NEEDLESS):
            continue
        for place, mutant in _list_by_operator(path, name, tree):
            rest = lines[mutant.line - 1][place:].removeprefix("if ")
            if not rest.startswith(IDLE):
                yield mutant


def _list_by_operator(
    path: str, name: str, tree: object
) -> Iterator[tuple[int, Mutant]]:
    """Yield every mutant of one operator, and in which column it changes its line."""
    operator = get_operator(name)()
    occurrence = 0
    for node in _walk(tree):
        for start, _ in operator.mutation_positions(node):
            yield start[1], Mutant(path, name, occurrence, start[0])
            occurrence += 1


def _walk(node: object) -> Iterator[object]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _walk(child)


def apply(mutant: Mutant) -> str:
    """Return the source with the change of *mutant*; "" where it changes nothing, or is no Python:
    a file that cannot be read tells nothing of its tests.
    """
    source = Path(mutant.path).read_text(encoding="utf-8")
    operator = get_operator(mutant.operator)()
    changed = mutate_code(source, operator, mutant.occurrence)
    if changed in (None, source) or not _is_python(str(changed)):
        return ""
    return str(changed)


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def describe(mutant: Mutant) -> str:
    """Return the lines that *mutant* takes and gives."""
    before = Path(mutant.path).read_text(encoding="utf-8").splitlines()
    after = apply(mutant).splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return "\n".join(f"    {line}" for line in list(lines)[3:])
