"""JSON by its parts in C says what `json` says."""

import json
from typing import Any

import pytest

from companion import json_text

VALUES: list[Any] = [
    None,
    True,
    -3,
    2.5,
    1e300,
    float("inf"),
    "",
    'Straße \u2028 \U0001f642 \ud800 "quoted" \\ \n',
    [],
    {},
    {"b": [1, {"a": ()}], "a": "é"},
    [["deep"] * 3] * 3,
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_it_writes_and_reads_what_json_does(
    value: Any, ascii_only: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, sort_keys=True)
    written = json_text.dumps(value, ensure_ascii=ascii_only, sort_keys=True)
    assert written == text
    assert json_text.loads(f" \n{text}\t") == json.loads(text)
    narrow = json_text.dumps(value, separators=(",", ":"))
    assert narrow == json.dumps(value, separators=(",", ":"))


def test_bytes_are_read_as_utf_8() -> None:
    assert json_text.loads('["Müller"]'.encode()) == ["Müller"]
    assert json_text.loads('["Müller"]'.encode("utf-16")) == ["Müller"]


@pytest.mark.parametrize(
    "text", ["", "[1,", '"open', "{a}", "[1] 2", "\ufeff1", b"\xff", "nul"]
)
def test_a_fault_is_told_as_json_tells_it(text: str | bytes) -> None:
    with pytest.raises(ValueError) as by_json:
        json.loads(text)
    with pytest.raises(ValueError) as found:
        json_text.loads(text)
    assert str(found.value) == str(by_json.value)


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        json_text.dumps({"a": {1}})
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="Circular"):
        json_text.dumps(circle)


@pytest.mark.parametrize("value", [None, 7, ["[]"]])
def test_what_is_no_text_is_refused_as_by_json(value: Any) -> None:
    with pytest.raises(TypeError):
        json_text.loads(value)
