"""Trust classes: what the word of a source or an agent weighs against a belief (MaM §5.0, row
4).
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from companion.values.wording import comparable_name

#: weight of a telling by the class of its source. High is an elevated weight and no free pass: one
#: voice alone stays below every threshold, whatever its class (`companion.minority.pressure`).
TRUST: Mapping[str, float] = {"low": 0.5, "ordinary": 1.0, "high": 1.5}
# What settings may name: a weight of 0 would be a voice that nobody hears (CON-5).
SMALLEST_TRUST = 0.1
LARGEST_TRUST = 2.0


def weigh_trust(
    source: str | None,
    agent: str | None,
    classes: Iterable[tuple[str, float]],
    *,
    model: bool = False,
) -> float:
    """Return the weight of a telling, in [0.1, 2]: of its *source* or its *agent*, the lower where
    both have a class.

    An agent without a class lends a source no more than ordinary trust: it may say any name, or be
    made to say it (ADR 323).

    *classes* has (name or pattern, weight). A name stands for itself and for what lies under it as
    a path does; of several that fit, the longest decides, then the first by name. What nobody
    classified is ordinary; what a language *model* said in a conversation weighs as low trust does.
    """
    known = tuple(classes)
    ordinary = TRUST["low"] if model else TRUST["ordinary"]
    of_source = _weight_of_class(source, known)
    of_agent = _weight_of_class(agent, known)
    if of_source is None:
        return ordinary if of_agent is None else of_agent
    if of_agent is None:
        return min(of_source, ordinary) if agent else of_source
    return min(of_source, of_agent)


def _weight_of_class(
    name: str | None, classes: Sequence[tuple[str, float]]
) -> float | None:
    plain = comparable_name(name or "")
    fitting: list[tuple[int, str, float]] = []
    for pattern, weight in classes:
        comparable = comparable_name(pattern)
        if _fits(plain, comparable):
            fitting.append((-len(comparable), comparable, weight))
    if not plain or not fitting:
        return None
    return min(fitting)[2]


def _fits(name: str, pattern: str) -> bool:
    return (
        name == pattern
        or name.startswith(f"{pattern}/")
        or fnmatchcase(name, pattern)
    )
