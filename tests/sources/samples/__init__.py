"""Files of the real programs; README.md names the origin of each."""

import os

FOLDER = os.path.dirname(__file__)


def load(name: str) -> bytes:
    """Return the bytes of the sample *name*."""
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()
