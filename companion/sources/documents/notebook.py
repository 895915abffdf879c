"""Jupyter notebooks: text, code and short outputs, cell by cell."""

import json
from typing import Any

from companion.errors import MALFORMED
from companion.sources.document import Document, Passage, Unreadable
from companion.sources.documents.blocks import split_blocks
from companion.sources.documents.text import (
    decode_text,
    find_links,
    find_title,
    is_text,
)
from companion.sources.reader import Reader

_MEDIA_TYPES = ("application/x-ipynb+json",)
_LINES = 20  # of an output; more is cut, and that is said
_WIDTH = 500  # characters of a line of an output


def recognise_notebook(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a notebook: an object of JSON that has cells."""
    if not head.lstrip().startswith(b"{") or not is_text(head):
        return False
    if b'"nbformat"' in head and b'"cells"' in head:
        return True
    return name.lower().endswith(".ipynb")


def read_notebook(content: bytes, name: str) -> Document:
    """Return the cells of the notebook *content*. Raises Unreadable."""
    text, _ = decode_text(content)
    try:
        notebook = json.loads(text)
        cells = _find_cells(notebook)
        language = _find_language(notebook)
        passages: list[Passage] = []
        cut = False
        for number, cell in enumerate(cells, start=1):
            passages += _read_cell(cell, f"cell {number}", language)
            cut = cut or _is_long(cell)
    except MALFORMED as error:
        raise Unreadable("truncated", "it is no whole notebook") from error
    shown = f"of long outputs the first {_LINES} lines are shown"
    return Document(
        title=_find_title(passages, name),
        passages=tuple(passages),
        links=find_links("\n".join(passage.text for passage in passages)),
        warnings=(shown,) if cut else (),
    )


def _find_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    if "worksheets" in notebook:  # version 3
        return [
            cell for sheet in notebook["worksheets"] for cell in sheet["cells"]
        ]
    cells: list[dict[str, Any]] = notebook["cells"]
    return cells


def _find_language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata", {})
    info = metadata.get("language_info") or metadata.get("kernelspec") or {}
    return str(
        info.get("name" if "language_info" in metadata else "language", "")
    )


def _read_cell(
    cell: dict[str, Any], place: str, language: str
) -> list[Passage]:
    source = _join(cell.get("source", cell.get("input", "")))
    kind = cell["cell_type"]
    if kind == "heading":  # version 3
        return [Passage(source, "heading", int(cell["level"]), place)]
    if kind != "code":
        return list(split_blocks(source, place=lambda first, last: place))
    passages = []
    if source.strip():
        passages.append(
            Passage(f"```{language}\n{source}\n```", "code", 0, place)
        )
    for output in cell.get("outputs", ()):
        said = _read_output(output)
        if said:
            shown = f"```\n{said}\n```"
            passages.append(Passage(shown, "code", 0, f"{place} output"))
    return passages


def _read_output(output: dict[str, Any]) -> str:
    """Return the text of an output, cut to some lines; pictures have none."""
    if output["output_type"] in ("error", "pyerr"):
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    lines = _say_output(output).strip("\n").split("\n")
    return "\n".join(line[:_WIDTH] for line in lines[:_LINES]).strip()


def _say_output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    return _join(output.get("text", data.get("text/plain", "")))


def _is_long(cell: dict[str, Any]) -> bool:
    for output in cell.get("outputs", ()):
        if _say_output(output).strip("\n").count("\n") >= _LINES:
            return True
    return False


def _join(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _find_title(passages: list[Passage], name: str) -> str:
    for passage in passages:
        if passage.kind == "heading":
            return passage.text
    return find_title(name)


READER = Reader("notebook", 1, _MEDIA_TYPES, recognise_notebook, read_notebook)
