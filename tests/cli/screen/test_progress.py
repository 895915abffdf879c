"""Progress of long work: one line on a terminal that names the step; nothing in a pipe."""

import sys

import pytest

from companion.cli.output import Ui
from companion.cli.screen.progress import describe_amount
from tests.cli.on_a_terminal import on_a_terminal

START = """
import sys, time
import companion.cli.screen.progress as progress
from companion.cli.output import Ui
progress.PATIENCE = {patience}
with Ui().progress("captured") as tell:
    {work}
print("rich" in sys.modules)
"""


def watch(work: str, *, patience: float = 0, **environment: str) -> str:
    code = START.format(patience=patience, work=work)
    return on_a_terminal([sys.executable, "-c", code], **environment)


def test_counts_show_on_a_terminal_and_only_when_work_lasts() -> None:
    slow = watch("tell(7); tell(5)")

    assert "captured 12" in slow
    assert "True" in slow
    assert watch("tell(7)", patience=60) == "False\r\n"


def test_a_step_is_named_with_its_count() -> None:
    work = "tell.begin('reading notes', 4000); tell(1500); time.sleep(.3)"

    assert "reading notes 1,500 of 4,000" in watch(work)


def test_a_step_that_counts_nothing_shows_too() -> None:
    work = "tell.begin('weighing pages'); time.sleep(1)"

    assert "weighing pages" in watch(work, patience=0.1)


def test_a_step_begins_its_count_anew() -> None:
    work = (
        "tell.begin('one', 9); tell(9); tell.begin('two', 5); tell(2);"
        " time.sleep(.3)"
    )

    assert "two 2 of 5" in watch(work)


def test_a_step_without_a_total_has_none_of_the_step_before() -> None:
    work = (
        "tell.begin('one', 9); tell(9); tell.begin('two'); time.sleep(.3);"
        " tell.begin('three', 4); tell(1); time.sleep(.3)"
    )
    written = watch(work)

    assert "two 0 s" in written
    assert "two 0 of" not in written
    assert "three 1 of 4" in written


def test_the_line_is_gone_when_the_work_is_done() -> None:
    written = watch("tell.begin('reading notes', 3); tell(1); time.sleep(.3)")

    # the last thing that the line does is to erase itself
    assert written.rindex("\x1b[2K") > written.rindex("reading notes")


@pytest.mark.parametrize("words", ["", "quiet=True"])
def test_nothing_shows_in_a_pipe_or_where_nobody_wants_it(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    with Ui(quiet=bool(words)).progress("captured") as progress:
        progress.begin("reading notes", 2)
        progress(1)

    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("done", "total", "seconds", "words"),
    [
        (0, None, 12, "12 s"),
        (12, None, 3, "12  3 s"),
        (0, 4000, 50, "0 of 4,000"),
        (100, 4000, 1, "100 of 4,000"),
        (1000, 4000, 20, "1,000 of 4,000, about 60 s left"),
        (10, 4000, 10, "10 of 4,000, about 66 min left"),
        (1, 4000, 10, "1 of 4,000, about 11.1 h left"),
        (4000, 4000, 20, "4,000 of 4,000, about 0 s left"),
    ],
)
def test_the_time_left_follows_from_the_pace(
    done: int, total: int | None, seconds: float, words: str
) -> None:
    assert describe_amount(done, total, seconds) == words
