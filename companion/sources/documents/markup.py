"""All words of an HTML text as passages, by the parser of the standard library.

It keeps no tree, so that neither depth nor broken nesting matters, and it runs no script.
"""

from html.parser import HTMLParser

from companion.sources.document import Kind, Passage
from companion.sources.documents.tables import format_table

_SILENT = ("script", "style", "template", "title", "noscript", "svg")
_BLOCKS = (
    *("p", "div", "section", "article", "main", "aside", "header", "footer"),
    *("ul", "ol", "dl", "dt", "dd", "table", "tr", "pre", "blockquote", "hr"),
    *("li", "h1", "h2", "h3", "h4", "h5", "h6", "form", "nav", "figure"),
    *("figcaption", "address", "body", "html", "center"),
)
_CELLS = ("td", "th")
_LINK = "a"
_BREAK = "\v"  # a line that <br> ends; other line ends are spaces


class Words(HTMLParser):
    """Collects the passages of a text and the addresses that it links to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.passages: list[Passage] = []
        self.links: list[str] = []
        self._words: list[str] = []
        self._rows: list[list[str]] = []  # of an open table
        self._in_cell = False  # of it
        self._silent: list[str] = []  # open elements whose words are not shown
        self._quotes = 0
        self._code = 0
        self._kind: Kind = "paragraph"
        self._level = 0

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        """Begin a block, a line or a cell."""
        if tag == "body":
            self._silent.clear()
        if self._silent:
            self._open_silent(tag)
        elif tag in _SILENT:
            self._silent.append(tag)
        elif tag == _LINK:
            self.links.append(dict(attrs).get("href") or "")
        elif tag == "th" and not self._rows:
            self._flush()
            self._rows.append([])
            self._in_cell = True
        elif self._rows:
            self._continue_table(tag)
        else:
            self._continue_text(tag)

    def _continue_text(self, tag: str) -> None:
        if tag == "br":
            self._words.append(_BREAK)
        elif tag in _CELLS:
            self._words.append(" | " if self._words else "")
        elif tag in _BLOCKS:
            self._flush()
            self._begin(tag)

    def _continue_table(self, tag: str) -> None:
        """Begin a row or a cell; a table has them from its first <th> on."""
        if tag in _CELLS or tag == "tr":
            self._end_cell()
            self._in_cell = tag in _CELLS
        else:
            self._words.append(" ")
        if tag == "tr":
            self._rows.append([])

    def _end_cell(self) -> None:
        """Take the words of a cell, also of an empty one: the next stands in its own column."""
        text = "".join(self._words).strip()
        self._words.clear()
        if text or self._in_cell:
            self._rows[-1].append(text)
        self._in_cell = False

    def _end_table(self) -> None:
        self._end_cell()
        rows = [row for row in self._rows if row]
        self._rows.clear()
        self.passages.append(Passage(format_table(rows), "table"))

    def _open_silent(self, tag: str) -> None:
        if tag == self._silent[-1]:
            self._silent.append(tag)

    def _begin(self, tag: str) -> None:
        if tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._code += 1
        elif tag == "li":
            self._kind = "list"
        elif tag[0] == "h" and tag[1:].isdigit():
            self._kind, self._level = "heading", int(tag[1:])

    def handle_endtag(self, tag: str) -> None:
        """End a block."""
        if self._silent:
            if tag == self._silent[-1]:
                self._silent.pop()
            return
        if self._rows:
            if tag == "table":
                self._end_table()
            return
        if tag not in _BLOCKS:
            return
        self._flush()
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        elif tag == "pre":
            self._code = max(0, self._code - 1)

    def handle_data(self, data: str) -> None:
        """Take words."""
        if not self._silent:
            self._words.append(data)

    def close(self) -> None:
        """End the text."""
        super().close()
        if self._rows:
            self._end_table()
        self._flush()

    def _flush(self) -> None:
        text = "".join(self._words)
        self._words.clear()
        kind, level = self._kind, self._level
        self._kind, self._level = "paragraph", 0
        if not text.strip():
            return
        passage = self._make(text, kind, level)
        last = self.passages[-1] if self.passages else None
        if last is not None and last.kind == passage.kind == "list":
            joined = f"{last.text}\n{passage.text}"
            self.passages[-1] = last._replace(text=joined)
        else:
            self.passages.append(passage)

    def _make(self, text: str, kind: Kind, level: int) -> Passage:
        if self._code:
            code = text.replace(_BREAK, "\n").strip("\n")
            return Passage(f"```\n{code}\n```", "code")
        lines = [" ".join(line.split()) for line in text.split(_BREAK)]
        words = "\n".join(line for line in lines if line)
        if self._quotes:
            mark = "> " * min(self._quotes, 9)
            return Passage(
                "\n".join(mark + line for line in words.split("\n")), "quote"
            )
        if kind == "list":
            return Passage(f"- {words}", "list")
        return Passage(words, kind, level)


def read_markup(text: str) -> Words:
    """Return the words of the HTML *text*: its passages, without places, and its links."""
    words = Words()
    words.feed(text)
    words.close()
    return words
