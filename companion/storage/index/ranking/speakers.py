"""Find the speakers of notes: a person whom a question names, or an assistant that repeats others.

On the hot path of a search.
"""

import sqlite3
from collections.abc import Collection, Sequence

_NAME = 3  # words of a speaker's name at most


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: first words of what chats and their exports call an assistant
_ASSISTANTS = _split(
    "ai assistant bot chatgpt claude copilot gemini gpt llm model"
)
# who did it, or whose it is: "dir" and "te" only received it
_YOU = _split("you your du dein deine deinen tu ton ta tes tus")
_I = _split("i we ich wir je j nous yo nosotros")
#: what somebody does whose words are asked for
_TOLD = _split(
    "advice advised gave listed mentioned proposed provided recommend"
    " recommendation recommendations recommended remind said shared suggest"
    " suggested suggestion suggestions tips told"
    " empfohlen erinnere genannt geraten gesagt vorgeschlagen"
    " conseille dit propose recommande suggere"
    " aconsejaste dijiste recomendaste sugeriste"
)


def list_named(db: sqlite3.Connection, words: Sequence[str]) -> frozenset[str]:
    """Return the sources of notes that *words* name."""
    names = {
        " ".join(words[at : at + size])
        for at in range(len(words))
        for size in range(1, _NAME + 1)
    }
    marks = ",".join(["(?)"] * len(names))
    query = f"""
        WITH names(name) AS (VALUES {marks})
        SELECT name
        FROM names
        WHERE EXISTS (SELECT 1 FROM consumed WHERE speaker = name)
        """
    rows = db.execute(query, tuple(names)) if names else ()
    return frozenset(name for (name,) in rows)


def wants_assistant(words: Sequence[str]) -> bool:
    """Tell whether a question of *words* asks for what an assistant said: of what somebody told,
    "you" did it, and not "I" as in "what I told you".
    """
    if not _ASSISTANTS.isdisjoint(words):
        return True
    is_you = False
    for word in words:
        if word in _YOU:
            is_you = True
        elif word in _I:
            is_you = False
        elif is_you and word in _TOLD:
            return True
    return False


def list_told_by_assistants(
    db: sqlite3.Connection, speakers: Collection[tuple[str, str | None]]
) -> frozenset[str]:
    """Return those captures that an assistant told, of captures and who told each."""
    found = {
        capture
        for capture, speaker in speakers
        if speaker and speaker.partition(" ")[0] in _ASSISTANTS
    }
    query = "SELECT 1 FROM handed WHERE capture = ? AND role = 'assistant'"
    for capture, _ in speakers:
        if db.execute(query, (capture,)).fetchone():
            found.add(capture)
    return frozenset(found)
