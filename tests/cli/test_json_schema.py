"""The shapes of ``--json`` are those of the types, and the golden documents have them."""

import subprocess
import sys
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

from companion.cli.json_schema import ERROR_SHAPE, SHAPES, shape_of
from tests.cli import golden
from tests.cli.golden.lives import LIVES
from tests.cli.shapes import mismatch


class Point(NamedTuple):
    x: int
    y: float | None


class Whole(TypedDict):
    kind: Literal["a", "b"] | None
    points: list[Annotated[dict[str, Any], Point]]
    counts: dict[str, int]
    detail: Any
    note: NotRequired[str]


def test_a_type_becomes_its_shape() -> None:
    point = {"x": "int", "y": "float | null"}

    assert shape_of(Whole) == {
        "kind": "'a' | 'b' | null",
        "points": [point],
        "counts": {"*": "int"},
        "detail": "any",
        "note?": "str",
    }
    assert shape_of(Whole | None) == {"one of": ["null", shape_of(Whole)]}


@pytest.mark.parametrize("hint", [set[str], object, Point])
def test_a_type_without_a_shape_is_an_error(hint: Any) -> None:
    with pytest.raises(TypeError, match="no shape in JSON"):
        shape_of(hint)


@pytest.mark.parametrize("name", LIVES)
def test_golden_documents_have_the_shapes(name: str) -> None:
    for call in golden.read(name):
        for document in documents(call):
            shape = shape_for(call["argv"], document)
            assert mismatch(shape, document) is None, call["argv"]


def documents(call: dict[str, Any]) -> list[Any]:
    """Return the documents of a call: a stream prints several."""
    document = call["document"]
    return document if isinstance(document, list) else [document]


def shape_for(words: list[str], document: dict[str, Any]) -> Any:
    """Return the shape that *document* should have."""
    if "error" in document:
        return ERROR_SHAPE
    if "help" in document:
        return {"help": "str"}
    if "version" in document:
        return {"version": "str"}
    if "reasoners" in document:
        return {
            "*": "any"
        }  # golden documents hold no values that differ by machine
    # a call without a command is the morning
    return SHAPES[next((word for word in words if word in SHAPES), "morning")]


@pytest.mark.parametrize(
    "command", ["ingest", "search", "status", "show", "why", "log", "triage"]
)
def test_a_quick_command_reads_no_types_of_results(command: str) -> None:
    code = (
        "import sys; from companion.cli import commands\n"
        f"commands.load({command!r})\n"
        "import companion.lookup.search, companion.operations.triage.capture\n"
        "import companion.reading.status, companion.reading.entry.show\n"
        "import companion.reading.why, companion.reading.log\n"
        "sys.exit(any(name.endswith('.results') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
