"""The command reference is made from the program and can be checked."""

from pathlib import Path

import pytest

from companion.cli import reference
from companion.cli.fast_lane import VERBS
from companion.cli.reference import BEGIN, END


def test_every_verb_option_and_shape_is_described() -> None:
    text = reference.render_reference()

    assert set(reference.SHAPES) == set(VERBS)
    for name, verb in VERBS.items():
        assert f"companion {name}" in text
        assert all(flag in text for option in verb.options for flag in option.flags)


def test_writing_changes_only_what_stands_between_the_markers(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_bytes(f"before\r\n{BEGIN}\nold\n{END}\r\nafter".encode())

    with pytest.raises(reference.OutOfDate):
        reference.main(["--check", str(file)])
    assert reference.main(["--write", str(file)]) == 0

    assert file.read_bytes().startswith(f"before\r\n{BEGIN}\n".encode())
    assert file.read_bytes().endswith(f"{END}\r\nafter".encode())
    assert reference.main(["--check", str(file)]) == 0


def test_a_file_without_markers_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("nothing here")

    with pytest.raises(reference.NoMarkers):
        reference.main(["--write", str(file)])
    assert file.read_text() == "nothing here"
