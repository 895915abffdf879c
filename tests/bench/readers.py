"""What reading documents costs: MB and CPU seconds a reader, and what its process adds.

Every kind is made here at about a megabyte, from sentences that differ. CPU seconds are those that
the reading process counts for one original; the bytes are those of the file as it is stored, so a
packed format shows a smaller rate than its text has.
"""

import json
import time
from collections.abc import Callable

from companion.sources.document import Unreadable
from companion.sources.read import Readers, read_document
from tests.bench.reader_exports import EXPORTS
from tests.sources.made import make_pdf, pack_document
from tests.sources.originals import make

SENTENCES = 12_000
SMALL = 300  # files of a few words
TURNS = 3


def readers() -> None:
    """Print a line a reader, then what a process costs."""
    print("  kind          MB    CPU s   MB a CPU s     pieces   wall s")
    with Readers() as pool:
        for name, write in (KINDS | EXPORTS).items():
            _measure(pool, name, write())
    _measure_process()


def _measure(pool: Readers, name: str, content: bytes) -> None:
    item = make(content, name)
    try:
        pool.read(content, item)  # the first reading imports the library
        begun = time.perf_counter()
        reading = pool.read(content, item)
    except Unreadable as error:
        print(f"  {name:12}  not read: {error}")
        return
    wall = time.perf_counter() - begun
    size = len(content) / 1e6
    document = reading.document
    pieces = (document.passages, document.turns, document.memories)
    rate = size / max(reading.cpu_seconds, 1e-4)
    print(
        f"  {name:12}{size:5.2f}  {reading.cpu_seconds:6.2f}  {rate:10.1f}"
        f"  {sum(map(len, pieces)):9,}  {wall:7.2f}"
    )


def _measure_process() -> None:
    """Print the time of small files with one process for all, and with one for each."""
    content = b"# Tea\n\nGreen tea is fired in a pan.\n"
    item = make(content, "tea.md")
    with Readers() as pool:
        pool.read(content, item)
        begun = time.perf_counter()
        for _ in range(SMALL):
            pool.read(content, item)
        together = (time.perf_counter() - begun) / SMALL
    begun = time.perf_counter()
    for _ in range(TURNS):
        read_document(content, item)
    alone = (time.perf_counter() - begun) / TURNS
    large = b"word " * 4_000_000
    with Readers() as pool:
        pool.read(content, item)
        begun = time.perf_counter()
        reading = pool.read(large, make(large, "large.txt"))
        way = time.perf_counter() - begun - reading.cpu_seconds
    print(f"  a small file in a running process: {together * 1e3:.2f} ms")
    print(f"  a small file in a process of its own: {alone * 1e3:.0f} ms")
    print(f"  20 MB to the process and back: {way * 1e3:.0f} ms")


def _sentences(count: int = SENTENCES) -> list[str]:
    return [
        f"On day {number} the kiln was fired to {number % 400 + 900} degrees, because"
        f" batch {number * 7} was dry."
        for number in range(count)
    ]


def _write_markdown() -> bytes:
    lines = []
    for number, sentence in enumerate(_sentences()):
        lines.append(
            f"## Day {number}\n" if number % 20 == 0 else sentence + "\n"
        )
    return "\n".join(lines).encode()


def _write_html() -> bytes:
    body = "".join(f"<p>{sentence}</p>\n" for sentence in _sentences())
    page = f"<nav><a href=/>Home</a></nav><article>{body}</article><footer>x</footer>"
    return f"<!DOCTYPE html><html><body>{page}</body></html>".encode()


def _write_pdf() -> bytes:
    return make_pdf(_sentences(500))


def _write_docx() -> bytes:
    return pack_document(*(sentence.encode() for sentence in _sentences()))


def _write_xlsx() -> bytes:
    rows = [sentence.encode() for sentence in _sentences()]
    return pack_document(*rows, name="calc.xlsx")


def _write_csv() -> bytes:
    rows = [f"{n},{n % 400},{s!r}" for n, s in enumerate(_sentences())]
    return "\n".join(["day,degrees,what", *rows]).encode()


def _write_notebook() -> bytes:
    cells = [{"cell_type": "markdown", "source": said} for said in _sentences()]
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}).encode()


def _write_mail() -> bytes:
    head = "From: a@example.org\nTo: b@example.org\nSubject: kiln\nMessage-ID: <1@x>\n\n"
    return (head + "\n\n".join(_sentences())).encode()


def _write_subtitles() -> bytes:
    cues = ["WEBVTT"]
    for number, sentence in enumerate(_sentences()):
        start = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
        cues.append(f"{start}.000 --> {start}.900\n{sentence}")
    return "\n\n".join(cues).encode()


def _write_bookmarks() -> bytes:
    items = [
        f'<DT><A HREF="https://example.org/{number}" ADD_DATE="1771056000">{said}</A>'
        for number, said in enumerate(_sentences())
    ]
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
    return (head + "\n".join(items)).encode()


def _write_feed() -> bytes:
    items = [
        f"<item><title>{number}</title><description>{said}</description></item>"
        for number, said in enumerate(_sentences())
    ]
    body = "\n".join(items)
    return f'<rss version="2.0"><channel><title>Kiln</title>{body}</channel></rss>'.encode()


KINDS: dict[str, Callable[[], bytes]] = {
    "text.md": _write_markdown,
    "page.html": _write_html,
    "paper.pdf": _write_pdf,
    "report.docx": _write_docx,
    "sheet.xlsx": _write_xlsx,
    "table.csv": _write_csv,
    "book.ipynb": _write_notebook,
    "letter.eml": _write_mail,
    "talk.vtt": _write_subtitles,
    "marks.html": _write_bookmarks,
    "news.rss": _write_feed,
}
