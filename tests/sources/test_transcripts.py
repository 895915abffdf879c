"""A chat in a text file is no note of its owner: others speak in it."""

import subprocess
import sys

import pytest

from companion.sources.transcripts import is_transcript
from tests.sources.exports import load


@pytest.mark.parametrize(
    "path",
    [
        "whatsapp/_chat.txt",
        "whatsapp/chat-us.txt",
        "whatsapp/WhatsApp Chat with Anna.txt",
        "gemini/Ferry times",
    ],
)
def test_a_chat_is_told_from_a_note(path):
    assert is_transcript(load(path).decode(), path.split("/")[-1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Anna: call me",
        "12.3.2024\n\nA day at the sea.",
        "12/03/24, 18:05 - tea with Anna\n12/04/24 nothing",
        "2024-03-12 18:05 - INFO: started\n2024-03-12 18:06 - INFO: done",
        '{"note": 1}',
    ],
)
def test_a_note_stays_a_note(text):
    assert not is_transcript(text, "note.txt")


def test_telling_a_note_imports_no_reader():
    code = (
        "import sys; from companion.sources.transcripts import is_transcript;"
        "assert not is_transcript('Anna moved to Kiel.', 'a.txt');"
        "sys.exit(any(name.startswith('companion.sources.conv') for name in sys.modules))"
    )

    assert (
        subprocess.run([sys.executable, "-c", code], check=False).returncode
        == 0
    )
