"""`python -m tests.language.tables --write` writes the words of each language as JSON, too.

People edit `companion/language/data/<language>/<name>.toml`; the program reads the `.json` beside
it. Without `--write` it names those that differ.
"""

import argparse
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from companion.language.detect import FOLDER


def main() -> int:
    """Write or name the tables that differ from their source; return how it ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    is_writing = parser.parse_args().write
    differing = list(list_differing())
    for table, text in differing:
        print(table)
        if is_writing:
            table.write_text(text, encoding="utf-8")
    return 1 if differing and not is_writing else 0


def list_differing() -> Iterator[tuple[Path, str]]:
    """Yield each table that is not what its source says, and what it should be."""
    for source in sorted(Path(FOLDER).glob("??/*.toml")):
        table = source.with_suffix(".json")
        words = tomllib.loads(source.read_text(encoding="utf-8"))
        text = json.dumps(words, ensure_ascii=False, indent=1) + "\n"
        if not table.exists() or table.read_text(encoding="utf-8") != text:
            yield table, text


if __name__ == "__main__":
    raise SystemExit(main())
