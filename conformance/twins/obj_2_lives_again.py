"""OBJ-2 broken: a recalled entry goes on under its own id, as if it had never been archived."""

from honest import within

BREAKS = "OBJ-2"
EXPECTS = "OBJ-2: what was archived lives again"

within({"companion.pages.ids": "def restored_id(entry, cold): return entry"})
