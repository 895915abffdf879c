"""Take no weights of a model but those that were measured."""

import hashlib

from companion.language.protocols import ModelUnavailable, WrongWeights


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
