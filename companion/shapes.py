"""What --json prints of minority branches and quarantine; `companion.reference` says how to read a shape."""

from typing import Any

#: the other side of a young shift (CON-10); `role` is that of the entry that bears it
SHIFT = {"one of": ["null", {"other": "str", "role": "'old' | 'new'", "branch": "str", "since": "str"}]}
#: what phase 4 of a night decided
DECISION = {
    "action": "'open' | 'grow' | 'extend' | 'hold' | 'promote' | 'follow'", "branch": "str", "incumbent": "str",
    "captures": ["str"], "reason": "str", "entry": "str | null", "pressure": "float | null",
    "threshold": "float | null",
}  # fmt: skip
_PLACE = {"id": "str | null", "title": "str | null", "path": "str | null", "state": "str | null"}
_BRANCH = {
    "name": "str", "ref": "str", "commit": "str | null", "state": "'open' | 'promoted' | 'closed'", "incumbent": _PLACE,
    "entry": {"one of": ["null", _PLACE]}, "opened": "str", "cluster_size": "int", "contradictions": "int",
    "cycles_open": "int", "pressure": "float | null", "threshold": "float | null",
    "history": [
        {
            "time": "str", "run": "str", "event": "str", "reason": "str", "pressure": "float | null",
            "threshold": "float | null",
        }
    ],
}  # fmt: skip
_SPOKEN = {
    "capture": "str", "entry": "str", "path": "str", "joined": "str", "contradicts": "bool", "text": "str",
    "tellings": "int", "sources": ["str"], "agents": ["str"],
}  # fmt: skip
_WOULD = {"path": "str", "change": "'added' | 'changed' | 'removed'", "diff": "str"}
MINORITY: dict[str, Any] = {
    "branches": {
        "one of": [
            {"branches": [_BRANCH], "open": "int"},
            {**_BRANCH, "members": [_SPOKEN]},
            {**_BRANCH, "files": [_WOULD], "folder": "str | null"},
        ]
    },
    "quarantine": {
        "entries": [{"id": "str", "title": "str", "path": "str", "since": "str | null", "reason": "str"}],
        "extended": [{"capture": "str", "title": "str | null", "incumbent": _PLACE, "reason": "str"}],
    },
}  # fmt: skip
