"""pick FIELD…: read one JSON document on standard input and print the fields asked for, a line
each.

`captures[].status` walks a list, `results[0].title` takes one of it, `entries.active,archived`
prints several fields of the same object side by side. A field that is not there is an error: exit
3.
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
    (key, index), rest = path[0], path[1:]
    if key:
        yield from walk(value[key], rest) if "," not in key else [_columns(value, key)]
    elif index:
        yield from walk(value[int(index)], rest)
    else:
        for item in value:
            yield from walk(item, rest)


def _columns(value: Any, keys: str) -> str:
    return "  ".join(text(value[key]) for key in keys.split(","))


def text(value: Any) -> str:
    """Strings as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def main() -> int:
    """Print what was asked for."""
    document = json.load(sys.stdin)
    try:
        for path in sys.argv[1:]:
            for line in walk(document, STEP.findall(path)):
                print(line)
    except (KeyError, IndexError, TypeError) as missing:
        print(f"pick: no {missing} in {json.dumps(document)[:2000]}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
