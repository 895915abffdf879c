"""OBJ-3 broken: compressing again replaces what was there."""

from honest import within

BREAKS = "OBJ-3"
EXPECTS = "OBJ-3: an object was replaced"

within(
    store_growing="def grow(repo, pack, base, files): return honest.grow(repo, pack, None, files)"
)
