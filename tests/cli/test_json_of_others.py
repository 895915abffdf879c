"""Verbs that stand in no golden document print the shapes of ``--json`` that are published."""

import json
from pathlib import Path

import pytest

from companion.cli.commands import NAMES
from companion.cli.json_schema import SHAPES
from tests.cli import golden, person
from tests.cli.golden.lives import LIVES
from tests.cli.shapes import mismatch
from tests.wiki import Wiki, like

CALLS = (
    "agent",
    "agent install cursor --dry-run",
    "context",
    "context Lena",
    "uninstall",
    "federation status",
    "fleet status {root}",
    "examine {root}",
)
#: they answer by their own protocols, and not by a document
SERVERS = {"mcp", "web"}


def _live(root: Path) -> Wiki:
    wiki = Wiki.made(root)
    wiki.ingest("# Lena\n\nLena lives in Oslo.", source="me")
    wiki.consolidate()
    return wiki


@pytest.mark.parametrize("line", CALLS)
def test_a_document_has_the_shape_that_is_published(
    line: str, tmp_path: Path
) -> None:
    wiki = like("cli.json_of_others", tmp_path / "wiki", _live)
    words = line.format(root=wiki.root).split()
    done = person.program(*words, "--json", cwd=wiki.root, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert mismatch(SHAPES[words[0]], document) is None
    assert mismatch(SHAPES[words[0]], {"nothing": "of it"}) is not None


def test_every_verb_has_a_shape_and_a_document() -> None:
    assert set(SHAPES) == set(NAMES)
    seen = {line.split()[0] for line in CALLS} | SERVERS
    for life in LIVES:
        for call in golden.read(life):
            named = [word for word in call["argv"] if word in SHAPES]
            seen.update(named[:1])
    assert set(NAMES) - seen == set()
