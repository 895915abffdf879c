"""Words for one role in several languages: "plumber", "Installateur"."""

from functools import lru_cache

from companion.language.names.name_forms import name_forms
from companion.language.word_kinds import read_word_kinds

DATA = "subjects.txt"
_ROLE = "role-"
_OF_NO_PERSON = frozenset(
    (
        "role-dog",
        "role-cat",
        "role-horse",
        "role-hen",
        "role-car",
        "role-bike",
        "role-laptop",
        "role-choir",
    )
)


@lru_cache(maxsize=8192)
def role_of(word: str) -> str | None:
    """Return the role that the folded *word* is one for, in any form; None where it is for none."""
    roles = _file_roles()
    for form in name_forms(word):
        if form in roles:
            return roles[form]
    return None


def is_persons(word: str) -> bool:
    """Tell whether *word*, in lower case, says who somebody is: "caretaker", and not "car"."""
    role = role_of(word)
    return role is not None and role not in _OF_NO_PERSON


@lru_cache(maxsize=1)
def _file_roles() -> dict[str, str]:
    roles = {}
    for kind, words in read_word_kinds(DATA).items():
        if kind.startswith(_ROLE):
            roles.update(dict.fromkeys(words, kind))
    return roles
