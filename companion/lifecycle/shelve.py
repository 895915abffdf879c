"""Take statements that lost out of their pages, into cold memory, or let them stand again (CON-17).

The page keeps a line in the place of each that goes (DEC-6), which names the way back. A statement
in which somebody wrote since stays where it is.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.lifecycle.transitions import Changes
from companion.pages import ids
from companion.pages.statement_edits import (
    reinstate_statement,
    shelve_statement,
)
from companion.pages.statements import (
    Statement,
    find_statement,
    lines_of_statement,
)
from companion.runs import owned_lines
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.cold import cold_memory
from companion.storage.cold.cold_memory import Cold
from companion.storage.git import objects
from companion.storage.index.tables.pages.statement_states import LostStatement
from companion.values.decisions import Write
from companion.values.wording import many

EDITED = "somebody wrote in it since"


def shelve_statements(
    run: Run,
    lost: Sequence[LostStatement],
    reasons: Mapping[str, str],
    moment: str,
) -> Changes:
    """Return what archives the statements *lost* of one page, for *reasons* by capture.

    *moment* is the time of the run (RFC 3339 UTC).
    """
    changes = Changes()
    page = lost[0]
    obstacle = run.excluded_paths([page.path]).get(page.path)
    if obstacle is not None:
        changes.left_out[page.path] = obstacle
        return changes
    text = run.repo.text(page.blob, exact=True)
    for each, statement in _find_untouched(run, lost, text, changes):
        content = statement.words.encode("utf-8", "surrogateescape")
        shelf = ids.shelf_id(each.capture)
        id = cold_memory.make_id(shelf, moment)
        blob = objects.hash_blob(content)
        changes.stored.append(
            (Cold(id, blob, shelf, moment, page.path), content)
        )
        text = shelve_statement(text, statement.id, moment[:10])
        changes.lines.append(
            {
                "e": "statement",
                "entry": page.entry,
                "capture": each.capture,
                "state": "archived",
                "path": page.path,
                "cold": id,
                "original": blob,
                "reason": reasons[each.capture],
            }
        )
    if changes.lines:
        count = many(len(changes.lines), "statement")
        why = f"Archived {count} that lost; cold memory has the words."
        _write_page(page, text, changes, why)
    return changes


def _find_untouched(
    run: Run, lost: Sequence[LostStatement], text: str, changes: Changes
) -> Iterator[tuple[LostStatement, Statement]]:
    """Yield those of *lost* that stand in *text*, with where they do; *changes* name what is left
    out, since somebody wrote in it.
    """
    page = lost[0]
    owned = owned_lines.find_owned_lines(run, page.entry, text)
    for each in lost:
        statement = find_statement(text, each.capture[:12])
        if statement is None:
            continue
        if owned.isdisjoint(lines_of_statement(text, statement)):
            yield each, statement
        else:
            changes.left_out[page.path] = f"{statement.when}: {EDITED}"


def reinstate_statements(
    run: Run, lost: Sequence[LostStatement], reasons: Mapping[str, str]
) -> Changes:
    """Return what lets the statements *lost* of one page stand on it again, for *reasons* by
    capture.
    """
    changes = Changes()
    page = lost[0]
    obstacle = run.excluded_paths([page.path]).get(page.path)
    if obstacle is not None:
        changes.left_out[page.path] = obstacle
        return changes
    text = run.repo.text(page.blob, exact=True)
    for each, statement in _find_untouched(run, lost, text, changes):
        text = reinstate_statement(text, statement.id)
        changes.lines.append(
            {
                "e": "statement",
                "entry": page.entry,
                "capture": each.capture,
                "state": "active",
                "reason": reasons[each.capture],
            }
        )
    if changes.lines:
        given = dict.fromkeys(line["reason"] for line in changes.lines)
        _write_page(page, text, changes, " ".join(given))
    return changes


def _write_page(
    page: LostStatement, text: str, changes: Changes, reason: str
) -> None:
    content = text.encode("utf-8", "surrogateescape")
    changes.writes.append(Write(page.path, content))
    changes.lines.append(
        make_grown_line(page.entry, page.path, content, reason)
    )
