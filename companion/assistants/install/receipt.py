"""The receipt of an installation: what was written where, and how each file was before.

It lies with the person's state, readable for them alone: settings of assistants hold keys.
"""

import hashlib
import json
import os
import shutil
from typing import NamedTuple

from companion.assistants.install.changes import (
    Block,
    Change,
    JsonValue,
    JsonValues,
    OwnFile,
)
from companion.assistants.install.json_text import Place
from companion.errors import MALFORMED, CompanionError
from companion.storage.files import durable

_FILE = "receipt.json"
_PRIVATE = 0o600


class DamagedReceipt(CompanionError):
    """The receipt of this installation cannot be read."""

    exit_code = 74
    hint = (
        "Take the entries out by hand; the guide on assistants names the files."
    )


class Written(NamedTuple):
    """One file that was written."""

    path: str
    change: Change
    before: bytes | None  # None: there was no file
    after: str  # the hash of what was written
    folders: tuple[str, ...]  # that were made for it, the outermost first


class Receipt(NamedTuple):
    """One installation."""

    assistant: str
    wiki: str
    with_hooks: bool
    files: tuple[Written, ...]


def hash_of(data: bytes) -> str:
    """Return what a receipt remembers of a file."""
    return hashlib.sha256(data).hexdigest()


def read_receipt(folder: str) -> Receipt | None:
    """Return the receipt in *folder*, None where there is none. Raises DamagedReceipt."""
    data = durable.read_if_there(os.path.join(folder, _FILE))
    if data is None:
        return None
    try:
        document = json.loads(data)
        files = [
            _read_file(folder, number, one)
            for number, one in enumerate(document["files"])
        ]
        return Receipt(
            document["assistant"],
            document["wiki"],
            document["with_hooks"],
            tuple(files),
        )
    except MALFORMED as error:
        raise DamagedReceipt(
            f"the receipt in {folder} cannot be read"
        ) from error


def write_receipt(folder: str, receipt: Receipt) -> None:
    """Write the receipt, with a copy of each file as it was before."""
    durable.make_dirs(folder)
    os.chmod(folder, 0o700)
    files = []
    for number, written in enumerate(receipt.files):
        if written.before is not None:
            copy = _copy_name(folder, number)
            durable.replace(copy, written.before, mode=_PRIVATE)
        files.append(
            {
                "path": written.path,
                "change": _encode(written.change),
                "was_there": written.before is not None,
                "after": written.after,
                "folders": list(written.folders),
            }
        )
    document = {**receipt._asdict(), "files": files}
    data = json.dumps(document, indent=2, ensure_ascii=False).encode()
    durable.replace(os.path.join(folder, _FILE), data, mode=_PRIVATE)


def remove_receipt(folder: str) -> None:
    """Remove the receipt and its copies."""
    shutil.rmtree(folder)


def _copy_name(folder: str, number: int) -> str:
    return os.path.join(folder, f"{number}.before")


def _read_file(folder: str, number: int, one: dict[str, object]) -> Written:
    before = None
    if one["was_there"]:
        before = durable.read_if_there(_copy_name(folder, number))
        if before is None:
            raise ValueError("a copy is missing")
    folders = one["folders"]
    assert isinstance(folders, list)
    return Written(
        str(one["path"]),
        _decode(one["change"]),
        before,
        str(one["after"]),
        tuple(map(str, folders)),
    )


def _encode(change: Change) -> dict[str, object]:
    if isinstance(change, JsonValue):
        place = change.place
        return {
            "kind": "json",
            "path": list(place.path),
            "key": place.key,
            "value": change.value,
        }
    if isinstance(change, JsonValues):
        values = [_encode(value) for value in change.values]
        return {"kind": "several", "values": values}
    if isinstance(change, Block):
        return {
            "kind": "block",
            "assistant": change.assistant,
            "lines": change.lines,
            "comment": list(change.comment),
            "toml": change.is_toml,
        }
    return {"kind": "file", "text": change.text}


def _decode(document: object) -> Change:
    """Return the change that was written. Raises one of MALFORMED."""
    assert isinstance(document, dict)
    kind = document["kind"]
    if kind == "json":
        place = Place(tuple(document["path"]), document["key"])
        return JsonValue(place, document["value"])
    if kind == "several":
        values = [_decode(value) for value in document["values"]]
        return JsonValues(
            tuple(one for one in values if isinstance(one, JsonValue))
        )
    if kind == "block":
        begin, end = document["comment"]
        return Block(
            document["assistant"],
            document["lines"],
            (begin, end),
            document["toml"],
        )
    return OwnFile(document["text"])
