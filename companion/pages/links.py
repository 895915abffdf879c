"""Resolve link targets to pages as Obsidian does (`getFirstLinkpathDest`), and a little past it.

The index stores one lookup `key` per page and per link and asks `choose` among the pages that share
it. Obsidian knows neither titles nor aliases here: only where its rule finds nothing does the index
take a unique title or alias.
"""

from collections.abc import Sequence
from unicodedata import normalize

from companion.patterns import lazy

# What Obsidian opens itself, and the usual company of notes. Unknown endings belong to names:
# `Node.js`, `v1.2` and `jzhao.xyz` are pages that may be written one day.
_ATTACHMENT = lazy(
    r"base|canvas|pdf|avif|bmp|gif|jpe?g|png|svg|webp|heic|ico|tiff?"
    r"|3gp|flac|m4a|mp3|ogg|opus|wav|webm|mkv|mov|mp4|ogv|avi"
    r"|excalidraw|csv|tsv|xlsx?|ods|docx?|odt|rtf|pptx?|odp|key|epub"
    r"|zip|gz|tar|7z|txt|json|ya?ml|xml|html?|css|ics|eml|bib|ttf|otf|woff2?"
)


def fold(text: str) -> str:
    """Return *text* as names are compared: casefolded, NFC, no-break spaces as spaces."""
    if text.isascii():
        return text.lower()
    composed = normalize("NFC", text.replace("\u00a0", " "))
    return normalize("NFC", composed.casefold())


def key(target: str) -> str:
    """Return the lookup key of a target or path: its basename, folded, without `.md`."""
    return fold(target.rpartition("/")[2].strip()).removesuffix(".md")


def title_key(text: str) -> str:
    """Return the lookup key of a title or alias: folded, white space collapsed."""
    return " ".join(fold(text).split())


def is_page_target(target: str) -> bool:
    """Tell whether *target* names a page, existing or not: neither an attachment nor a folder."""
    name = target.rpartition("/")[2].strip()
    if not name.strip("."):
        return False
    stem, _, ending = name.rpartition(".")
    return not stem or not _ATTACHMENT.fullmatch(ending.lower())


def choose(
    target: str, source_path: str, candidates: Sequence[str]
) -> str | None:
    """Return the page that *target*, written in *source_path*, means; None when none of them.

    *candidates* are the vault's paths (forward slashes, from the root) whose `key` is the target's.
    A leading `/` means exactly that path from the root; `./` and `../` start at the source's
    folder. The exact path from the root wins; otherwise paths that end with the target's: those
    under the source's folder first, then the shortest, then the one written alike, then the first
    by name. Like Obsidian, both "end with" and "under" compare text, not folders.
    """
    folder = source_path.rpartition("/")[0]
    wanted = _from_root(target.strip(), folder)
    folded = _bare(fold(wanted))
    if not folded:
        return None
    same = [path for path in candidates if _bare(fold(path)) == folded]
    if not same and not target.startswith("/"):
        same = [path for path in candidates if _ends_with(path, folded)]
    return min(
        same, key=lambda path: _rank(path, fold(folder), wanted), default=None
    )


def _from_root(target: str, folder: str) -> str:
    """Return the target's path from the vault's root; steps above the root stay there."""
    if not target.startswith(("./", "../")):
        return target.removeprefix("/")
    parts: list[str] = []
    if folder:
        parts = folder.split("/")
    for step in target.split("/"):
        if step == "..":
            del parts[-1:]
        elif step != ".":
            parts.append(step)
    return "/".join(parts)


def _bare(folded: str) -> str:
    return folded.removesuffix(".md")


def _ends_with(path: str, folded: str) -> bool:
    return _bare(fold(path)).endswith(folded)


def _rank(path: str, folder: str, wanted: str) -> tuple[bool, int, bool, str]:
    alike = _bare(path).endswith(_bare(wanted))
    return not fold(path).startswith(folder), len(path), not alike, path
