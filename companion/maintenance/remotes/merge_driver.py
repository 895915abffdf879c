"""Let git merge pages as companion does: both sides' notes and lines stay, without marks.

Git asks a driver for each page that both sides changed (gitattributes(5)). It is named in
``.git/config`` and ``.git/info/attributes``, so nothing of it is in the person's pages or in a
clone. Where companion is gone, or leaves a page to the person, git merges it as ever.
"""

import os
import shlex
import sys
from collections.abc import Sequence

from companion.pages.merge_sides import merge_sides
from companion.storage.files import durable
from companion.storage.git import setup
from companion.storage.git.command import MERGE_ATTRIBUTE, run_git
from companion.storage.git.layout import Place
from companion.values.wording import many

_NAME = "merge.companion.name"
_DRIVER = "merge.companion.driver"
_MOST_BYTES = 4 * 1024 * 1024  # of one side; beyond, git merges it


def install(place: Place) -> bool:
    """Have git ask for companion where both sides changed a page; return whether it does.

    What the person chose for their pages (`*.md merge=…`) stays.
    """
    probe = place.prefix + "page.md"
    answer = run_git(place, "check-attr", "-z", "merge", "--", probe)
    chosen = answer.split(b"\0")[2]
    if chosen not in (b"unspecified", b"companion"):
        return False
    if chosen != b"companion":
        _add_attribute(place)
    known = _read_driver(place)
    if known != _make_command():
        settings = [(_DRIVER, _make_command())]
        if known is None:
            settings.append((_NAME, "both sides of a page"))
        setup.configure(place, settings)
    return True


def uninstall(place: Place) -> None:
    """Take out what `install` put in."""
    if _read_driver(place) is not None:
        run_git(
            place, "config", "--local", "--remove-section", "merge.companion"
        )
    path = _find_attributes(place)
    content = durable.read_if_there(path) or b""
    lines = content.splitlines(keepends=True)
    kept = [
        line for line in lines if not line.rstrip().endswith(MERGE_ATTRIBUTE)
    ]
    if kept == lines:
        return
    if kept:
        durable.replace(path, b"".join(kept))
    else:
        os.unlink(path)


def is_installed(place: Place) -> bool:
    """Tell whether git asks companion here."""
    return _read_driver(place) is not None


def _read_driver(place: Place) -> str | None:
    listing = run_git(place, "config", "--local", "--null", "--list")
    found = None
    for entry in listing.decode("utf-8", "replace").split("\0"):
        key, _, value = entry.partition("\n")
        if key == _DRIVER:
            found = value
    return found


def _make_command() -> str:
    """Return git's command line: companion's merge, or git's own where that gives none."""
    program = shlex.quote(sys.executable)
    ours = f"{program} -P -m {__name__} %O %A %B %P"
    return f"{ours} || git merge-file --marker-size=%L %A %O %B"


def _find_attributes(place: Place) -> str:
    return os.path.join(place.common_dir, "info", "attributes")


def _add_attribute(place: Place) -> None:
    """Name the driver for the wiki's pages, before the person's own lines, which then win."""
    path = _find_attributes(place)
    pattern = "*.md"
    if place.prefix:
        escaped = place.prefix.replace("\\", "\\\\").replace('"', '\\"')
        pattern = f'"/{escaped}**/*.md"'
    content = durable.read_if_there(path) or b""
    durable.make_dirs(os.path.dirname(path))
    line = os.fsencode(pattern) + b" " + MERGE_ATTRIBUTE + b"\n"
    durable.replace(path, line + content)


def main(words: Sequence[str]) -> int:
    """Merge as git asks: the files of the base, of ours and of theirs, and the page's path."""
    base, ours, theirs, path = words
    texts = [_read(file) for file in (base, ours, theirs)]
    if max(map(len, texts)) > _MOST_BYTES:
        return 1
    merged = merge_sides(*texts)
    if merged is None:
        return 1
    with open(ours, "wb") as file:
        file.write(merged.text.encode("utf-8", "surrogateescape"))
    if merged.both:
        places = many(merged.both, "place")
        words = f"{path}: both sides wrote in {places}; the lines of both stay"
        print(words, file=sys.stderr)  # git may have its own use for the other
    return 0


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
