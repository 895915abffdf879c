"""The folder that `export` writes and `import` reads.

```
DIR/manifest.json     versions, tree ids, counts; written last, so that a partial export has none
DIR/files.jsonl       one line a file: its path here, git's mode and blob hash
DIR/wiki/             the branch's tip, the ledger (wiki/.companion/ledger) included
DIR/captures/         every note as it was given, <day>/<xx>/<id>.txt; who captured it when, .json
DIR/cold/             full texts of compressed and archived pages, <day>/<id>.txt, and .json
DIR/private/<agent>/  the same for private captures, only with --private
```

Nothing here is a symlink or executable: `files.jsonl` knows the mode, and shows later what is
damaged. Git's history is not exported; `git clone` copies that.
"""

from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from companion.maintenance.results import (
        ExportCounts,
    )

FORMAT = 1
MANIFEST = "manifest.json"
LISTING = "files.jsonl"
GITLINK = 0o160000  # git's mode of a submodule
FILE_MODES = (0o100644, 0o100664, 0o100755)


class Item(NamedTuple):
    """One exported file."""

    section: str  # "wiki", "captures" or "private/<agent>"
    path: str  # in that section's tree
    mode: int
    blob: str

    @property
    def file(self) -> str:
        """The path below the export's folder; a capture's bytes are text that any program opens."""
        path = f"{self.section}/{self.path}"
        if self.section == "wiki" or path.endswith(".json"):
            return path
        return path + ".txt"


class Manifest(TypedDict):
    """The content of manifest.json, as an import uses it."""

    tree: str
    buffer: str | None
    cold: str | None  # the first exports had none
    private: dict[str, str]  # by agent
    counts: "ExportCounts"
    exported_at: str
