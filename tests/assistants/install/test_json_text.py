"""A value goes into a JSON text and out again, and every other byte stays."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assistants.install.json_text import (
    NotJson,
    Place,
    count_missing,
    put,
    take,
)

ENTRY = Place(("mcpServers",), "companion")
HOOK = Place(("hooks", "SessionStart"), None)
VALUE = {"command": "/usr/bin/companion", "args": ["mcp"]}

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
objects = st.dictionaries(
    st.text(max_size=4).filter(
        lambda name: name not in ("mcpServers", "hooks")
    ),
    values,
    max_size=3,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Return a settings file as people and programs write them."""
    document = draw(objects)
    if draw(st.booleans()):
        document["mcpServers"] = draw(objects)
    if draw(st.booleans()):
        document["hooks"] = {"SessionStart": draw(st.lists(values, max_size=2))}
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(document, indent=indent, ensure_ascii=draw(st.booleans()))
    return text + draw(st.sampled_from(["", "\n", "  \n\n"]))


@pytest.mark.parametrize("place", [ENTRY, HOOK])
@given(text=documents())
def test_what_was_put_in_comes_out_to_the_byte(place: Place, text: str) -> None:
    missing = count_missing(text, place.path)
    added = put(text, place, VALUE)
    expected = json.loads(text)
    inner: Any = expected
    for name in place.path[:-1]:
        inner = inner.setdefault(name, {})
    if place.key is None:
        items = inner.setdefault(place.path[-1], [])
        is_there = VALUE in items
        items.append(VALUE)
    else:
        inner = inner.setdefault(place.path[-1], {})
        is_there = place.key in inner
        inner[place.key] = VALUE

    assert json.loads(added) == expected
    if not is_there:
        assert list(json.loads(added)) == list(expected)
        assert take(added, place, VALUE, created=missing) == text


@given(text=documents(), indent=st.sampled_from([None, 2, "\t"]))
def test_it_comes_out_of_a_file_that_was_written_anew(
    text: str, indent: Any
) -> None:
    missing = count_missing(text, ENTRY.path)
    anew = json.dumps(json.loads(put(text, ENTRY, VALUE)), indent=indent)
    left = take(anew, ENTRY, VALUE, created=missing)

    assert json.loads(left) == json.loads(text)


def test_it_is_indented_as_its_neighbours_are() -> None:
    text = '{\n    "mcpServers": {\n        "other": {"url": "x"}\n    }\n}\n'

    assert put(text, ENTRY, {"a": [1]}) == (
        '{\n    "mcpServers": {\n        "other": {"url": "x"},\n'
        '        "companion": {\n            "a": [\n                1\n'
        "            ]\n        }\n    }\n}\n"
    )
    assert put('{"a":1.50}', ENTRY, 2) == (
        '{"a":1.50, "mcpServers": {"companion": 2}}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '{"a": 1,}',
        '// mine\n{"a": 1}',
        "{",
        '{"a": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"mcpServers": []}',
        '{"mcpServers": 7}',
    ],
)
def test_what_is_no_settings_file_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        put(text, ENTRY, VALUE)
