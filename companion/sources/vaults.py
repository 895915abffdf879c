"""Folders of notes of other programs: what a note is called, and which day it is about.

Names carry what the texts do not say: Logseq and Obsidian call the note of a day by its date,
Notion adds an id to each file, zk begins names with one. No text is changed.
"""

import os
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import unquote

from companion.pages.frontmatter import read_front
from companion.values.captures import Draft, has_controls, heading
from companion.values.time import BadTime, parse_instant

Kind = Literal["obsidian", "logseq", "notion", "zk", ""]

_FOLDERS = (".obsidian", ".zk", "logseq", "journals", "pages")
_LONGEST_TITLE = 500  # characters
_NOTES = (".md", ".markdown", ".org", ".txt", ".csv")
_NOTION_ID = re.compile(r" [0-9a-f]{32}(?:_all)?$")
_DAY = re.compile(r"(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)")
_STAMP = re.compile(r"(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?!\d)")
_ZK_ID = re.compile(r"(?:\d{8,14}|(?=[a-z0-9]*\d)[a-z0-9]{4})(?:[-_ ]+|$)")
_PROPERTY = re.compile(r"^title:: (.+)$", re.MULTILINE)
_NOTION_DATE = re.compile(
    r"^(?:Date|Created|Created time): ([A-Z][a-z]+) (\d{1,2}), (\d{4})(?:$|\s)",
    re.MULTILINE,
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


class VaultNote(NamedTuple):
    """The properties of a note in a vault beside its text."""

    title: str
    event_time: str | None  # the day or minute it is about; RFC 3339 UTC
    source: str  # its path in the vault, with forward slashes


def detect_vault(names: Iterable[str]) -> Kind:
    """Return whose vault a folder is by the paths of its files; nothing where it is just a folder.

    Paths begin in the folder and have forward slashes; those of hidden files help.
    """
    paths = list(names)
    folders = {path.split("/")[0] for path in paths if "/" in path}
    if ".zk" in folders:
        return "zk"
    if "logseq" in folders or {"journals", "pages"} <= folders:
        return "logseq"
    if ".obsidian" in folders:
        return "obsidian"
    return "notion" if _is_of_notion(paths) else ""


def _is_of_notion(paths: Iterable[str]) -> bool:
    """Tell whether at least half of the notes among *paths* end with an id of Notion."""
    notes = [path for path in paths if path.lower().endswith(_NOTES)]
    marked = [path for path in notes if _NOTION_ID.search(_find_stem(path))]
    return bool(marked) and 2 * len(marked) >= len(notes)


def describe_vault_note(
    parts: Sequence[str], text: str, kind: Kind
) -> VaultNote:
    """Return what the path *parts*, from the vault's folder on, and *text* say of a note."""
    name = _find_stem(parts[-1])
    source = "/".join(parts)
    if kind == "notion":
        title = _find_heading(text) or _NOTION_ID.sub("", name)
        return VaultNote(title, _find_notion_day(text), source)
    if kind == "zk":
        title = _find_heading(text) or _drop_id(name)
        return VaultNote(title, _read_stamp(name), source)
    if kind == "logseq":
        return _describe_logseq(parts, name, text, source)
    title = _find_heading(text) or name
    return VaultNote(title, _read_day(name), source)


class Vaults:
    """The vaults among the folders of a tree, which is entered from its top."""

    def __init__(self) -> None:
        self._vaults: dict[str, tuple[str, Kind]] = {}  # folder -> its vault's

    def enter(self, folder: str, names: Sequence[str]) -> None:
        """Look at the *names* below *folder*: it is within a vault, or one itself, or none."""
        folder = folder.rstrip(os.sep)
        root, kind = self._vaults.get(os.path.dirname(folder), (folder, ""))
        if not kind:
            marked = [name + "/" * (name in _FOLDERS) for name in names]
            root, kind = folder, detect_vault(marked)
        self._vaults[folder] = (root, kind)

    def describe(self, draft: Draft, path: str, told: Draft) -> Draft:
        """Return the note *draft* with the title and the day that its *path* in a vault says.

        What was *told* with the command wins, and so does a heading of the text.
        """
        root, kind = self._vaults.get(os.path.dirname(path), ("", ""))
        if not kind:
            return draft
        parts = path[len(root) :].strip(os.sep).split(os.sep)
        return _describe_draft(draft, parts, kind, told)


def _describe_draft(
    draft: Draft, parts: Sequence[str], kind: Kind, told: Draft
) -> Draft:
    note = describe_vault_note(parts, draft.text, kind)
    fits = len(note.title) <= _LONGEST_TITLE and not has_controls(note.title)
    if told.title is None and heading(draft.text) is None and fits:
        draft = draft._replace(title=note.title)
    if told.event_time is None and note.event_time is not None:
        draft = draft._replace(event_time=note.event_time)
    return draft


def _find_stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _find_heading(text: str) -> str:
    """Return the title that *text* gives itself: in its frontmatter, or as its first heading."""
    front = read_front(text)
    title = front.meta.get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()
    return heading(front.body) or ""


def _describe_logseq(
    parts: Sequence[str], name: str, text: str, source: str
) -> VaultNote:
    """A journal is called by its date; a page's name has no slashes and is quoted as in URLs."""
    if "journals" in parts[:-1]:
        day = _read_day(name)
        return VaultNote(day[:10] if day else name, day, source)
    told = _PROPERTY.search(text.split("\n- ", 1)[0])
    title = told[1].strip() if told else unquote(name.replace("___", "/"))
    return VaultNote(title, None, source)


def _drop_id(name: str) -> str:
    """Return *name* without the id that it begins with, dashes of a slug as spaces."""
    rest = _ZK_ID.sub("", name, count=1)
    if not rest:
        return name
    return rest if " " in rest else rest.replace("-", " ").strip()


def _read_day(name: str) -> str | None:
    """Return the day that *name* begins with: 2024-01-02, 2024_01_02 or 20240102."""
    match = _DAY.match(name)
    if match is None:
        return None
    return _parse(f"{match[1]}-{match[3]}-{match[4]}")


def _read_stamp(name: str) -> str | None:
    """Return the minute that the id *name* begins with says, else its day."""
    match = _STAMP.match(name)
    if match is None:
        return _read_day(name)
    day = f"{match[1]}-{match[2]}-{match[3]}"
    return _parse(f"{day}T{match[4]}:{match[5]}:{match[6] or '00'}")


def _find_notion_day(text: str) -> str | None:
    """Return the day in the properties below the title of *text*."""
    head = "\n\n".join(text.split("\n\n", 2)[:2])
    match = _NOTION_DATE.search(head)
    if match is None or match[1] not in _MONTHS:
        return None
    month = _MONTHS.index(match[1]) + 1
    return _parse(f"{match[3]}-{month:02}-{int(match[2]):02}")


def _parse(text: str) -> str | None:
    try:
        return parse_instant(text)
    except BadTime:
        return None  # a number that only looks like a day
