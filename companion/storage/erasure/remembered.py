"""What is kept of erased words, in the state folder: the key and the keyed hashes. Nothing here
leaves the machine.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from companion.storage.files import durable
from companion.storage.git.layout import Place

NAME = "erased.json"


def read(place: Place) -> tuple[bytes, list[dict[str, Any]]] | None:
    """Return the key and the records; None where nothing was ever erased."""
    try:
        with open(os.path.join(place.state, NAME), encoding="utf-8") as file:
            held = json.load(file)
    except FileNotFoundError:
        return None
    return bytes.fromhex(held["key"]), list(held["words"])


def write(place: Place, key: bytes, words: Sequence[dict[str, Any]]) -> None:
    """Keep the key and the records, readable by their owner alone."""
    held = {"v": 1, "key": key.hex(), "words": list(words)}
    durable.replace(
        os.path.join(place.state, NAME), json.dumps(held, indent=1).encode(), mode=0o600
    )
