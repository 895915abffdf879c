"""Tell what kind of file some bytes are: by how they begin, then by the name.

Pure. The first bytes decide where they have a mark of their own: a PDF that is called letter.docx
is a PDF. The table has what a reader of companion can read, and the kinds that people have lying
beside it (pictures, archives, programs), so that a folder's answer can say what it passed over.
"""

import os

from companion.values.refusals import MAX_BYTES, Refusal

LARGEST = 256 * 2**20  # bytes of a document that a reader reads

BINARY = "application/octet-stream"
ZIP = "application/zip"
MBOX = "application/mbox"
JSON = "application/json"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
HTML = "text/html"

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."

#: What a reader may make something of, by suffix.
READ = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".org": "text/org",
    ".rst": "text/x-rst",
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": "application/xhtml+xml",
    ".mhtml": "multipart/related",
    ".mht": "multipart/related",
    ".pdf": "application/pdf",
    ".docx": _OFFICE + "wordprocessingml.document",
    ".pptx": _OFFICE + "presentationml.presentation",
    ".xlsx": _OFFICE + "spreadsheetml.sheet",
    ".doc": "application/msword",
    ".ppt": "application/vnd.ms-powerpoint",
    ".xls": "application/vnd.ms-excel",
    ".odt": _OPEN_DOCUMENT + "text",
    ".odp": _OPEN_DOCUMENT + "presentation",
    ".ods": _OPEN_DOCUMENT + "spreadsheet",
    ".epub": "application/epub+zip",
    ".rtf": "application/rtf",
    ".eml": "message/rfc822",
    ".msg": "application/vnd.ms-outlook",
    ".mbox": MBOX,
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".ipynb": "application/x-ipynb+json",
    ".vtt": "text/vtt",
    ".srt": "application/x-subrip",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".opml": "text/x-opml",
    ".xml": "application/xml",
    ".json": JSON,
    ".jsonl": "application/jsonl",
    ".ndjson": "application/jsonl",
    ".zip": ZIP,
    ".db": "application/vnd.sqlite3",
    ".sqlite": "application/vnd.sqlite3",
    ".sqlite3": "application/vnd.sqlite3",
}

_PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".heic": "image/heic",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
}
_SOUNDS = {
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
    ".opus": "audio/ogg",
    ".aac": "audio/aac",
}
_FILMS = {
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".mkv": "video/x-matroska",
    ".webm": "video/webm",
    ".avi": "video/x-msvideo",
}
_ARCHIVES = {
    ".tar": "application/x-tar",
    ".gz": "application/gzip",
    ".tgz": "application/gzip",
    ".bz2": "application/x-bzip2",
    ".xz": "application/x-xz",
    ".zst": "application/zstd",
    ".7z": "application/x-7z-compressed",
    ".rar": "application/vnd.rar",
}
_PROGRAMS = {
    ".exe": "application/x-executable",
    ".dll": "application/x-executable",
    ".so": "application/x-executable",
    ".dylib": "application/x-executable",
    ".class": "application/x-executable",
    ".pyc": "application/x-executable",
    ".wasm": "application/wasm",
    ".dmg": "application/x-executable",
    ".iso": "application/x-executable",
    ".msi": "application/x-executable",
}
_SUFFIXES = READ | _PICTURES | _SOUNDS | _FILMS | _ARCHIVES | _PROGRAMS

# how files of a kind begin
_MARKS = (
    (b"%PDF-", "application/pdf"),
    (b"{\\rtf", "application/rtf"),
    (b"PK\3\4", ZIP),
    (b"PK\5\6", ZIP),  # without members
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"\x1aE\xdf\xa3", "video/x-matroska"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x7fELF", "application/x-executable"),
    (b"\xfe\xed\xfa\xcf", "application/x-executable"),
    (b"\xcf\xfa\xed\xfe", "application/x-executable"),
    (b"\xca\xfe\xba\xbe", "application/x-executable"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # Office before 2007, Outlook
_OLE_SUFFIXES = (
    *(".doc", ".ppt", ".xls", ".msg"),
    *(".docx", ".pptx", ".xlsx"),  # where a password locks them
)
_ZIPPED_SUFFIXES = (
    *(".docx", ".pptx", ".xlsx"),
    *(".odt", ".odp", ".ods", ".epub"),
)
_MACHINE = "application/x-executable"


def tell_media_type(head: bytes, name: str) -> str:
    """Return the media type of a file by its first bytes *head*, else by its *name*.

    What only its name knows keeps the type of its suffix; text without a known suffix is
    `text/plain`, and everything else `application/octet-stream`.
    """
    suffix = os.path.splitext(name)[1].lower()
    marked = _tell_by_mark(head, suffix)
    if marked is not None:
        return marked
    named = _SUFFIXES.get(suffix)
    if named is not None and not _contradicts(named, head):
        return named
    return _tell_text(head)


def tell_zipped(names: list[str], mimetype: bytes) -> str:
    """Return the media type of a zip by the *names* of its members and what the member called
    `mimetype` has, if there is one: documents are zips as well.
    """
    declared = mimetype.strip().decode("ascii", "replace")
    if declared in _SUFFIXES.values():
        return declared
    if "[Content_Types].xml" not in names:
        return ZIP
    for folder, suffix in (
        ("word/", ".docx"),
        ("ppt/", ".pptx"),
        ("xl/", ".xlsx"),
    ):
        if any(name.startswith(folder) for name in names):
            return READ[suffix]
    return ZIP


def is_read(media_type: str) -> bool:
    """Tell whether a reader may make something of files of this type."""
    return media_type in READ.values()


def is_wanted(media_type: str, name: str) -> bool:
    """Tell whether a file that nobody named is taken: text of an unknown kind is not, for it is
    more often a program's than a person's.
    """
    suffix = os.path.splitext(name)[1].lower()
    if media_type == PLAIN:
        return suffix in ("", *READ)
    return is_read(media_type)


def is_keepsake(media_type: str) -> bool:
    """Tell whether a file that nothing reads is kept when somebody names it: a picture, a
    recording, a video, a text of any kind. Programs and packed archives are not.
    """
    return media_type.startswith(("image/", "audio/", "video/", "text/"))


def may_be_split(media_type: str) -> bool:
    """Tell whether a file of this type may be a container, which has no limit of size."""
    return media_type in (ZIP, MBOX, JSON)


def limit_of(media_type: str) -> int:
    """Return how many bytes a document of this type may have."""
    return MAX_BYTES if is_text(media_type) else LARGEST


def refuse_large(origin: str, limit: int) -> Refusal:
    """Refuse a document of more than *limit* bytes."""
    return Refusal(
        origin,
        "too-large",
        f"larger than {limit // 2**20} MiB",
        "No reader takes it in one piece: split it, or export it in parts.",
    )


def is_text(media_type: str) -> bool:
    """Tell whether the bytes of this type are text that can be looked through for secrets."""
    if media_type.startswith(("text/", "message/", "multipart/")):
        return True
    if media_type in (MBOX, "application/x-subrip"):
        return True
    return media_type.endswith(("json", "xml", "jsonl"))


def name_kind(media_type: str) -> str:
    """Return what a person calls files of this type, in the plural."""
    first = media_type.partition("/")[0]
    plain = {
        "image": "pictures",
        "audio": "recordings",
        "video": "videos",
        "text": "texts that are no notes",
    }
    if first in plain:
        return plain[first]
    for table, kind in (
        (_ARCHIVES, "archives"),
        (_PROGRAMS, "programs"),
    ):
        if media_type in table.values():
            return kind
    return "files of unknown kinds"


def looks_like_text(head: bytes) -> bool:
    """Tell whether *head* has no NUL and is UTF-8 but for its last, cut character."""
    if b"\0" in head:
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3
    return True


def _tell_by_mark(head: bytes, suffix: str) -> str | None:
    marked = _tell_by_first_bytes(head, suffix)
    if marked is not None:
        return marked
    if head.startswith(_OLE):
        return READ[suffix] if suffix in _OLE_SUFFIXES else BINARY
    if head[:4] == b"RIFF":
        riff = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
        return riff.get(head[8:12], "video/x-msvideo")
    if head[4:8] == b"ftyp":
        return _tell_mp4(head[8:12])
    if head.startswith(b"MZ") and b"\0" in head:
        return _MACHINE
    # some writers put a few bytes before the mark
    if b"%PDF-" in head[:1024] and suffix == ".pdf":
        return READ[suffix]
    return _tell_markup(head, suffix)


def _tell_by_first_bytes(head: bytes, suffix: str) -> str | None:
    """Return the type whose mark *head* begins with; a packed document has that of its suffix."""
    for mark, media_type in _MARKS:
        if not head.startswith(mark):
            continue
        if media_type == ZIP and suffix in _ZIPPED_SUFFIXES:
            return READ[suffix]
        return media_type
    return None


def _tell_mp4(brand: bytes) -> str:
    if brand[:3] in (b"hei", b"mif"):
        return "image/heic"
    if brand[:3] == b"M4A":
        return "audio/mp4"
    return "video/mp4"


def _tell_markup(head: bytes, suffix: str) -> str | None:
    """Return the type of a page or mailbox that goes under another suffix, or under none."""
    if suffix not in ("", ".pdf", ".bin"):
        return None
    start = head[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return HTML
    if suffix == "" and is_mailbox(head):
        return MBOX
    return None


def is_mailbox(head: bytes) -> bool:
    """Tell whether *head* begins a mailbox: a line `From `, and below it a header."""
    first, _, rest = head.partition(b"\n")
    if not first.startswith(b"From ") or not any(
        48 <= byte < 58 for byte in first
    ):
        return False
    name, colon, _ = rest.partition(b"\n")[0].partition(b":")
    return bool(colon) and name.replace(b"-", b"").isalnum()


def _contradicts(named: str, head: bytes) -> bool:
    """Tell whether *head* cannot be what the suffix says: a plain text with a NUL in it."""
    is_plain = named in (MARKDOWN, PLAIN, READ[".org"], READ[".rst"])
    return is_plain and b"\0" in head and head[:2] not in _UTF16


def _tell_text(head: bytes) -> str:
    if head[:2] in _UTF16 or looks_like_text(head):
        return PLAIN
    return BINARY


_UTF16 = (b"\xff\xfe", b"\xfe\xff")
