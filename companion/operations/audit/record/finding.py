"""The result of one suspension, and what follows from it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.operations.audit.choose import (
    Chosen,
)
from companion.operations.audit.consequence import Consequence
from companion.operations.audit.statements import (
    StatementFinding,
)
from companion.operations.audit.verdict import (
    Evidence,
    Verdict,
)

if TYPE_CHECKING:
    pass


class Finding(NamedTuple):
    """The result of one suspension, and what follows from it."""

    chosen: Chosen
    evidence: Evidence
    verdict: Verdict
    follows: Consequence | None
    lighter: int  # entries that it links to and that weigh less without it
    statements: Sequence[StatementFinding] = ()  # of a page of several
