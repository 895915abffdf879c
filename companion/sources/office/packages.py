"""Tell the format of a packed document by its first bytes."""

import struct

_LOCAL = b"PK\x03\x04"
_END = b"PK\x05\x06"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER = struct.Struct("<4sHHHHHIIIHH")
_BEGINNINGS = (
    (b"word/", "docx"),
    (b"xl/", "xlsx"),
    (b"ppt/", "pptx"),
)
_ENDINGS = ("docx", "xlsx", "pptx", "doc", "xls", "ppt")
_MIMETYPES = (
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"application/vnd.oasis.opendocument.presentation", "odp"),
)
_OLE_NAMES = (
    ("EncryptedPackage".encode("utf-16-le"), "encrypted"),
    ("WordDocument".encode("utf-16-le"), "doc"),
    ("Workbook".encode("utf-16-le"), "xls"),
    ("PowerPoint Document".encode("utf-16-le"), "ppt"),
)


def find_format(head: bytes, name: str) -> str:
    """Return docx, xlsx, pptx, odt, ods, odp, epub, doc, xls, ppt, pdf, rtf, encrypted or ""."""
    if head.startswith(_LOCAL):
        return _find_zipped(head, name)
    if head.startswith(_OLE):
        return _find_compound(head, name)
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"{\\rtf"):
        return "rtf"
    return ""


def _find_zipped(head: bytes, name: str) -> str:
    for words, found in _MIMETYPES:
        if words in head[:200]:
            return found
    members = _list_members(head)
    for member in members:
        for words, found in _BEGINNINGS:
            if member.startswith(words):
                return found
    if b"[Content_Types].xml" in members or _END not in head:
        return _find_ending(name)
    return ""


def _list_members(head: bytes) -> list[bytes]:
    """Return the names of the members whose headers begin in *head*."""
    names = []
    at = head.find(_LOCAL)
    while 0 <= at <= len(head) - _HEADER.size:
        fields = _HEADER.unpack_from(head, at)
        begin = at + _HEADER.size
        names.append(head[begin : begin + fields[9]])
        at = head.find(_LOCAL, begin)
    return names


def _find_compound(head: bytes, name: str) -> str:
    for words, found in _OLE_NAMES:
        if words in head:
            return found
    return _find_ending(name)


def _find_ending(name: str) -> str:
    ending = name.lower().rpartition(".")[2]
    return ending if ending in _ENDINGS else ""
