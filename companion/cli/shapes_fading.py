"""What `--json` prints of entries that fade."""

VITALITY = {
    "recency": "float",
    "frequency": "float",
    "utility": "float",
    "gravity": "float",
    "wear": "float",
    "total": "float",
}
_FADING = [
    {
        "entry": "str", "path": "str", "title": "str", "managed": "bool", "vitality": VITALITY,
        "distortion": "float | null", "reason": "str",
    }
]  # fmt: skip
#: what `show` says of how an entry fades
ENTRY = {
    "vitality": "float | null",
    "terms": {"one of": ["null", VITALITY]},
    "pinned": "bool",
    "full_text": {
        "one of": [
            "null",
            {"cold": "str", "since": "str", "distortion": "float | null"},
        ]
    },
    "archived_links": [
        {
            "target": "str",
            "entry": "str",
            "title": "str",
            "superseded_by": "str | null",
        }
    ],
}
STATUS = {
    "one of": ["null", {"compressed": "int", "pinned": "int", "cold": "int"}]
}
PIN = {
    "run": "str | null",
    "commit": "str | null",
    "entry": "str",
    "title": "str",
    "path": "str",
    "pinned": "bool",
    "notes": ["str"],
}
PINS = {"pins": [{"entry": "str", "title": "str", "path": "str"}]}
RECALL = {
    "run": "str | null",
    "commit": "str | null",
    "entry": "str",
    "title": "str",
    "path": "str",
    "state": "str",
    "cold": "str | null",
    "text": "str",
    "restored": "str | null",
    "notes": ["str"],
    "dry_run": "bool",
}
DECAY = {
    "decaying": _FADING,
    "compressed": _FADING,
    "archived": _FADING,
    "restored": _FADING,
    "kept": _FADING,
    "left_out": [{"path": "str", "reason": "str"}],
    "decides": "str | null",
}
