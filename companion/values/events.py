"""The JSON objects that companion writes: lines of the ledger, and the documents of `--json`."""

from companion.annotations import Any

# one line of a ledger file: an event `e` with its fields
LedgerLine = dict[str, Any]
#: codes of originals that hold nothing of their own: they are known, and passed over
PASSED_OVER = frozenset({"no-conversation", "derived"})
JsonDocument = dict[str, Any]  # what a verb prints with --json, or a part of it
