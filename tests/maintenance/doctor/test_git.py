"""What `doctor` says of the repository: damage by its name, and nothing of what is sound."""

import os
import subprocess
from pathlib import Path

import pytest

from companion.maintenance.doctor.run import examine
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    for words in ("# Heron\nIt stands.", "# Otter\nIt swims."):
        wiki.tick(days=1)
        wiki.ingest(words)
        wiki.consolidate()
    return wiki


def damages(wiki: Wiki) -> list[str]:
    return [
        f"{finding.kind}: {finding.what}"
        for finding in examine(wiki.ws)
        if finding.severity == "damage"
    ]


def test_a_rebased_repository_is_sound(wiki: Wiki) -> None:
    """A rebase may leave the empty tree unwritten: git knows it by heart."""
    wiki.git("rebase", "-q", "--force-rebase", "--root")
    assert damages(wiki) == []


def test_a_missing_object_is_named(wiki: Wiki) -> None:
    (blob,) = (
        line.split()[2]
        for line in wiki.git("ls-tree", "-r", "HEAD").splitlines()
        if line.endswith("Heron.md")
    )
    objects = wiki.root / ".git" / "objects"
    for pack in list((objects / "pack").glob("*.pack")):
        data = pack.read_bytes()
        for part in objects.glob(f"pack/{pack.stem}.*"):
            os.chmod(part, 0o600)
            os.unlink(part)
        subprocess.run(
            ["git", "unpack-objects", "-q"],
            input=data,
            cwd=wiki.root,
            check=True,
        )
    os.unlink(objects / blob[:2] / blob[2:])
    said = damages(wiki)
    assert any("Heron" in line or blob in line for line in said), said
    assert not any("exit 2" in line for line in said), said
