"""Find the reader of an original. A reader's module is imported only when it may be the one."""

import importlib
from collections.abc import Iterator
from typing import NamedTuple

from companion.sources.reader import Reader


class Entry(NamedTuple):
    """Where a reader lies, and what usually is its own."""

    module: str  # it has a READER
    media_types: tuple[str, ...]
    endings: tuple[str, ...]  # of names, in lower case, e.g. ".pdf"


_DOCUMENTS = "companion.sources.documents."
_OFFICE = "companion.sources.office."
# it recognises every text, so it is tried last
_ANY_TEXT = _DOCUMENTS + "markdown"
_CONVERSATIONS = "companion.sources.conversations."
_SESSIONS = "companion.sources.sessions."
_STORES = "companion.sources.stores."


def _list_modules(
    modules: tuple[str, ...],
    media_types: tuple[str, ...],
    endings: tuple[str, ...],
) -> tuple[Entry, ...]:
    """Return entries for modules that read files of the same kind, told apart by their shape."""
    entries = [Entry(module, media_types, endings) for module in modules]
    return tuple(entries)


_JSON = _list_modules(
    (
        _CONVERSATIONS + "chatgpt",
        _CONVERSATIONS + "claude",
        _CONVERSATIONS + "claude_project",
        _CONVERSATIONS + "gemini",
        _CONVERSATIONS + "ai_studio",
        _CONVERSATIONS + "telegram",
        _CONVERSATIONS + "slack",
        _STORES + "claude_memory",
        _STORES + "mem0",
        _CONVERSATIONS + "beside",
    ),
    ("application/json",),
    (".json",),
)
_JSON_LINES = _list_modules(
    (
        _SESSIONS + "claude_code",
        _SESSIONS + "codex",
        _STORES + "mempalace",
        _STORES + "mcp_memory",
        _CONVERSATIONS + "chat_lines",
    ),
    ("application/jsonl", "application/x-ndjson"),
    (".jsonl", ".ndjson", ".json"),
)
_DATABASES = _list_modules(
    (
        _STORES + "mem0_history",
        _STORES + "mempalace_database",
        _STORES + "basic_memory",
    ),
    ("application/vnd.sqlite3", "application/x-sqlite3"),
    (".db", ".sqlite", ".sqlite3"),
)

#: Entries are tried in this order: those with the media type, those with the ending, all others,
#: and the reader of any text.
#: A reader of a certain shape stands before the reader of anything in its format.
READERS: tuple[Entry, ...] = (
    *_JSON,
    *_JSON_LINES,
    *_DATABASES,
    Entry(_CONVERSATIONS + "beside", ("text/html",), (".html",)),
    Entry(_CONVERSATIONS + "gemini_page", ("text/html",), (".html",)),
    Entry(_CONVERSATIONS + "whatsapp", ("text/plain",), (".txt",)),
    Entry(_STORES + "basic_memory", ("text/markdown", "text/plain"), (".md",)),
    Entry(_OFFICE + "pdf", ("application/pdf",), (".pdf",)),
    Entry(
        _OFFICE + "office_files",
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.oasis.opendocument.text",
            "application/vnd.oasis.opendocument.spreadsheet",
            "application/vnd.oasis.opendocument.presentation",
            "application/epub+zip",
            "application/rtf",
            "application/msword",
            "application/vnd.ms-excel",
            "application/vnd.ms-powerpoint",
        ),
        (
            *(".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub"),
            *(".rtf", ".doc", ".xls", ".ppt"),
        ),
    ),
    Entry(
        _OFFICE + "pictures",
        ("image/png", "image/jpeg", "image/tiff"),
        (".png", ".jpg", ".jpeg", ".tif", ".tiff"),
    ),
    Entry(_DOCUMENTS + "bookmarks", ("text/html",), (".html", ".htm")),
    Entry(
        _DOCUMENTS + "feed",
        ("application/rss+xml", "application/atom+xml"),
        (".rss", ".atom", ".xml"),
    ),
    Entry(_DOCUMENTS + "notebook", ("application/x-ipynb+json",), (".ipynb",)),
    Entry(
        _DOCUMENTS + "subtitles",
        ("text/vtt", "application/x-subrip"),
        (".vtt", ".srt"),
    ),
    Entry(
        _DOCUMENTS + "html",
        ("text/html", "application/xhtml+xml", "multipart/related"),
        (".html", ".htm", ".xhtml", ".mht", ".mhtml"),
    ),
    Entry(_DOCUMENTS + "mail", ("message/rfc822",), (".eml",)),
    Entry(
        _DOCUMENTS + "sheet",
        ("text/csv", "text/tab-separated-values"),
        (".csv", ".tsv", ".tab"),
    ),
    Entry(
        _ANY_TEXT,
        ("text/markdown", "text/plain", "text/org", "text/x-rst"),
        (".md", ".markdown", ".txt", ".text", ".org", ".rst"),
    ),
)


def choose_reader(
    head: bytes,
    name: str,
    media_type: str,
    readers: tuple[Entry, ...] = READERS,
) -> Reader | None:
    """Return the first reader that recognises *head*, the beginning of an original, as its own."""
    for entry in _order(readers, name, media_type):
        reader = load_reader(entry)
        if reader.recognises(head, name):
            return reader
    return None


def load_reader(entry: Entry) -> Reader:
    """Import the module of *entry* and return its reader."""
    module = importlib.import_module(entry.module)
    reader: Reader = module.READER
    return reader


def _order(
    readers: tuple[Entry, ...], name: str, media_type: str
) -> Iterator[Entry]:
    """Yield every entry once, the likeliest first."""
    typed = [entry for entry in readers if media_type in entry.media_types]
    lower = name.lower()
    ending = [entry for entry in readers if lower.endswith(entry.endings)]
    seen = {_ANY_TEXT}
    for entry in (*typed, *ending, *readers):
        if entry.module not in seen:
            seen.add(entry.module)
            yield entry
    yield from (entry for entry in readers if entry.module == _ANY_TEXT)
