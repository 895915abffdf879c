"""Find folders that another machine may write to: SQLite's log and flock are unsafe there.

A network drive has no memory that two machines share and often no locks either; a program that
synchronises a folder copies a database while it is being written, each of its files at another
moment.
"""

import os
from collections.abc import Iterator

MOUNTS = "/proc/self/mounts"
_NETWORK = {
    "9p",
    "afpfs",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "davfs",
    "fuse.ceph",
    "fuse.davfs2",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
    "sshfs",
    "webdav",
}
#: what a program leaves in the folder that it synchronises
_MARKS = {
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".849C9593-D756-4E56-8D6E-42412F2A707B": "OneDrive",
    ".tmp.drivedownload": "Google Drive",
    ".tmp.driveupload": "Google Drive",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "Nextcloud",
    ".stfolder": "Syncthing",
}
#: how such folders are called: the beginning of a name, which may go on " (Personal)" or
#: "-ada@example.org"
_NAMES = (
    "Dropbox",
    "OneDrive",
    "Google Drive",
    "GoogleDrive",
    "My Drive",
    "Nextcloud",
    "iCloud Drive",
    "iCloudDrive",
)
_SPOKEN = {
    "GoogleDrive": "Google Drive",
    "My Drive": "Google Drive",
    "iCloudDrive": "iCloud Drive",
}


def describe_sharing(folder: str) -> str | None:
    """Return where *folder* lies, in words that follow "lies"; None where it is this machine's."""
    real = os.path.realpath(folder)
    kind = _file_system(real)
    if kind in _NETWORK:
        return f"on a network drive ({kind})"
    for above in _list_upwards(real):
        program = _synchronised_by(above)
        if program is not None:
            return f"in a folder that {program} synchronises"
    return None


def _list_upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _synchronised_by(folder: str) -> str | None:
    above, name = os.path.split(folder)
    if name == "Mobile Documents" and os.path.basename(above) == "Library":
        return "iCloud Drive"
    for known in _NAMES:
        variants = (known + " (", known + " - ", known + "-")
        if name == known or name.startswith(variants):
            return _SPOKEN.get(known, known)
    for mark, program in _MARKS.items():
        if os.path.lexists(os.path.join(folder, mark)):
            return program
    return None


def _file_system(real: str) -> str | None:
    """Return the type of the file system of *real*: that of the longest mount point above it."""
    longest = -1
    kind = None
    for point, its_kind in _mounts():
        is_above = (real + "/").startswith(point.rstrip("/") + "/")
        if is_above and len(point) >= longest:
            longest = len(point)
            kind = its_kind
    return kind


def _mounts() -> Iterator[tuple[str, str]]:
    """Yield (mount point, type); a later one at the same point hides the earlier."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields = line.split(" ")
                yield _unescaped(fields[1]), fields[2]
    except FileNotFoundError:
        yield from _spoken_mounts()


def _spoken_mounts() -> Iterator[tuple[str, str]]:
    """Ask `mount`, where there is no /proc: ``//ada@host/notes on /Volumes/notes (smbfs,
    nodev)``.
    """
    import subprocess

    done = subprocess.run(
        ["/sbin/mount"],
        capture_output=True,
        text=True,
        errors="surrogateescape",
    )
    for line in done.stdout.splitlines():
        point, _, kind = line.partition(" on ")[2].rpartition(" (")
        yield point, kind.split(",")[0].rstrip(")")


def _unescaped(text: str) -> str:
    for code, char in (
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ):
        text = text.replace(code, char)
    return text
