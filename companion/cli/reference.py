"""The command reference, made from the program itself.

``python -m companion.cli.reference --write README.md`` puts it between the two markers of that
file; ``--check README.md`` exits 1 when what stands there is out of date.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from companion import CompanionError
from companion.cli.fast_lane import GLOBALS, VERBS, Option, Verb
from companion.cli.shapes import SHAPES
from companion.cli.typer_app import EXIT_CODES, NAME

BEGIN = "<!-- reference:begin -->"
END = "<!-- reference:end -->"
WIDTH = 100  # of a line of JSON

ERROR_SHAPE = {"error": {"kind": "str", "message": "str", "hint": "str", "exit_code": "int"}}


class OutOfDate(CompanionError):
    """The command reference is out of date."""

    exit_code = 1
    hint = "Run `python -m companion.cli.reference --write README.md`."


class NoMarkers(CompanionError):
    """The markers of the command reference are missing."""

    exit_code = 65
    hint = f"Put {BEGIN} and {END} where the reference belongs."


def render_reference() -> str:
    """Return the command reference as Markdown: verbs, options, exit codes and the JSON of each
    verb.
    """
    parts = [
        _summary(),
        "\n".join(["**Global options**, before or after the verb:", "", *_options(GLOBALS)]),
    ]
    parts += [_verb(name, verb) for name, verb in VERBS.items()]
    return "\n\n".join([*parts, _exit_codes()]) + "\n"


def insert(document: str) -> str:
    """Return *document* with the reference between its markers; raises NoMarkers."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoMarkers
    return f"{before}{BEGIN}\n\n{render_reference()}\n{END}{after}"


def main(argv: Sequence[str]) -> int:
    """Write or check the reference in a file, or print it."""
    if len(argv) != 2 or argv[0] not in ("--write", "--check"):
        sys.stdout.write(render_reference())
        return 0
    with open(argv[1], encoding="utf-8", newline="") as file:
        document = file.read()
    wanted = insert(document)
    if argv[0] == "--check" and wanted != document:
        raise OutOfDate
    if wanted != document:
        with open(argv[1], "w", encoding="utf-8", newline="") as file:
            file.write(wanted)
    return 0


def _summary() -> str:
    usages = {name: _usage(name, verb).replace("|", "\\|") for name, verb in VERBS.items()}
    rows = [f"| `{usages[name]}` | {verb.help.splitlines()[0]} |" for name, verb in VERBS.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def _verb(name: str, verb: Verb) -> str:
    lines = [f"### `{_usage(name, verb)}`", "", *verb.help.splitlines(), ""]
    if verb.argument is not None:
        lines.append(f"- `{verb.argument.metavar}`: {verb.argument.help}")
    lines += _options(verb.options)
    shape = _shape(SHAPES[name])
    kind = "one object per line" if name == "triage" else "prints"
    return "\n".join([*lines, "", f"With `--json`, {kind}:", "", "```json", shape, "```"])


def _shape(shape: Any, indent: str = "") -> str:
    """Return *shape* as JSON, what fits on a line on one line."""
    flat = json.dumps(shape)
    if len(indent) + len(flat) <= WIDTH or not isinstance(shape, list | dict):
        return flat
    deeper = indent + "  "
    if isinstance(shape, list):
        inside = [_shape(value, deeper) for value in shape]
    else:
        inside = [f"{json.dumps(key)}: {_shape(value, deeper)}" for key, value in shape.items()]
    first, last = "[]" if isinstance(shape, list) else "{}"
    return "\n".join([first, ",\n".join(deeper + line for line in inside), indent + last])


def _usage(name: str, verb: Verb) -> str:
    words = [NAME, name]
    if verb.argument is not None:
        about = verb.argument
        words.append(
            (about.metavar if about.required else f"[{about.metavar}]")
            + ("..." if about.many else "")
        )
    return " ".join([*words, *(["[OPTIONS]"] if verb.options else [])])


def _options(options: Sequence[Option]) -> list[str]:
    return [
        f"- `{', '.join(option.flags)}{_value(option)}`: {option.help}{_default(option)}"
        for option in options
    ]


def _value(option: Option) -> str:
    value = "|".join(option.choices) or option.metavar
    return f" {value}" if value else ""


def _default(option: Option) -> str:
    return "" if option.default in (None, False) else f" Default: {option.default}."


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items()]
    error = json.dumps(ERROR_SHAPE)
    text = f"With `--json`, an error is the one document: `{error}`."
    return "\n".join(["### Exit codes", "", "| code | meaning |", "|---|---|", *rows, "", text])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CompanionError as error:
        sys.stderr.write(f"error: {error}\nhint: {error.hint}\n")
        sys.exit(error.exit_code)
