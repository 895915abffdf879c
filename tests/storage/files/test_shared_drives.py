"""Where another machine may write as well: told by the file system's type, by names, and by what
programs leave.
"""

from pathlib import Path

import pytest

from companion.storage.files import shared_drives

MOUNTS = """\
/dev/root / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/ada/local ext4 rw 0 0
//server/notes /mnt/my\\040notes cifs rw 0 0
old /mnt/twice nfs rw 0 0
/dev/sdc /mnt/twice ext4 rw 0 0
"""


@pytest.fixture(autouse=True)
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mounts").write_text(MOUNTS)
    monkeypatch.setattr(shared_drives, "MOUNTS", str(tmp_path / "mounts"))


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/ada/notes", "nfs4"),
        ("/home", "nfs4"),
        ("/homes/ada", None),
        ("/home/ada/local/notes", None),
        ("/mnt/my notes/wiki", "cifs"),
        ("/mnt/twice/x", None),
    ],
)
def test_the_longest_mount_point_above_decides_and_the_newest_at_one(
    folder: str, kind: str | None
) -> None:
    assert shared_drives.describe_sharing(folder) == (
        f"on a network drive ({kind})" if kind else None
    )


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("Dropbox/notes", "Dropbox"),
        ("Dropbox (Personal)/notes", "Dropbox"),
        ("OneDrive - Acme/notes", "OneDrive"),
        (
            "Library/CloudStorage/GoogleDrive-ada@example.org/My Notes",
            "Google Drive",
        ),
        ("Library/CloudStorage/OneDrive-Personal/x", "OneDrive"),
        ("Library/Mobile Documents/iCloud~md~obsidian/vault", "iCloud Drive"),
        ("Nextcloud/notes", "Nextcloud"),
        ("dropboxes/notes", None),
        ("notes", None),
    ],
)
def test_folders_that_a_program_synchronises_by_name(
    tmp_path: Path, folder: str, program: str | None
) -> None:
    told = shared_drives.describe_sharing(str(tmp_path / folder))
    assert told == (
        f"in a folder that {program} synchronises" if program else None
    )


@pytest.mark.parametrize(
    ("mark", "program"), sorted(shared_drives._MARKS.items())
)
def test_and_by_what_it_leaves_there(
    tmp_path: Path, mark: str, program: str
) -> None:
    inside = tmp_path / "files" / "notes"
    inside.mkdir(parents=True)
    assert shared_drives.describe_sharing(str(inside)) is None
    (tmp_path / "files" / mark).mkdir()
    assert (
        shared_drives.describe_sharing(str(inside))
        == f"in a folder that {program} synchronises"
    )


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "Dropbox" / "notes").mkdir(parents=True)
    (tmp_path / "notes").symlink_to("Dropbox/notes")
    assert (
        shared_drives.describe_sharing(str(tmp_path / "notes"))
        == "in a folder that Dropbox synchronises"
    )


def test_where_there_is_no_proc_the_mount_command_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = (
        "/dev/disk1 on / (apfs, local)\n//ada@host/notes on /Volumes/my notes (smbfs, nodev,"
        " mounted by ada)\n"
    )
    monkeypatch.setattr(shared_drives, "MOUNTS", "/no/such/file")
    monkeypatch.setattr(
        "subprocess.run", lambda *_, **__: type("Done", (), {"stdout": said})
    )
    assert (
        shared_drives.describe_sharing("/Volumes/my notes/wiki")
        == "on a network drive (smbfs)"
    )
    assert shared_drives.describe_sharing("/Users/ada/wiki") is None
