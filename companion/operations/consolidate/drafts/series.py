"""Write the values of a series: rows of one table. Pure."""

from companion.pages.page import append_section
from companion.pages.series_table import (
    Row,
    add_row,
    format_table,
    has_table,
    mark_corrected,
    read_rows,
    replace_row,
)
from companion.subjects.series import (
    complete_correction,
    find_corrected,
    read_correction,
    read_dated_value,
    row_of,
)


def add_value(
    text: str, id: str, when: str, words: str, language: str
) -> str | None:
    """Return the page of a series with one more value; None where *words* are none.

    *id* is that of the note's statement, *when* its time by the teller's clock. A value that
    corrects another of its day takes its place; the other stays, struck through.
    """
    words = words.strip("\r\n")
    corrected = _correct(text, id, when, words)
    if corrected is not None:
        return corrected
    value = read_dated_value(id, when, words)
    if value is None:
        return None
    row = row_of(value)
    if not has_table(text):
        return append_section(text, format_table([row], language))
    return add_row(text, row)


def _correct(text: str, id: str, when: str, words: str) -> str | None:
    """Return *text* with a value corrected; None where *words* correct none of its day."""
    correction = read_correction(words)
    if correction is None:
        return None
    rows: dict[str, Row] = {}
    values = []
    for row in read_rows(text):
        value = read_dated_value(row.id, row.when, row.words)
        if value is not None and not row.corrected_by:
            rows[row.id] = row
            values.append(value)
    wrong = find_corrected(correction, when[:10], values)
    if wrong is None:
        return None
    right = complete_correction(correction, wrong)
    new = Row(id, when, right.value, words)
    old = rows[wrong.id]
    marked = replace_row(text, old, mark_corrected(old, new))
    return None if marked is None else add_row(marked, new)
