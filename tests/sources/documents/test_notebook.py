"""Notebooks: text, code and short outputs, in their cells."""

import json

import pytest

from companion.sources.document import Unreadable
from companion.sources.documents.notebook import READER, read_notebook
from tests.sources.samples import load


def _notebook(*cells: dict[str, object]) -> bytes:
    info = {"language_info": {"name": "python"}}
    content = {
        "cells": cells,
        "metadata": info,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content).encode()


TEXT = {
    "cell_type": "markdown",
    "source": ["# Firings\n", "\n", "Fired *twice*."],
}
CODE = {
    "cell_type": "code",
    "source": "print(2)",
    "outputs": [
        {"output_type": "stream", "name": "stdout", "text": ["2\n"]},
        {"output_type": "display_data", "data": {"image/png": "iVBOR" * 9}},
        {
            "output_type": "error",
            "ename": "KeyError",
            "evalue": "'x'",
            "traceback": [],
        },
    ],
}


def test_cells_are_passages_with_their_numbers():
    passages = read_notebook(_notebook(TEXT, CODE), "x.ipynb").passages

    assert [(item.kind, item.text, item.place) for item in passages] == [
        ("heading", "Firings", "cell 1"),
        ("paragraph", "Fired *twice*.", "cell 1"),
        ("code", "```python\nprint(2)\n```", "cell 2"),
        ("code", "```\n2\n```", "cell 2 output"),
        ("code", "```\nKeyError: 'x'\n```", "cell 2 output"),
    ]


def test_a_long_output_is_cut_and_that_is_said():
    output = {"output_type": "stream", "text": "line\n" * 500}
    document = read_notebook(
        _notebook({"cell_type": "code", "source": "", "outputs": [output]}), "x"
    )

    assert document.passages[0].text.count("line") == 20
    assert document.warnings


def test_a_notebook_of_pandoc_keeps_its_words():
    assert "Müller & Søn" in read_notebook(load("pandoc.ipynb"), "x").text


def test_the_old_format_is_read():
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": "1 + 1", "outputs": []},
    ]
    content = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]})

    assert read_notebook(content.encode(), "x").title == "Old"


@pytest.mark.parametrize(
    "content",
    [
        b'{"cells": [',
        b'{"cells": 3, "nbformat": 4}',
        b'{"nbformat": 4}',
        b"[]",
        b'{"cells": ' + b"[" * 100_000,
        b'{"cells": [{"cell_type": "code", "outputs": [1]}]}',
    ],
)
def test_what_is_no_whole_notebook_says_so(content):
    with pytest.raises(Unreadable) as caught:
        read_notebook(content, "x.ipynb")

    assert caught.value.code == "truncated"


def test_other_json_is_no_notebook():
    assert READER.recognises(_notebook(TEXT), "x")
    assert not READER.recognises(b'{"cells": 1}', "x.json")
    assert not READER.recognises(b"[]", "x.ipynb")
