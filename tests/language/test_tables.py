"""The words that the program reads are those that people edit."""

import tomllib
from pathlib import Path

import pytest

from companion.language.detect import FOLDER, read_language_data
from tests.language.tables import list_differing

SOURCES = sorted(Path(FOLDER).glob("??/*.toml"))


def test_every_table_is_up_to_date() -> None:
    stale = [str(table) for table, _ in list_differing()]

    assert not stale, "run `python -m tests.language.tables --write`"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.parent.name)
def test_a_table_says_what_its_source_says(source: Path) -> None:
    words = tomllib.loads(source.read_text(encoding="utf-8"))

    assert read_language_data(source.parent.name, source.stem) == words
