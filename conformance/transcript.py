"""Compare terminal transcripts: `$ command` lines, and below each its expected output.

`[..]` stands for any text within a line, a line `…` for any number of lines, `> ` continues a
command, and `[exit 65]` ends the output of a command whose exit code is not 0. Only standard output
is compared; a case about an error message writes `2>&1`.
"""

import re
from collections.abc import Iterator
from difflib import ndiff
from itertools import takewhile
from typing import NamedTuple

EXIT = re.compile(r"^\[exit (\d+)\]$")
ANY_LINES = "…"


class Step(NamedTuple):
    """One command and its expected answer."""

    command: str
    expected: tuple[str, ...]
    exit: int


class Answer(NamedTuple):
    """The output of a command and its exit code."""

    out: str
    err: str
    exit: int


def steps(body: str) -> list[Step]:
    """Split a console block into its commands."""
    return [_step(chunk) for chunk in _chunks(body.splitlines())]


def _chunks(lines: list[str]) -> Iterator[list[str]]:
    starts = [
        number for number, line in enumerate(lines) if line.startswith("$ ")
    ]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def _step(chunk: list[str]) -> Step:
    length = _length(chunk)
    command = "\n".join(line[2:] for line in chunk[:length])
    expected = _trimmed(chunk[length:])
    code = EXIT.match(expected[-1]) if expected else None
    if code:
        return Step(command, tuple(expected[:-1]), int(code[1]))
    return Step(command, tuple(expected), 0)


def _length(chunk: list[str]) -> int:
    """Return how many lines the command has."""
    continued = takewhile(
        lambda line: line == ">" or line.startswith("> "), chunk[1:]
    )
    return 1 + len(list(continued))


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def matches(step: Step, answer: Answer) -> bool:
    """Tell whether *answer* has the output and the exit code that *step* expects."""
    lines = _trimmed(answer.out.splitlines())
    return answer.exit == step.exit and _lines_match(list(step.expected), lines)


def _lines_match(expected: list[str], got: list[str]) -> bool:
    if not expected:
        return not got
    if expected[0] == ANY_LINES:
        return any(
            _lines_match(expected[1:], got[skip:])
            for skip in range(len(got) + 1)
        )
    return (
        bool(got)
        and _line_matches(expected[0], got[0])
        and _lines_match(expected[1:], got[1:])
    )


def _line_matches(expected: str, got: str) -> bool:
    parts = [re.escape(part) for part in expected.split("[..]")]
    return re.fullmatch(".*".join(parts), got) is not None


def complaint(step: Step, answer: Answer) -> str:
    """Return the difference: lines that were expected (`-`) and lines that were printed (`+`)."""
    printed = _trimmed(answer.out.splitlines())
    lines = [f"$ {step.command}", *_difference(list(step.expected), printed)]
    if answer.exit != step.exit:
        lines += [f"- [exit {step.exit}]", f"+ [exit {answer.exit}]"]
    lines += [f"stderr: {line}" for line in answer.err.splitlines()[-12:]]
    return "\n".join(lines)


def _difference(expected: list[str], got: list[str]) -> list[str]:
    if len(expected) == len(got):
        # A line that matches by `[..]` is no difference.
        pairs = zip(expected, got, strict=True)
        expected = [
            real if _line_matches(want, real) else want for want, real in pairs
        ]
    return [line for line in ndiff(expected, got) if not line.startswith("?")]


def rewritten(body: str, answers: list[Answer]) -> str:
    """Return the block with each output that no longer matches replaced by the one of *answers*."""
    lines = body.splitlines()
    done = list(takewhile(lambda line: not line.startswith("$ "), lines))
    for number, (chunk, step) in enumerate(
        zip(_chunks(lines), steps(body), strict=True)
    ):
        if number >= len(answers) or matches(step, answers[number]):
            done += chunk
        else:
            done += chunk[: _length(chunk)]
            done += _output_lines(answers[number])
    return "".join(line + "\n" for line in done)


def _output_lines(answer: Answer) -> list[str]:
    lines = _trimmed(answer.out.splitlines())
    if answer.exit:
        lines.append(f"[exit {answer.exit}]")
    return lines
