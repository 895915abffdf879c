"""What `--json` prints of entries that fade."""

VITALITY = {
    "recency": "float", "frequency": "float", "utility": "float", "gravity": "float", "wear": "float", "total": "float",
}  # fmt: skip
_FADING = [
    {
        "entry": "str", "path": "str", "title": "str", "managed": "bool", "vitality": VITALITY,
        "distortion": "float | null", "reason": "str",
    }
]  # fmt: skip
DECAY = {
    "decaying": _FADING, "compressed": _FADING, "archived": _FADING, "restored": _FADING, "kept": _FADING,
    "left_out": [{"path": "str", "reason": "str"}], "decides": "str | null",
}  # fmt: skip
