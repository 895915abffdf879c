"""Titles of conversations that have none, and single lines for what tools did."""

from collections.abc import Iterable

from companion.sources.document import Turn

_TITLE = 80  # characters
_LINE = 160  # characters


def choose_title(title: str, turns: Iterable[Turn], otherwise: str) -> str:
    """Return *title*, else the first words of the conversation, else *otherwise*."""
    plain = " ".join(title.split())
    if plain:
        return plain
    told = [turn for turn in turns if turn.text and turn.role != "tool"]
    owned = [turn for turn in told if turn.role == "owner"]
    for turn in (*owned, *told):
        return shorten(turn.text, _TITLE)
    return otherwise


def first_line(text: str) -> str:
    """Return the first line of *text* that is not blank, cut at a word."""
    return shorten(text, _LINE)


def shorten(text: str, most: int) -> str:
    """Return the first line of *text* that is not blank, at most *most* characters of it."""
    lines = [line for line in text.splitlines() if line.strip()]
    line = " ".join(lines[0].split()) if lines else ""
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    words, space, _ = cut.rpartition(" ")
    if space and len(words) > most // 2:
        cut = words
    return cut.rstrip(" ,;:") + "…"


def number_turns(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Return *turns* with their number, from 1, as their place."""
    numbered = [
        turn._replace(place=f"turn {number}")
        for number, turn in enumerate(turns, 1)
    ]
    return tuple(numbered)
