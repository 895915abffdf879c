"""What other shards of a fleet have of a page: advice that stands in a file of this wiki's tree.

`companion fleet compare` writes the file. It protects nothing here and takes no protection away.
"""

import json
import os

from companion.errors import MALFORMED
from companion.storage.files import durable
from companion.storage.git.layout import Place

PATH = ".companion/fleet.jsonl"


def list_advice(place: Place, path: str) -> list[str]:
    """Return what other shards have of the page at *path*, one sentence each.

    A line that cannot be read says nothing.
    """
    data = durable.read_if_there(os.path.join(place.root, PATH)) or b""
    found = []
    for line in data.splitlines():
        try:
            finding = json.loads(line)
            if finding["about"] == path:
                found.append(str(finding["reason"]))
        except MALFORMED:
            continue
    return found
