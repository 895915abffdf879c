"""Keep of a note what its writer states: no words of others, no irony, no code."""

import re

from companion.language.claims.grammar import grammar_of
from companion.language.claims.scope import is_stated
from companion.values.relations import Statement

# a line of a program or a query: how it begins, how it ends, or marks that prose has not
_CODE = re.compile(
    r"""^\s*(?:def|class|import|return|function|const|let|var|elif|else:|\#include
        |SELECT|INSERT|UPDATE|DELETE|CREATE)\b
    | [;{}]\s*$ | [=!]=|=>|->|:=|\+=|&&|\|\| | \w\(\w*\)\s*[:;{]?\s*$""",
    re.VERBOSE,
)


def keep_stated(note: Statement, language: str) -> Statement | None:
    """Return *note*, whose lines are sentences, with those that its writer states; None: it has
    none.

    Who says one thing in irony means none of it.
    """
    grammar = grammar_of(language)
    stated: list[str] = []
    for line in note.text.splitlines():
        if grammar.matches("mood.ironic", line):
            return None
        if is_stated(line, grammar) and not _CODE.search(line):
            stated.append(line)
    if not stated:
        return None
    return note._replace(text="\n".join(stated))
