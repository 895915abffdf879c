"""OBJ-3 broken: compressing again replaces what was there."""

from honest import within

BREAKS = "OBJ-3"
EXPECTS = "OBJ-3: an object was replaced"

within(
    {
        "companion.storage.git.append_only_tree": (
            "def add_files(repo, pack, base, files): return honest.add_files(repo, pack, None,"
            " files)"
        )
    }
)
