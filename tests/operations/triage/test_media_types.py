"""The door knows every kind that a reader reads, so that nothing readable is refused."""

import os

import pytest

from companion.operations.triage.media_types import (
    is_keepsake,
    is_read,
    tell_media_type,
)
from companion.sources.registry import READERS, choose_reader
from tests.sources.samples import FOLDER, load

SAMPLES = sorted(
    name
    for name in os.listdir(FOLDER)
    if os.path.isfile(os.path.join(FOLDER, name))
    and not name.endswith((".py", ".pyc"))
)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_door_takes_what_a_reader_knows(name):
    content = load(name)
    media_type = tell_media_type(content[:65_536], name)

    assert is_read(media_type) or is_keepsake(media_type)
    assert choose_reader(content[:65_536], name, media_type) is not None


@pytest.mark.parametrize("name", SAMPLES)
def test_the_media_type_of_the_door_leads_to_the_reader_of_the_bytes(name):
    content = load(name)
    media_type = tell_media_type(content[:65_536], name)

    assert choose_reader(content, name, media_type) is choose_reader(
        content, name, ""
    )


def test_every_media_type_of_the_door_for_documents_has_a_reader():
    told = {kind for entry in READERS for kind in entry.media_types}
    for name in ("a.pdf", "a.docx", "a.epub", "a.ipynb", "a.srt", "a.eml"):
        assert tell_media_type(b"words", name) in told
