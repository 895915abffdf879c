"""What an answer needs before any claim: the index that is asked, and how answers are packed."""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.budget import fit_into_budget
from companion.errors import CompanionError
from companion.lookup.index import current_index
from companion.storage.journal.journal import Journal
from companion.values.time import parse_instant
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult, PlainAnswer


class NotKnown(CompanionError):
    """Nobody told this here."""

    exit_code = 1
    hint = "`companion search` finds what notes say of it in other words."


def open_index(
    ws: Workspace, journal: Journal | None = None
) -> sqlite3.Connection:
    """Return the index as the reader may see it. Raises NotKnown where no night has built it."""
    journal = journal or ws.journal()
    db = current_index(ws, journal)
    if journal.has_private(ws.who):
        # few readers have told anything in private
        from companion.ledger.private_view import show_to_owner

        db = show_to_owner(ws, journal, db)
    if db is None:
        raise NotKnown(
            "not known: no night has read anything yet",
            hint="`companion consolidate` reads your notes.",
        )
    return db


def pack_answers(
    question: str,
    answers: "Sequence[AnswerResult]",
    *,
    as_of: str | None,
    budget: int,
) -> "PlainAnswer":
    """Return *answers* within *budget* tokens; without any the question is not known. Raises
    BadTime.
    """
    return {
        "question": question,
        "as_of": parse_optional(as_of),
        **fit_into_budget(answers, budget),
        "known": bool(answers),
    }


def parse_optional(instant: str | None) -> str | None:
    """Return *instant* as it is compared; None where there is none. Raises BadTime."""
    return parse_instant(instant) if instant else None
