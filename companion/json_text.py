"""JSON by the reader and the writer that the standard library has in C.

Importing `json` compiles six regular expressions, which costs a cold start as much as a capture
does. What these two say is what `json.loads` and `json.dumps` say; a text with a fault is read
again by `json`, which tells where the fault is.
"""

import sys

from companion.annotations import Any

# parts in C of a Python that was not tried may be others
if sys.version_info >= (3, 15):
    from json import dumps as dumps
    from json import loads as loads
else:
    from _json import encode_basestring, encode_basestring_ascii, make_scanner
    from _json import make_encoder as make_writer

    _SPACE = " \t\n\r"
    _NUMBERS = {
        "-Infinity": float("-inf"),
        "Infinity": float("inf"),
        "NaN": float("nan"),
    }

    class _Rules:
        """What a reader is told of how to read."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = _NUMBERS.__getitem__

    _read = make_scanner(_Rules)  # type: ignore[arg-type]

    def loads(text: str | bytes) -> Any:
        """Return the value that the JSON *text* says; raise ValueError where it has a fault."""
        try:
            said = text if isinstance(text, str) else text.decode()
            bare = said.strip(_SPACE)
            value, end = _read(bare, 0)
        # what is no text; and where `json` is not loaded, the scanner has no words for a fault
        except (AttributeError, StopIteration, SystemError, ValueError):
            return _load_by_json(text)
        return value if end == len(bare) else _load_by_json(text)

    def _load_by_json(text: str | bytes) -> Any:
        import json

        return json.loads(text)

    def dumps(
        value: Any,
        *,
        ensure_ascii: bool = True,
        sort_keys: bool = False,
        separators: tuple[str, str] = (", ", ": "),
    ) -> str:
        """Return *value* as JSON on one line; raise TypeError for what JSON cannot say."""
        encode = encode_basestring_ascii if ensure_ascii else encode_basestring
        between, colon = separators
        write = make_writer(
            {}, _refuse, encode, None, colon, between, sort_keys, False, True
        )
        return "".join(write(value, 0))

    def _refuse(value: Any) -> Any:
        kind = type(value).__name__
        raise TypeError(f"Object of type {kind} is not JSON serializable")
