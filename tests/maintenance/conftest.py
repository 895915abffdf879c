"""Two machines, and a bare repository between them."""

from pathlib import Path

import pytest

from companion.maintenance.remotes import remote as remotes
from tests.maintenance.machines import another
from tests.wiki import Wiki, git


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    return tmp_path / "hub.git"


@pytest.fixture
def desk(tmp_path: Path, hub: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    wiki.git("config", "user.useConfigOnly", "true")
    remotes.add(wiki.ws, "hub", str(hub))
    wiki.git("push", "-q", "hub", "main")
    return wiki


@pytest.fixture
def laptop(desk: Wiki, hub: Path, tmp_path: Path) -> Wiki:
    return another(tmp_path / "laptop", hub, desk)
