"""DEC-4 broken: what a page says now is taken for its full text, summary or not."""

from honest import within

BREAKS = "DEC-4"
EXPECTS = "DEC-4: "

within(
    {
        "companion.lifecycle.transitions": "def read_full_text(run, entry, original): return _read_blob(run, entry.blob)"
    }
)
