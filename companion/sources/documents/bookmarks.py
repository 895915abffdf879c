"""Bookmarks as every browser exports them: the Netscape format."""

from datetime import UTC, datetime
from html.parser import HTMLParser

from companion.sources.document import Document, Passage
from companion.sources.documents.text import (
    decode_text,
    find_title,
    is_address,
    unique,
)
from companion.sources.reader import Reader

_MARK = b"<!doctype netscape-bookmark-file"
_ITEMS = 40  # of one passage


def recognise_bookmarks(head: bytes, name: str) -> bool:
    """Tell whether *head* begins with the mark of the format."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_MARK)


class _Bookmarks(HTMLParser):
    """Collects the bookmarks of every folder, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.folders: list[tuple[str, list[str]]] = [("", [])]
        self.links: list[str] = []
        self.title = ""
        self._path: list[str] = []
        self._tag = ""
        self._words = ""
        self._address = ""
        self._date = ""

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        """Begin the title of a folder or of a bookmark."""
        if tag in ("h1", "h3", "a"):
            self._tag, self._words = tag, ""
        if tag == "a":
            fields = dict(attrs)
            self._address = fields.get("href") or ""
            self._date = _say_day(fields.get("add_date") or "")

    def handle_data(self, data: str) -> None:
        """Take words."""
        self._words += data

    def handle_endtag(self, tag: str) -> None:
        """End a title, or a folder."""
        words = " ".join(self._words.split())
        if tag == "dl":
            if self._path:
                self._path.pop()
            self._open()
        elif tag != self._tag:
            return
        elif tag == "h1":
            self.title = words
        elif tag == "h3":
            self._path.append(words)
            self._open()
        elif tag == "a":
            self._add(words)
        self._tag = ""

    def _open(self) -> None:
        self.folders.append((" / ".join(self._path), []))

    def _add(self, words: str) -> None:
        if not is_address(self._address):
            return
        self.links.append(self._address)
        said = f" ({self._date})" if self._date else ""
        title = (words or self._address).replace("[", "\\[").replace("]", "\\]")
        self.folders[-1][1].append(f"- [{title}](<{self._address}>){said}")


def _say_day(seconds: str) -> str:
    """Return the day of a Unix time in seconds, or in microseconds as some browsers write it."""
    if not seconds.isascii() or not seconds.isdigit():
        return ""
    number = int(seconds[:20])
    if number > 10**14:
        number //= 10**6
    try:
        return datetime.fromtimestamp(number, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def read_bookmarks(content: bytes, name: str) -> Document:
    """Return the bookmarks *content* as a list a folder, each with its address and day."""
    text, warning = decode_text(content)
    parser = _Bookmarks()
    parser.feed(text)
    parser.close()
    passages: list[Passage] = []
    named = ""
    for path, items in parser.folders:
        if items and path != named:
            named = path
            passages.append(Passage(path, "heading", 2, f'folder "{path}"'))
        passages += _split(path, items)
    return Document(
        title=parser.title or find_title(name),
        passages=tuple(passages),
        links=unique(parser.links),
        warnings=(warning,) if warning else (),
    )


def _split(path: str, items: list[str]) -> list[Passage]:
    passages = []
    for start in range(0, len(items), _ITEMS):
        piece = items[start : start + _ITEMS]
        place = f'folder "{path}" items {start + 1}-{start + len(piece)}'
        passages.append(Passage("\n".join(piece), "list", 0, place))
    return passages


READER = Reader(
    "bookmarks", 1, ("text/html",), recognise_bookmarks, read_bookmarks
)
