"""What a person sees on a terminal: wrapped at words, aligned, coloured; a pipe stays plain."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from companion.cli.lines import (
    Aside,
    Change,
    Field,
    Found,
    Passage,
    Remark,
    Row,
    Title,
)
from companion.cli.screen.terminal import draw, wrap
from tests.cli.on_a_terminal import on_a_terminal

WIDTHS = (60, 80, 200)
LONG = (
    "The carrier changed its claim window in May, so a shop may refund up to 30 days after the "
    "delivery of a parcel, and accounting books it in the month in which the parcel came back."
)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "Nd", "P")))
LINES = st.lists(WORDS, max_size=30).map(" ".join)


def program(wiki: Path, *words: str) -> list[str]:
    start = "import sys; from companion.__main__ import main; sys.exit(main())"
    return [sys.executable, "-c", start, "-C", str(wiki), *words]


def in_a_pipe(wiki: Path, *words: str) -> str:
    done = subprocess.run(
        program(wiki, *words), capture_output=True, text=True, check=False
    )
    return done.stdout


def seen(written: str) -> list[str]:
    """Return the lines that a person sees: without colours."""
    return ESCAPE.sub("", written).replace("\r", "").splitlines()


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal") / "wiki"
    for words in (
        ["init"],
        ["ingest", "--title", "Refunds", f"{LONG}\n\n- {LONG}"],
        ["consolidate"],
    ):
        subprocess.run(
            program(folder, *words),
            check=True,
            capture_output=True,
            env=os.environ | _PERSON,
        )
    return folder


_PERSON = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


@given(LINES, st.integers(20, 200))
def test_wrapping_loses_no_word_and_breaks_none(line: str, width: int) -> None:
    parts = wrap(line, width)

    assert "".join(" ".join(parts).split()) == "".join(line.split())
    for part in parts:
        assert cell_len(part) <= width or len(part.split()) <= 1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_wrapped_line_keeps_its_indent(width: int) -> None:
    assert all(part.startswith("    ") for part in wrap("    " + LONG, width))
    first, *rest = wrap(f"  - {LONG}", width)
    assert first.startswith("  - The")
    assert all(re.match(r" {4}\S", part) for part in rest)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_of_line_fits(width: int) -> None:
    kinds = [
        Title(LONG),
        Aside(f"  {LONG}"),
        Change(f"+{LONG}"),
        Passage(f"  {LONG}", ["parcel"]),
        Remark(f"hint: {LONG}"),
        Field("pending", LONG),
        Row("2026-05-10 23:00", "consolidate", LONG),
    ]

    drawn = draw(kinds, width=width, colour=False).splitlines()

    assert max(map(len, drawn)) <= width
    words = " ".join(" ".join(drawn).split())
    assert words.count(LONG) == len(kinds)


def test_rows_stand_in_columns_and_their_text_beside_them() -> None:
    rows = [Field("pending", "3"), Field("only here", LONG)]

    assert draw(rows, width=60, colour=False).splitlines()[:3] == [
        "pending    3",
        "only here  The carrier changed its claim window in May, so a",
        "           shop may refund up to 30 days after the delivery",
    ]


def test_rows_too_wide_for_a_table_become_paragraphs() -> None:
    rows = [Row("entries/2026/03/a-page-with-a-long-name.md", LONG, indent=2)]

    first, second, *_ = draw(rows, width=60, colour=False).splitlines()
    assert first.startswith("  entries/2026/03/a-page-with-a-long-name.md  The")
    assert re.match(r" {6}\S", second)


def test_a_path_is_never_broken() -> None:
    path = "entries/2026/03/" + "a-very-long-name-" * 8 + ".md"

    for line in (path, Field("wiki", path), Row("a", "b", path)):
        assert path in draw([line], width=60, colour=False).splitlines()[-1]


def test_a_hit_highlights_the_words_that_were_looked_for() -> None:
    line = Passage("Refunds until the delivery of [bold]x[/bold]", ["refund"])

    assert draw([line], width=80, colour=True) == (
        "\x1b[1;33mRefunds\x1b[0m until the delivery of [bold]x[/bold]\n"
    )


def test_text_that_has_no_spaces_wraps_too() -> None:
    line = "  " + "私は昨日東京に行きました。" * 8

    drawn = draw([line], width=60, colour=False).splitlines()
    assert max(map(cell_len, drawn)) <= 60
    assert all(part.startswith("  私") or part[:2] == "  " for part in drawn)


@pytest.mark.parametrize("columns", WIDTHS)
def test_pages_and_errors_wrap_at_the_terminal_s_width(
    wiki: Path, columns: int
) -> None:
    lines = seen(
        on_a_terminal(program(wiki, "show", "refunds"), columns=columns)
    )

    assert max(map(len, lines)) <= columns
    assert "\n".join(lines).count("claim window") == 2
    item = next(number for number, line in enumerate(lines) if line[:2] == "- ")
    assert all(re.match(r"  \S", line) for line in lines[item + 1 :])
    wrong = seen(
        on_a_terminal(program(wiki, "ingest", "/no/file.md"), columns=columns)
    )
    assert max(map(len, wrong)) <= columns
    assert wrong[0] == "error: no such file: /no/file.md"


@pytest.mark.parametrize("columns", WIDTHS)
def test_every_help_fits_the_terminal(wiki: Path, columns: int) -> None:
    lines = seen(on_a_terminal(program(wiki, "--help"), columns=columns))

    assert max(map(len, lines)) <= columns
    assert any("consolidate" in line for line in lines)


def test_a_search_is_coloured_on_a_terminal(wiki: Path) -> None:
    hit = on_a_terminal(program(wiki, "search", "parcel"))

    assert "\x1b[1mRefunds\x1b[0m" in hit
    assert "\x1b[1;33mparcel\x1b[0m" in hit


@pytest.mark.parametrize("columns", [60, 100])
def test_a_result_has_one_line_with_the_words_looked_for(columns: int) -> None:
    words = "word " * 40 + "the parcel came " + "behind " * 40
    found = Found.make("Refunds", words, "entries/refunds.md", ["parcel"])

    (line,) = draw([found], width=columns, colour=False).splitlines()

    assert len(line) <= columns
    assert line.startswith("Refunds: …") and "parcel" in line
    assert line.endswith("…  · entries/refunds.md")


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color_and_dumb_terminals_get_no_escapes(
    wiki: Path, plain: dict[str, str]
) -> None:
    for words in (["search", "parcel"], ["status"], ["show", "nothing"]):
        written = on_a_terminal(program(wiki, *words), columns=60, **plain)

        assert "\x1b" not in written
        assert max(map(len, seen(written))) <= 60 or words == ["status"]


def test_a_pipe_is_plain_and_never_wrapped(wiki: Path) -> None:
    page = in_a_pipe(wiki, "show", "refunds")

    assert "\x1b" not in page
    assert f"- {LONG}" in page.splitlines()


def test_a_pipe_and_a_short_line_on_a_terminal_load_no_rich() -> None:
    code = (
        "import sys; from companion.cli.lines import Title; from companion.cli.output import Ui\n"
        "ui = Ui(); "
        "ui.line({line}); ui.flush(); print('rich' in sys.modules)"
    )
    short = [sys.executable, "-c", code.format(line="'captured'")]
    titled = [sys.executable, "-c", code.format(line="Title('a title')")]

    assert on_a_terminal(short).endswith("False\r\n")
    assert on_a_terminal(titled).endswith("True\r\n")
    piped = subprocess.run(titled, capture_output=True, text=True, check=True)
    assert piped.stdout == "a title\nFalse\n"
