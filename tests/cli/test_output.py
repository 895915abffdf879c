"""What reaches a terminal, a pipe and a JSON reader."""

import io
import json
import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.cli.lines import Title, clean
from companion.cli.output import Ui, dumps
from tests.cli.on_a_terminal import on_a_terminal

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()))
HOSTILE = "\x1b]0;owned\x07\x9b31m\u202etxt\u2066\r\n\x00[bold]x[/x]\ud800"


def obeyed_by_terminals(char: str) -> bool:
    return (
        unicodedata.category(char) in ("Cc", "Cs") and char != "\t"
    ) or char in "\u202d\u202e\u2066\u2067\u2069"


@given(ANYTHING)
@example(HOSTILE)
def test_a_line_stays_one_line_without_controls(text: str) -> None:
    line = clean(text)

    assert not any(map(obeyed_by_terminals, line))
    assert len(line.splitlines()) <= 1
    line.encode()


@given(
    st.text(
        st.characters(
            codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp")
        )
    )
)
def test_ordinary_text_is_not_touched(text: str) -> None:
    assert clean(text) == text


def test_markup_is_text() -> None:
    assert clean("[bold]x[/x] *y* `z`") == "[bold]x[/x] *y* `z`"


@given(
    st.dictionaries(
        ANYTHING,
        st.one_of(ANYTHING, st.lists(ANYTHING), st.integers(), st.none()),
        max_size=4,
    )
)
@example({"a": HOSTILE})
def test_json_is_valid_and_inert_and_loses_nothing_but_lone_surrogates(
    doc: dict[str, object],
) -> None:
    printed = dumps(doc)

    assert not any(map(obeyed_by_terminals, printed.replace("\n", "")))
    assert all(
        json.loads(printed)[key] == value
        for key, value in doc.items()
        if whole(key) and whole(value)
    )
    json.loads(printed.encode())
    assert json.loads(dumps(doc, ascii_only=True)) == json.loads(printed)


def whole(value: object) -> bool:
    return not any(
        "\ud800" <= char <= "\udfff"
        for char in json.dumps(value, ensure_ascii=False)
    )


def test_a_stream_that_is_not_utf_8_gets_question_marks_and_valid_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))

    Ui().line("naïve")
    Ui().document({"a": "naïve"}, indent=None)
    Ui().flush()

    text, document = raw.getvalue().splitlines()
    assert text == b"na?ve"
    assert json.loads(document) == {"a": "naïve"}


def test_hints_are_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    Ui().hint("do this")
    Ui(quiet=True).hint("silence")
    Ui(json=True).hint("silence")

    assert capsys.readouterr() == ("", "hint: do this\n")


def test_titles_are_plain_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    Ui().line(Title("Buy milk"))

    assert capsys.readouterr().out == "Buy milk\n"


def test_stored_text_is_exact_in_a_pipe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Ui().verbatim("a\x1b[31m\r\nb")

    assert capsys.readouterr().out == "a\x1b[31m\r\nb"


def python_on_a_terminal(code: str, **environment: str) -> str:
    return on_a_terminal([sys.executable, "-c", code], **environment)


def test_on_a_terminal_titles_are_bold_and_stored_text_is_cleaned() -> None:
    code = (
        "from companion.cli.lines import Title; from companion.cli.output import Ui; ui = Ui(); ui.line(Title('T\\x1b[2J'));"
        " ui.verbatim('a\\x1b[31mb\\nc')"
    )

    assert python_on_a_terminal(code) == "\x1b[1mT[2J\x1b[0m\r\na[31mb\r\nc\r\n"
    assert "\x1b" not in python_on_a_terminal(code, NO_COLOR="1")
    assert "\x1b" not in python_on_a_terminal(code, TERM="dumb")


def test_a_hint_follows_its_result_also_where_both_streams_go_to_one_pipe() -> (
    None
):
    code = (
        "from companion.cli.output import Ui; ui = Ui(); ui.line('result'); ui.hint('next');"
        " ui.flush()"
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONUNBUFFERED"
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        check=True,
    )

    assert done.stdout == b"result\nhint: next\n"
