"""Tell a folder for notes from those of the system and from a person's home."""

import os

#: with everything below them: programs write here, and people do not
_WHOLE = (
    "/Applications",
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/proc",
    "/sbin",
    "/sys",
    "/usr",
)
#: these alone: below them lie drives, homes and folders of services
_ALONE = (
    "/dev",
    "/media",
    "/mnt",
    "/opt",
    "/private",
    "/run",
    "/srv",
    "/tmp",
    "/var",
    "/Volumes",
)


def describe_folder(folder: str, home: str) -> str | None:
    """Return what *folder* is where it is no place for notes, else None.

    *home* is the person's home. What holds it, or is it, holds all their other files, too.
    """
    path, home = os.path.realpath(folder), os.path.realpath(home)
    if path == os.sep:
        return "the root of this machine"
    if path == home:
        return "your home folder"
    if _is_in(home, path):
        return "the folder of all homes"
    if path in _ALONE or any(_is_in(path, top) for top in _WHOLE):
        return "a folder of the system"
    return None


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
