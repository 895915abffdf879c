"""Read a query as a person types it. Pure, and any text is a query.

- `"garden gate"` holds words that stand together.
- `gard*` holds every word that begins so.
- `-word`, `-"…"` and `-tag:x` leave out what has it.
- `a OR b` wants one of both.
- `tag:`, `type:`, `state:`, `since:`, `before:`, `source:`, `agent:` and `in:` look at what is
  known of a note, not at its words.

What does not read as one of these stands for its words, and is said. On the hot path of a search: a
query of plain words costs one look at its characters.
"""

from collections.abc import Callable, Iterator, Sequence

from companion.annotations import TYPE_CHECKING, get_args
from companion.patterns import lazy
from companion.storage.index.search.wanted import Request, Term, TermKind
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.lookup.results import NotUnderstood

#: returns the instant at which the time begins that words name; None where they name none
TimeReader = Callable[[str], str | None]

STATES = ("pending", "active", "decaying", "archived", "minority")
_TIMES = ("since", "before")
_FIELDS = frozenset(get_args(TermKind)) - {"word", "phrase", "prefix"}
MOST = 10_000  # characters that are read
_MOST_TERMS = 64
_LONGEST_TIME = 4  # words of a time: "the week before last"
_SAID = 5  # parts of a query that are named as not understood

# signs that make a query more than words
_SIGNS = '"*:“”„«»'
_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
_PIECE = lazy(
    r"(?P<minus>-?)"
    r"(?:(?P<field>[A-Za-z]+):(?=\S))?"
    r'(?:"(?P<quoted>[^"]*)"|(?P<bare>\S+))'
)
_LETTER = lazy(r"[^\W_]")
_PLAIN_NUMBER = lazy(r"[\d.,]+")


class Reading(NamedTuple):
    """What a query wants, and what of it was not understood."""

    request: Request
    not_understood: "list[NotUnderstood]"


class _Piece(NamedTuple):
    minus: bool
    field: str
    text: str
    quoted: bool
    whole: str  # as it was typed


class _Part(NamedTuple):
    """A term with its sign."""

    term: Term
    minus: bool
    words: str  # what it adds to the words looked for


def _is_special(text: str) -> bool:
    """Tell whether *text* is more than words."""
    if any(sign in text for sign in _SIGNS):
        return True
    return any(word == "OR" or word[0] == "-" for word in text.split())


def read_query(
    text: str, read_time: TimeReader, *, plain: bool = False
) -> Reading:
    """Return what *text* wants; *plain*: nothing but words, as in a question."""
    if plain or (len(text) <= MOST and not _is_special(text)):
        return Reading(Request(text[:MOST]), _say_long(text))
    pieces = list(_split(text[:MOST].translate(_QUOTES)))
    reader = _Reader(pieces, read_time)
    reader.read()
    return Reading(reader.build(), [*_say_long(text), *reader.not_understood])


def _say_long(text: str) -> "list[NotUnderstood]":
    if len(text) <= MOST:
        return []
    why = f"only the first {MOST:,} characters of a query are read"
    return [{"text": f"{text[MOST : MOST + 20]}…", "why": why}]


def _split(text: str) -> Iterator[_Piece]:
    for match in _PIECE.finditer(text):
        quoted = match["quoted"]
        yield _Piece(
            bool(match["minus"]),
            match["field"] or "",
            match["bare"] if quoted is None else quoted,
            quoted is not None,
            match[0],
        )


class _Reader:
    """Reads pieces from left to right."""

    def __init__(self, pieces: Sequence[_Piece], read_time: TimeReader) -> None:
        self._pieces = pieces
        self._read_time = read_time
        self._place = 0
        self._groups: list[list[_Part]] = []
        self._without: list[Term] = []
        self.not_understood: list[NotUnderstood] = []

    def read(self) -> None:
        """Read all pieces."""
        is_joined = False
        while self._place < len(self._pieces):
            piece = self._pieces[self._place]
            if self._is_or(piece):
                is_joined = True
                self._place += 1
                continue
            part = self._read_part(piece)
            self._place += 1
            if part is not None:
                self._add(part, is_joined)
            is_joined = False

    def build(self) -> Request:
        """Return what was read."""
        words = [part.words for group in self._groups for part in group]
        groups = []
        for group in self._groups:
            terms = tuple(part.term for part in group)
            if len(terms) > 1 or terms[0].kind != "word":
                groups.append(terms)
        if self._without and not self._groups:
            self._say("-", "say what to look for, too")
            return Request("")
        return Request(
            " ".join(filter(None, words)),
            tuple(groups[:_MOST_TERMS]),
            tuple(self._without[:_MOST_TERMS]),
        )

    def _add(self, part: _Part, is_joined: bool) -> None:
        if part.minus:
            self._without.append(part.term)
        elif is_joined:
            self._groups[-1].append(part)
        else:
            self._groups.append([part])

    def _is_or(self, piece: _Piece) -> bool:
        """Tell whether *piece* stands between two others that it joins."""
        if piece.whole != "OR" or not self._groups:
            return False
        rest = self._pieces[self._place + 1 :]
        return bool(rest) and not rest[0].minus and rest[0].whole != "OR"

    def _read_part(self, piece: _Piece) -> _Part | None:
        if piece.field:
            field = piece.field.lower()
            if field in _FIELDS:
                return self._read_field(piece, field)
            if not piece.text.startswith("/"):
                self._say(piece.whole, f"“{field}:” is no field")
            whole = piece.whole.lstrip("-")
            return self._read_word(whole, piece.minus, piece.whole)
        if piece.quoted:
            return self._read_phrase(piece)
        return self._read_word(piece.text, piece.minus, piece.whole)

    def _read_phrase(self, piece: _Piece) -> _Part | None:
        if _LETTER.search(piece.text) is None:
            return None
        words = " ".join(piece.text.split())
        return _Part(Term("phrase", words), piece.minus, words)

    def _read_word(self, text: str, minus: bool, whole: str) -> _Part | None:
        if text.startswith('"'):
            self._say(whole, "the quotation mark has no second one")
            text = text.strip('"')
        if _LETTER.search(text) is None:
            return None
        if minus and _PLAIN_NUMBER.fullmatch(text):
            minus = False  # a number below zero
        if text.endswith("*"):
            return self._read_beginning(text, minus, whole)
        if "*" in text:
            self._say(whole, "a * stands at the end of a word only")
        if text.rstrip(":").lower() in _FIELDS and text.endswith(":"):
            self._say(whole, f"write the value behind it, as in {text}x")
        return _Part(Term("word", text), minus, text)

    def _read_beginning(
        self, text: str, minus: bool, whole: str
    ) -> _Part | None:
        beginning = text.rstrip("*")
        if "*" in beginning or not _LETTER.search(beginning[-1:]):
            self._say(whole, "a * stands at the end of a word only")
            return _Part(Term("word", text), minus, text)
        return _Part(Term("prefix", beginning), minus, beginning)

    def _read_field(self, piece: _Piece, field: str) -> _Part | None:
        if field in _TIMES:
            return self._read_moment(piece, field)
        value = piece.text.strip('"').lstrip("#" if field == "tag" else "")
        if not _LETTER.search(value) and value != "/":
            self._say(piece.whole, f"“{field}:” has no value")
            return None
        if field == "state" and value.lower() not in STATES:
            self._say(piece.whole, f"a state is one of {', '.join(STATES)}")
            return None
        kind: TermKind = next(one for one in get_args(TermKind) if one == field)
        return _Part(Term(kind, value), piece.minus, "")

    def _read_moment(self, piece: _Piece, field: str) -> _Part | None:
        """Return the time behind `since:`, which may go on in the words that follow."""
        more = [] if piece.quoted else self._list_bare()
        for count in range(len(more), -1, -1):
            words = " ".join([piece.text, *more[:count]])
            instant = self._read_time(words)
            if instant is not None:
                self._place += count
                kind: TermKind = "since" if field == "since" else "before"
                return _Part(Term(kind, instant), piece.minus, "")
        why = "write 2026-03-01, yesterday, last week or 3 weeks ago"
        self._say(piece.whole, why)
        return None

    def _list_bare(self) -> list[str]:
        """Return the plain words that follow."""
        following = self._pieces[self._place + 1 :][: _LONGEST_TIME - 1]
        words: list[str] = []
        for piece in following:
            if piece.quoted or piece.field or piece.minus:
                break
            words.append(piece.text)
        return words

    def _say(self, text: str, why: str) -> None:
        if len(self.not_understood) < _SAID:
            self.not_understood.append({"text": text[:40], "why": why})
