"""Take no weights of a model but those that were measured."""

import hashlib
import json
import os

from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.storage.files import durable
from companion.storage.files.durable import StorageError

_CHECKED = "weights.json"


def find_checked(state: str) -> str:
    """Return the file that says which weights were checked last, in the folder *state*."""
    return os.path.join(state, _CHECKED)


def check_hash(path: str, expected: str, *, install: str, again: str) -> None:
    """Raise WrongWeights unless the file at *path* has the sha256 *expected*; its hint is *again*.

    Raises ModelUnavailable where the file is missing; its hint is *install*.
    """
    try:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(
            f"{path}: {error.strerror}", hint=install
        ) from error
    if found != expected:
        raise WrongWeights(
            f"{path} has the hash {found[:12]}, not {expected[:12]}", hint=again
        )


def check_hash_once(
    path: str, expected: str, *, checked: str, install: str, again: str
) -> None:
    """Do what `check_hash` does, unless the file is the one that was checked last.

    The file *checked* says which one that was. Its size, times, number and place on the disk say
    that it is the same: whatever writes to a file changes the second of its times.
    """
    mark = _describe_file(path, expected)
    if mark is not None and durable.read_if_there(checked) == mark:
        return
    check_hash(path, expected, install=install, again=again)
    # what was written to in the meantime is looked at again
    if mark is None or _describe_file(path, expected) != mark:
        return
    try:
        durable.replace(checked, mark, mode=0o600, sync=False)
    except StorageError:
        # a disk that takes nothing: the next search looks at the file again
        return


def _describe_file(path: str, expected: str) -> bytes | None:
    """Return what tells the file at *path* from another, None where it is missing."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    parts = (
        expected,
        path,
        stat.st_dev,
        stat.st_ino,
        stat.st_size,
        stat.st_mtime_ns,
        stat.st_ctime_ns,
    )
    return json.dumps(parts).encode()
