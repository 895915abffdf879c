"""Ids that every machine computes alike."""

import unicodedata

from companion.values.hashing import sha256


def entry_id(capture: str) -> str:
    """Return the id of the page that begins with *capture*: 16 base32 characters (80 bits)."""
    return _short(f"capture\0{capture}")


def subject_id(kind: str, key: str) -> str:
    """Return the id of the page that gathers a subject or a day, alike on every machine.

    *kind* is "day", "subject", "series" or "chat", *key* the day (2026-11-22) or the subject's
    `links.title_key`.
    """
    return _short(f"{kind}\0{key}")


def confirmed_id(capture: str) -> str:
    """Return the id of the page that *capture* has on a branch while its note stays elsewhere."""
    return _short(f"confirmed\0{capture}")


def shelf_id(capture: str) -> str:
    """Return the name under which cold memory has the statement of *capture*."""
    return _short(f"statement\0{capture}")


def provisional_id(path: str, blob: str, turn: int = 0) -> str:
    """Return the id of a page that companion did not write, from its path and its content.

    The first run that sees the page records it; until then it follows the page's content. *turn*
    counts the ids before it that another entry has already: a page may return to a path and a
    content that one had before.
    """
    name = f"page\0{unicodedata.normalize('NFC', path)}\0{blob}"
    if turn:
        name += f"\0{turn}"
    return _short(name)


def restored_id(entry: str, cold: str) -> str:
    """Return the id of the page that an archived *entry* is restored to from the object *cold*."""
    return _short(f"restored\0{entry}\0{cold}")


def _short(text: str) -> str:
    import base64  # a read makes no ids

    digest = sha256()
    digest.update(text.encode("utf-8", "surrogateescape"))
    return base64.b32encode(digest.digest()[:10]).decode().lower()
