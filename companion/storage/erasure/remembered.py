"""What is kept of erased words, in the state folder: the key and the keyed hashes. Nothing here
leaves the machine.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

from companion.privacy.erased_words import Erased
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


def read_erased_words(place: Place) -> tuple[list[Erased], bytes] | None:
    """Return what was erased here, by keyed hash, and the key; None where nothing was."""
    held = read(place)
    if held is None or not held[1]:
        return None
    key, records = held
    words = [
        Erased(**{**record, "lengths": tuple(record["lengths"])})
        for record in records
    ]
    return words, key


def write(place: Place, key: bytes, words: Sequence[dict[str, Any]]) -> None:
    """Keep the key and the records, readable by their owner alone."""
    held = {"v": 1, "key": key.hex(), "words": list(words)}
    durable.replace(
        os.path.join(place.state, NAME),
        json.dumps(held, indent=1).encode(),
        mode=0o600,
    )
