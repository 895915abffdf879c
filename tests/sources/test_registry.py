"""The registry: it agrees with the readers, and imports only what an original needs."""

import subprocess
import sys

import pytest

from companion.sources.document import Document, Unreadable
from companion.sources.registry import READERS, choose_reader, load_reader
from tests.sources.samples import load

KINDS = {
    "report.md": "text",
    "pandoc.org": "text",
    "pandoc.rst": "text",
    "pandoc.html": "html",
    "chromium.html": "html",
    "chromium.mhtml": "html",
    "writer.pdf": "pdf",
    "writer.docx": "office",
    "pandoc.pptx": "office",
    "calc.xlsx": "office",
    "pandoc.odt": "office",
    "pandoc.epub": "office",
    "writer.rtf": "office",
    "firings.csv": "table",
    "pandoc.ipynb": "notebook",
    "mail.eml": "mail",
    "talk.vtt": "subtitles",
    "talk.srt": "subtitles",
    "brick.rss": "feed",
    "kilns.atom": "feed",
    "bookmarks.html": "bookmarks",
}


OURS = [entry for entry in READERS if ".documents." in entry.module]


@pytest.mark.parametrize("entry", OURS, ids=lambda entry: entry.module)
def test_an_entry_names_the_media_types_of_its_reader(entry):
    assert load_reader(entry).media_types == entry.media_types


def test_every_reader_has_a_name_of_its_own():
    modules = {entry.module: entry for entry in READERS}
    names = [load_reader(entry).name for entry in modules.values()]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "media_type", ["", "application/octet-stream", "text/plain"]
)
def test_each_sample_finds_its_reader(name, media_type):
    reader = choose_reader(load(name), name, media_type)

    assert reader is not None
    assert reader.name == KINDS[name]


def test_bytes_that_nobody_knows_have_no_reader():
    assert choose_reader(b"\x00\x01\x02\x03" * 99, "x.bin", "") is None


def _read_if_known(content: bytes, name: str) -> Document | None:
    reader = choose_reader(content, name, "")
    try:
        return None if reader is None else reader.read(content, name)
    except Unreadable:
        return None


PURE = [name for name, kind in KINDS.items() if kind not in ("pdf", "office")]


@pytest.mark.parametrize("name", PURE)
def test_cut_and_broken_samples_are_read_or_refused_by_name(name):
    content = load(name)
    step = max(1, len(content) // 25)
    for end in range(0, len(content), step):
        _read_if_known(content[:end], name)
        _read_if_known(content[:end] + b"\xff\x00<" + content[end:], name)


HEAVY = ("xberg", "lxml", "trafilatura", "asyncio", "email", "numpy")


def test_loading_every_reader_imports_no_library():
    code = (
        "import sys\n"
        "from companion.sources.registry import READERS, load_reader\n"
        "for entry in READERS: load_reader(entry)\n"
        "print(*[name for name in sys.argv[1:] if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", code, *HEAVY]
    said = subprocess.run(command, capture_output=True, text=True, check=True)

    assert said.stdout.strip() == ""
