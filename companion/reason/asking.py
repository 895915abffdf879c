"""The words of questions: which stand for one concept, which say nothing, in every language that has data."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"


@cache
def tables() -> dict[str, Any]:
    """Return {concepts: word -> the concepts it stands for, stop: words, me: words} over all languages."""
    concepts: dict[str, set[str]] = {}
    stop: set[str] = set()
    me: set[str] = set()
    for path in sorted(_DATA.glob("*/ask.toml")):
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        for line in found["concepts"]:
            said = line.split()
            for word in said:
                concepts.setdefault(word, set()).add(said[0])
        stop |= set(found["stop"].split())
        me |= set(found["me"].split())
    return {"concepts": concepts, "stop": stop, "me": me}
