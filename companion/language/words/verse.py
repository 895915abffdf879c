"""Tell the lines of a poem or a song from sentences: by what heads them, or by their rhymes.

"The moon was a ghostly galleon" says nothing of the moon. A list of facts has no rhymes, and prose
has long lines; where neither a heading nor the rhymes say that it is verse, it is taken for prose.
"""

import re
from collections.abc import Iterator, Sequence

_WORDS = (
    r"(?:poems?|lyrics|song ?text|haiku|sonnet|limerick|gedichte?|liedtexte?)"
)
_HEADED = re.compile(
    rf"^[ \t]*(?:#{{1,6}}[ \t][^\n]*\b{_WORDS}\b[^\n]*|#{_WORDS}\b[^\n]*"
    rf"|(?:the |my |a |ein )?{_WORDS}(?: [\w.]+){{0,4}}:?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_STANZA = re.compile(r"[^\n]+(?:\n(?![ \t]*(?:\n|$))[^\n]+)*")
_LAST_WORD = re.compile(r"([^\W\d_]+)['\u2019]?[^\w\n]*$")
# from the last vowels on: "deep" and "sleep"
_RHYME = re.compile(r"[aeiouyäöü]+[^aeiouyäöü]*(?:e[nrsdt]?)?$")
_FEWEST_LINES = 4
_LONGEST_LINE = 60  # characters
# places of lines that rhyme in a stanza of four: pairs, crossed, and around
_SCHEMES = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def blank_verse(text: str) -> str:
    """Return *text* without its lines of verse; offsets stay."""
    start, end = _find_headed(text)
    for stanza in list(_STANZA.finditer(text)):
        lines = stanza.group().splitlines()
        is_headed = start < stanza.end() <= end
        if _is_verse(lines, is_headed=is_headed):
            before = text[: stanza.start()]
            text = before + _blank(stanza.group()) + text[stanza.end() :]
    return text


def _find_headed(text: str) -> tuple[int, int]:
    """Return where the lines below the heading of a poem begin, and where they end."""
    heading = _HEADED.search(text)
    if heading is None:
        return len(text), len(text)
    following = _HEADING.search(text, heading.end())
    if following is None:
        return heading.end(), len(text)
    return heading.end(), following.start()


def _is_verse(lines: Sequence[str], *, is_headed: bool) -> bool:
    if max(len(line) for line in lines) > _LONGEST_LINE:
        return False
    if is_headed:
        return len(lines) > 1
    if len(lines) < _FEWEST_LINES:
        return False
    return all(_rhymes(four) for four in _split_fours(lines))


def _split_fours(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(lines) - _FEWEST_LINES + 1, _FEWEST_LINES):
        yield lines[start : start + _FEWEST_LINES]


def _rhymes(lines: Sequence[str]) -> bool:
    """Tell whether four lines rhyme by one of the schemes; where lines run on, one rhyme does."""
    ends = [_last_word(line) for line in lines]
    for scheme in _SCHEMES:
        pairs = [_rhyme(ends[one], ends[other]) for one, other in scheme]
        if all(pairs) or (any(pairs) and _run_on(lines)):
            return True
    return False


def _run_on(lines: Sequence[str]) -> bool:
    """Tell whether a comma ends at least two of the *lines*: sentences do not end there."""
    return sum(line.rstrip().endswith((",", ";")) for line in lines) > 1


def _last_word(line: str) -> str:
    match = _LAST_WORD.search(line.rstrip())
    return match[1].lower() if match is not None else ""


def _rhyme(one: str, other: str) -> bool:
    if not one or not other or one == other:
        return False
    ending = _RHYME.search(one)
    other_ending = _RHYME.search(other)
    if ending is None or other_ending is None:
        return False
    return ending.group() == other_ending.group()


def _blank(lines: str) -> str:
    return re.sub(r"[^\n]", " ", lines)
