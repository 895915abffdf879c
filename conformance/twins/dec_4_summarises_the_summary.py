"""DEC-4 broken: what a page says now is taken for its full text, summary or not."""

from honest import within

BREAKS = "DEC-4"
EXPECTS = "DEC-4: "

within(
    {
        "companion.lifecycle.transitions": "def full_text(tonight, entry, origin): return _text(tonight, entry.blob)"
    }
)
