"""Which folders are no place for notes."""

import pytest

from companion.storage.files.system_folders import describe_folder

HOME = "/home/ada"


@pytest.mark.parametrize(
    ("folder", "what"),
    [
        ("/", "the root of this machine"),
        ("/home/ada", "your home folder"),
        ("/home/ada/", "your home folder"),
        ("/home/ada/notes/..", "your home folder"),
        ("/home", "the folder of all homes"),
        ("/etc", "a folder of the system"),
        ("/etc/notes", "a folder of the system"),
        ("/usr/share/notes", "a folder of the system"),
        ("/var", "a folder of the system"),
        ("/home/ada/notes", None),
        ("/home/adam", None),
        ("/dev/shm/notes", None),
        ("/run/media/ada/stick", None),
        ("/data", None),
        ("/etcetera", None),
    ],
)
def test_a_home_and_the_system_are_no_place_for_notes(
    folder: str, what: str | None
) -> None:
    assert describe_folder(folder, HOME) == what


def test_where_nobody_has_a_home_the_system_is_still_told() -> None:
    assert describe_folder("/usr", "~") == "a folder of the system"
