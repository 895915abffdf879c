"""The folder that `export` writes and `import` reads.

```
DIR/manifest.json     versions, tree ids, counts; written last, so that a partial export has none
DIR/files.jsonl       one line a file: its path here, git's mode and blob hash
DIR/wiki/             the branch's tip, the ledger (wiki/.companion/ledger) included
DIR/captures/         every note as it was given, <day>/<xx>/<id>.txt; who captured it when, .json
DIR/cold/             full texts of compressed and archived pages, and originals that were read,
                      <day>/<id>.txt, and .json
DIR/originals/        sources as they came in, <xx>/<sha256>, and .json; not those that are locked
DIR/private/<agent>/  the same for private captures, only with --private
DIR/private-cold/     originals that were told in private, only with --private
```

Nothing here is a symlink or executable: `files.jsonl` knows the mode, and shows later what is
damaged. Git's history is not exported; `git clone` copies that.
"""

from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from companion.maintenance.results import (
        ExportCounts,
    )

FORMAT = 2  # 1 had no originals
MANIFEST = "manifest.json"
LISTING = "files.jsonl"
GITLINK = 0o160000  # git's mode of a submodule
FILE_MODES = (0o100644, 0o100664, 0o100755)


class Item(NamedTuple):
    """One exported file."""

    section: str  # "wiki", "captures", "cold", "originals", "private/<agent>"
    path: str  # in that section's tree
    mode: int
    blob: str

    @property
    def file(self) -> str:
        """The path below the export's folder; a capture's bytes are text that any program opens."""
        path = f"{self.section}/{self.path}"
        is_plain = self.section in ("wiki", "originals")
        if is_plain or path.endswith(".json"):
            return path
        return path + ".txt"


class Manifest(TypedDict):
    """The content of manifest.json, as an import uses it."""

    tree: str
    buffer: str | None
    cold: str | None  # the first exports had none
    originals: str | None
    private_cold: str | None
    private: dict[str, str]  # by agent
    counts: "ExportCounts"
    exported_at: str
