"""What `--json` prints of use: see `companion.cli.shapes`."""

from typing import Any

_QUERY = {
    "id": "str",
    "at": "str",
    "verb": "'search' | 'ask' | 'claims'",
    "words": "str",
}
_SHOWN = {"id": "str", "title": "str | null"}

#: the use of one entry, and its utility
USE: dict[str, Any] = {
    "accesses": "int",
    "last": "str | null",
    "utility": "float",
    "deviation": "float",
    "evidence": "float",
    "reason": "str",
}
STATUS = {"waiting": "int", "entries": "int", "queries": "int"}
FEEDBACK: dict[str, Any] = {
    "one of": [
        {"queries": [{**_QUERY, "outcome": "'good' | 'bad' | null", "entries": [_SHOWN]}]},
        {
            "said": "'good' | 'useful' | 'bad' | 'wrong'", "outcome": "'good' | 'bad'",
            "query": {"one of": ["null", _QUERY]}, "entries": [_SHOWN],
        },
    ]
}  # fmt: skip
