"""`pick FIELD…` reads one JSON document on standard input and prints the fields, one a line.

`captures[].status` goes through a list, `results[0].title` takes one item of it, and
`entries.active,archived` prints several fields of one object side by side. What is no JSON
and a missing field are errors with exit code 3.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]")


def walk(value: Any, path: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the values at *path*, each as a line of text."""
    if not path:
        yield text(value)
        return
    (key, index), *rest = path
    if "," in key:
        yield _columns(value, key)
    elif key:
        yield from walk(value[key], rest)
    elif index:
        yield from walk(value[int(index)], rest)
    else:
        for item in value:
            yield from walk(item, rest)


def _columns(value: Any, keys: str) -> str:
    return "  ".join(text(value[key]) for key in keys.split(","))


def text(value: Any) -> str:
    """Return a string as it is, and every other value as JSON."""
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )


def main() -> int:
    """Print the fields that the command line names; return the exit code."""
    said = sys.stdin.read()
    try:
        document = json.loads(said)
    except json.JSONDecodeError:
        print(f"pick: no JSON: {said[:200]!r}", file=sys.stderr)
        return 3
    try:
        for path in sys.argv[1:]:
            for line in walk(document, STEP.findall(path)):
                print(line)
    except (KeyError, IndexError, TypeError) as missing:
        print(
            f"pick: no {missing} in {json.dumps(document)[:2000]}",
            file=sys.stderr,
        )
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
