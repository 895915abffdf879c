"""Remove what killed processes left behind."""

import os

from companion.storage.files.durable import TEMP, guarded


def sweep(
    folder: str, *, now: float, age: float = 3600.0, prefix: str = TEMP
) -> list[str]:
    """Remove temporary files of killed processes in *folder*; return their names, sorted.

    Only files older than *age* seconds at *now* (seconds since 1970) are removed. The age, not the
    pid, says that a temporary file is dead: a live writer may be in another container.
    """
    names = []
    with guarded(folder), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix):
                continue
            if not entry.is_file(follow_symlinks=False):
                continue
            if now - entry.stat(follow_symlinks=False).st_mtime >= age:
                os.unlink(entry.path)
                names.append(entry.name)
    return sorted(names)
