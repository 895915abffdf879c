"""Keep keyed hashes of erased words, and their key, in the state folder.

The file never leaves this machine.
"""

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from companion.privacy.erased_words import Erased
from companion.storage.files import durable
from companion.storage.git.layout import Place
from companion.values.events import JsonDocument

NAME = "erased.json"


class Remembered(NamedTuple):
    """The file's content."""

    key: bytes
    words: list[JsonDocument]  # the fields of `Erased`


def read(place: Place) -> Remembered | None:
    """Return the key and the records; None where nothing was ever erased."""
    try:
        with open(os.path.join(place.state, NAME), encoding="utf-8") as file:
            document = json.load(file)
    except FileNotFoundError:
        return None
    return Remembered(bytes.fromhex(document["key"]), list(document["words"]))


def read_erased_words(place: Place) -> tuple[list[Erased], bytes] | None:
    """Return the hashes of the words erased here, and the key; None where none were."""
    remembered = read(place)
    if remembered is None or not remembered.words:
        return None
    words = []
    for record in remembered.words:
        lengths = tuple(record["lengths"])
        words.append(Erased(**{**record, "lengths": lengths}))
    return words, remembered.key


def write(place: Place, key: bytes, words: Sequence[JsonDocument]) -> None:
    """Keep the key and the records, readable by their owner alone. Raises StorageError."""
    document = {"v": 1, "key": key.hex(), "words": list(words)}
    data = json.dumps(document, indent=1).encode()
    durable.replace(os.path.join(place.state, NAME), data, mode=0o600)
