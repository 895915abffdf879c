"""Terminal transcripts: `$ command` lines and what the terminal should answer.

`[..]` stands for any text within a line, a line `…` for any lines at all, `> ` continues a command,
and `[exit 65]` ends an answer whose exit code is not 0. Only standard output is compared: a case
that is about a message says `2>&1`.
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
    """What a command really said."""

    out: str
    err: str
    exit: int


def steps(body: str) -> list[Step]:
    """Split a console block into its commands."""
    return [_step(chunk) for chunk in _chunks(body.splitlines())]


def _chunks(lines: list[str]) -> Iterator[list[str]]:
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start:end]


def _step(chunk: list[str]) -> Step:
    length = _length(chunk)
    rest = _trimmed(chunk[length:])
    code = EXIT.match(rest[-1]) if rest else None
    return Step(
        "\n".join(line[2:] for line in chunk[:length]),
        tuple(rest[:-1] if code else rest),
        int(code[1]) if code else 0,
    )


def _length(chunk: list[str]) -> int:
    """How many lines the command takes."""
    return 1 + sum(
        1 for _ in takewhile(lambda line: line == ">" or line.startswith("> "), chunk[1:])
    )


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def matches(step: Step, answer: Answer) -> bool:
    """Does *answer* say what the transcript promises?"""
    return answer.exit == step.exit and _lines_match(
        list(step.expected), _trimmed(answer.out.splitlines())
    )


def _lines_match(expected: list[str], got: list[str]) -> bool:
    if not expected:
        return not got
    if expected[0] == ANY_LINES:
        return any(_lines_match(expected[1:], got[skip:]) for skip in range(len(got) + 1))
    return bool(got) and _line_matches(expected[0], got[0]) and _lines_match(expected[1:], got[1:])


def _line_matches(expected: str, got: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, expected.split("[..]"))), got) is not None


def complaint(step: Step, answer: Answer) -> str:
    """What went wrong, as lines to remove (`-`, promised) and to add (`+`, said)."""
    said = _trimmed(answer.out.splitlines())
    lines = [f"$ {step.command}", *_difference(list(step.expected), said)]
    if answer.exit != step.exit:
        lines += [f"- [exit {step.exit}]", f"+ [exit {answer.exit}]"]
    return "\n".join([*lines, *(f"stderr: {line}" for line in answer.err.splitlines()[-12:])])


def _difference(expected: list[str], got: list[str]) -> list[str]:
    pairs = zip(expected, got, strict=False) if len(expected) == len(got) else ()
    same = {want: real for want, real in pairs if _line_matches(want, real)}
    return [
        line for line in ndiff([same.get(want, want) for want in expected], got) if line[0] != "?"
    ]


def rewritten(body: str, answers: list[Answer]) -> str:
    """The block with every answer that no longer matches replaced by what was really said."""
    lines = body.splitlines()
    head = next((number for number, line in enumerate(lines) if line.startswith("$ ")), len(lines))
    done = lines[:head]
    for number, (chunk, step) in enumerate(zip(_chunks(lines), steps(body), strict=True)):
        keep = number >= len(answers) or matches(step, answers[number])
        done += chunk if keep else [*chunk[: _length(chunk)], *_said(answers[number])]
    return "".join(line + "\n" for line in done)


def _said(answer: Answer) -> list[str]:
    return [*_trimmed(answer.out.splitlines()), *([f"[exit {answer.exit}]"] if answer.exit else [])]
