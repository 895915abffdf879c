"""Plans: what an operation decided, and why, before anything is touched."""

from dataclasses import dataclass, field

from companion.values.events import LedgerLine


@dataclass(frozen=True)
class Verdict:
    """One decision of the core.

    Its reason is in words and numbers and never quotes a capture.
    """

    subject: str  # an entry id or a capture id
    action: str
    reason: str
    data: LedgerLine = field(default_factory=dict)


@dataclass(frozen=True)
class Write:
    """A file the plan wants in the tree; ``content=None`` removes it."""

    path: str  # relative to the wiki's root, forward slashes, NFC
    content: bytes | None


@dataclass(frozen=True)
class Edit:
    """A person's change of one page that is not staged: written or deleted, as its file says."""

    path: str  # relative to the wiki
    old: str | None  # the blob that the branch has
    mode: int = 0o100644
