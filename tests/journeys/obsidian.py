"""What an editor like Obsidian sees of a folder, by its own rules: written from its documentation,
not from companion.

A link names a file by its name without folder and ending, in any case; where several have the name,
the one in the folder of the link's own page, then the shortest path. With a folder it is a path
from the root or the end of one. `#Heading` and `#^block` stand within the file. Titles and aliases
resolve nothing. What stands in folders that begin with a dot is not there.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

_HIDDEN = re.compile(
    r"^```.*?^```|^~~~.*?^~~~|`[^`\n]*`|%%.*?%%", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"(!?)\[\[([^\[\]\n]+?)\]\]")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
_BLOCK = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$", re.MULTILINE)
_TAG = re.compile(
    r"(?:^|\s)#([^\s#\[\]()!.,;:?\"']*[^\W\d][^\s#\[\]()!.,;:?\"']*)"
)
_PUNCTUATION = re.compile(r"[^\w]+")


class Link(NamedTuple):
    """A link as it is written."""

    source: str
    target: str  # without heading or block
    place: str  # the heading or ^block
    is_embed: bool


class Vault:
    """All files of a folder as the editor knows them."""

    def __init__(self, root: Path) -> None:
        self.files = {
            str(path.relative_to(root)): path.read_bytes().decode("utf-8")
            for path in sorted(root.rglob("*"))
            if path.is_file() and not _is_hidden(path.relative_to(root))
        }
        self.notes = [path for path in self.files if path.endswith(".md")]

    def links(self) -> Iterator[Link]:
        """Yield every link of every note, and of its properties."""
        for source in self.notes:
            text = _HIDDEN.sub("", self.files[source])
            for mark, inner in _LINK.findall(text):
                whole = inner.partition("|")[0].rstrip("\\")
                target, _, place = whole.partition("#")
                yield Link(source, target.strip(), place.strip(), bool(mark))

    def resolve(self, target: str, source: str) -> str | None:
        """Return the path of the file that a link to *target* on *source* opens."""
        if not target:
            return source
        folder = posixpath.dirname(source)
        if target.startswith(("./", "../")):
            exact = posixpath.normpath(posixpath.join(folder, target))
            return self._find_exact(exact.casefold())
        wanted = target.lstrip("/").casefold()
        found = [
            path for path in self.files if _is_called(path.casefold(), wanted)
        ]
        found.sort(
            key=lambda path: (
                _strip(path).casefold() != wanted or "/" not in wanted,
                posixpath.dirname(path) != folder,
                len(path),
                path,
            )
        )
        return found[0] if found else None

    def _find_exact(self, wanted: str) -> str | None:
        for path in self.files:
            if wanted in (path.casefold(), _strip(path).casefold()):
                return path
        return None

    def has_place(self, path: str, place: str) -> bool:
        """Tell whether the note at *path* has a heading or block of that name."""
        text = self.files[path]
        if place.startswith("^"):
            return place[1:] in _BLOCK.findall(text)
        last = _plain(place.rpartition("#")[2])
        return last in [_plain(words) for words in _HEADING.findall(text)]

    def backlinks(self, path: str) -> set[str]:
        """Return the notes that link to or embed the one at *path*."""
        return {
            link.source
            for link in self.links()
            if link.source != path
            and self.resolve(link.target, link.source) == path
        }

    def properties(self, path: str) -> dict[str, object]:
        """Return the properties of a note; none where it has no block of them."""
        text = self.files[path]
        if not text.startswith("---\n"):
            return {}
        return dict(yaml.safe_load(text[4:].partition("\n---")[0]) or {})

    def tags(self, path: str) -> set[str]:
        """Return the tags of a note, of its properties and of its words."""
        properties = self.properties(path)
        listed = properties.get("tags") or []
        assert isinstance(listed, list)
        body = self.files[path]
        if properties:
            body = body[4:].partition("\n---")[2]
        return {*map(str, listed), *_TAG.findall(_HIDDEN.sub("", body))}


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _strip(path: str) -> str:
    return path.removesuffix(".md")


def _is_called(path: str, wanted: str) -> bool:
    names = (path, _strip(path))
    return any(name == wanted or name.endswith("/" + wanted) for name in names)


def _plain(words: str) -> str:
    return _PUNCTUATION.sub(" ", words).strip().casefold()
