"""Say in plain words what runs did; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.values.wording import many

NOTHING = "Nothing had to be done."

#: what each event of the ledger means, in the order of telling: the noun, and the words around it
_DEEDS = (
    ("contextualized", "source", "read {}"),
    ("unread", "source", "could not read {}"),
    ("locked", "source", "kept back {} with a secret"),
    ("consumed", "note", "took in {}"),
    ("created", "page", "made {}"),
    ("grown", "page", "added to {}"),
    ("merged", "page", "merged {}"),
    ("moved", "note", "moved {}"),
    ("sighted", "note", "heard {} again"),
    ("registered", "page", "met {} of yours"),
    ("edited", "edit", "recorded {} of yours"),
    ("promoted", "belief", "changed {}"),
    ("branched", "branch", "opened {}"),
    ("waits", "note", "left {} waiting"),
    ("compressed", "page", "compressed {}"),
    ("archived", "page", "archived {}"),
    ("restored", "page", "restored {}"),
    ("decaying", "page", "let {} begin to fade"),
    ("protected", "page", "protected {} that others depend on"),
    ("audited", "page", "tested {}"),
    ("settled", "audit", "settled {}"),
    ("undone", "run", "took {} back"),
)


def describe_work(counts: Iterable[Mapping[str, int]]) -> str:
    """Return one sentence for the *counts* of events of several runs."""
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    parts = []
    for event, noun, words in _DEEDS:
        if total[event]:
            parts.append(words.format(many(total[event], noun)))
    return join_words(parts)


def join_words(parts: list[str]) -> str:
    """Return *parts* as one sentence; `NOTHING` where there are none."""
    if not parts:
        return NOTHING
    sentence = parts[0]
    if len(parts) > 1:
        sentence = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{sentence[:1].upper()}{sentence[1:]}."
