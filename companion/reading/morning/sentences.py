"""Say in plain words what runs did; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.patterns import lazy
from companion.values.wording import list_words, many

NOTHING = "Nothing had to be done."
_NAMED = 3  # pages
_DAY = lazy(r"\d{4}-\d\d-\d\d\b")

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


def name_pages(titles: Sequence[str]) -> str:
    """Return which pages were written on, e.g. `It wrote on Anna, Door and 2 more.`; "" for none.

    The pages of days come last: their names tell least.
    """
    distinct = sorted(dict.fromkeys(titles), key=_names_a_day)
    if not distinct:
        return ""
    named = distinct[:_NAMED]
    if len(distinct) > _NAMED:
        named.append(f"{len(distinct) - _NAMED:,} more")
    return f"It wrote on {list_words(named)}."


def _names_a_day(title: str) -> bool:
    return _DAY.match(title) is not None


def join_words(parts: list[str]) -> str:
    """Return *parts* as one sentence; `NOTHING` where there are none."""
    if not parts:
        return NOTHING
    sentence = list_words(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."
