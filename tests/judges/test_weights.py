"""A file of weights is read once, and again as soon as it is not the same."""

import hashlib
import os
from pathlib import Path

import pytest

from companion.judges import weights
from companion.language.protocols import ModelUnavailable, WrongWeights

GOOD = b"weights"
HASH = hashlib.sha256(GOOD).hexdigest()


def check(file: Path) -> None:
    weights.check_hash_once(
        str(file),
        HASH,
        checked=str(file.parent / "weights.json"),
        install="install",
        again="again",
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "model.bin"
    file.write_bytes(GOOD)
    check(file)
    return file


def test_what_was_checked_is_not_read_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*arguments: object, **named: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(weights, "check_hash", read)

    check(file)


def test_a_changed_file_is_read_again(file: Path) -> None:
    was = file.stat()
    file.write_bytes(b"another")  # of the same length
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))

    with pytest.raises(WrongWeights):
        check(file)
    with pytest.raises(WrongWeights):
        check(file)


def test_another_file_in_its_place_is_read_again(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(b"another")
    other.replace(file)

    with pytest.raises(WrongWeights):
        check(file)


def test_a_file_that_is_gone_is_told(file: Path) -> None:
    file.unlink()

    with pytest.raises(ModelUnavailable):
        check(file)


def test_a_note_of_it_that_is_damaged_counts_for_nothing(file: Path) -> None:
    checked = file.with_name("weights.json")
    noted = checked.read_bytes()
    checked.write_bytes(b"\x00")

    check(file)

    assert checked.read_bytes() == noted


def test_wrong_weights_are_never_noted(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    file.write_bytes(b"another")

    with pytest.raises(WrongWeights):
        check(file)

    assert not file.with_name("weights.json").exists()
