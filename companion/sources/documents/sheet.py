"""Tables as text: CSV and TSV."""

import csv
import io
from collections.abc import Iterator

from companion.sources.document import Document
from companion.sources.documents.tables import split_table
from companion.sources.documents.text import (
    check_text,
    decode_text,
    find_title,
    is_text,
)
from companion.sources.reader import Reader

_MEDIA_TYPES = ("text/csv", "text/tab-separated-values")
_ENDINGS = (".csv", ".tsv", ".tab")
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 50  # lines that the delimiter is found in
_FIELD = 2**24  # characters


def recognise_sheet(head: bytes, name: str) -> bool:
    """Tell whether *name* calls the text *head* a table; bytes alone cannot tell."""
    return name.lower().endswith(_ENDINGS) and is_text(head)


def read_sheet(content: bytes, name: str) -> Document:
    """Return the table *content*, its first row as the names of the columns."""
    check_text(content)
    text, warning = decode_text(content)
    delimiter = find_delimiter(text)
    count = sum(1 for _ in _read_rows(text, delimiter))
    table = split_table(_read_rows(text, delimiter), count)
    warnings = (warning, *table.warnings)
    return Document(
        title=find_title(name),
        passages=table.passages,
        warnings=tuple(item for item in warnings if item),
    )


def find_delimiter(text: str) -> str:
    """Return the delimiter that the first lines agree on best: as often in each, and often."""
    lines = text[:100_000].splitlines()[:_SAMPLE]
    best, best_score = ",", 0
    for delimiter in _DELIMITERS:
        counts = [line.count(delimiter) for line in lines if line.strip()]
        agreed = sum(1 for count in counts if count and count == counts[0])
        score = agreed * 100 + (counts[0] if agreed else 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _read_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_FIELD)
    lines = io.StringIO(text.replace("\0", ""), newline="")
    for row in csv.reader(lines, delimiter=delimiter):
        if row:
            yield row


READER = Reader("table", 1, _MEDIA_TYPES, recognise_sheet, read_sheet)
