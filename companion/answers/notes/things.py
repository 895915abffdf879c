"""Tell whether a later note names the thing of an answer without saying which, or whose, it is."""

from collections.abc import Sequence

from companion.answers.notes.read_asked import Asked, list_stems
from companion.language.words import snowball
from companion.language.words.question_words import read_question_data


def names_its_thing(text: str, words: Sequence[str], asked: Asked) -> bool:
    """Tell whether the note *text*, of the *words*, names the thing alone, and may mean it."""
    if _names_head(words, asked):
        return True
    return _names_thing(words, asked) and not _is_of_another(text, asked)


def _is_of_another(text: str, asked: Asked) -> bool:
    """Tell whether a note tells of what only one person has, and of whose: "Lunch with Paul. The
    flat costs 700" is of Paul's flat, and of none of Anna's.
    """
    # loads word lists: few notes name a thing alone
    from companion.language.names.company import (
        list_things_of_one,
        read_owner,
    )

    own = list_stems(" ".join(list_things_of_one()), asked.language)
    if not asked.named or own.isdisjoint(asked.thing):
        return False
    owner = read_owner(text, asked.language)
    names = list_stems(" ".join(word.text for word in owner), asked.language)
    return bool(names) and names.isdisjoint(asked.named)


def _names_head(words: Sequence[str], asked: Asked) -> bool:
    """Tell whether *words* name the thing without what says which one.

    "Gate code changed" may be of the "gate code at Birdham"; "gate code at Calshot" is of another.
    """
    length = len(asked.head)
    if not length:
        return False
    between = read_question_data()[asked.language]["words"]["between"].split()
    for at in range(len(words) - length + 1):
        if tuple(words[at : at + length]) == asked.head:
            following = [*words[at + length : at + length + 1]]
            return not any(word in between for word in following)
    return False


def _names_thing(words: Sequence[str], asked: Asked) -> bool:
    """Tell whether *words* name what somebody has without saying whose: "the toolbox"."""
    if not asked.thing:
        return False
    data = read_question_data()[asked.language]["words"]
    articles, of = data["articles"].split(), data["of"].split()
    stems = snowball.stem_words(list(words), asked.language)
    size = len(asked.thing)
    for at in range(len(stems) - size + 1):
        if frozenset(stems[at : at + size]) != asked.thing:
            continue
        is_first = not at or words[at - 1] in articles
        return is_first and words[at + size : at + size + 1] != of
    return False
