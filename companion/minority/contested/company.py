"""Weigh whether a note joins others that contest a page.

What a debate is about is known better once it has begun. Whoever joins it names the page, or speaks
of what the page and the others speak of, and says more than a word or two. A logistic model weighs
this beside the likelihood by the two texts alone. Its weights are `data/stance/company.toml` of the
languages, written by `python -m tests.bench doubts --train`.
"""

import math
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import FOLDER
from companion.language.stance.doubt_texts import is_any, keep_alike

PATH = os.path.join(FOLDER, "stance", "company.toml")

_MOST = 3  # words in common; more say no more
_ENOUGH = 2  # words in common, where none is of the title
_MANY = 10  # telling words of a note that says something
_SURE = 0.999  # likelihoods are kept off 0 and 1


class Common(NamedTuple):
    """The words of a note that speak of what is debated."""

    title: tuple[str, ...]  # of the page
    page: tuple[str, ...]  # that the page has, title included
    others: tuple[str, ...]  # that only those have who contest it

    @property
    def words(self) -> tuple[str, ...]:
        """Return all of them, each once."""
        return tuple(dict.fromkeys((*self.page, *self.others)))

    @property
    def says_of_it(self) -> bool:
        """Tell whether the note speaks of the debate: one word of a page may be there by chance."""
        return bool(self.title) or len(self.words) >= _ENOUGH


def find_common(
    words: Sequence[str],
    title: Sequence[str],
    page: Sequence[str],
    others: Iterable[Sequence[str]],
) -> Common:
    """Return what a note with these telling *words* has in common with a debate.

    *page* has the words of the page with its *title*, *others* those of each note against it.
    """
    theirs = [word for one in others for word in one]
    return Common(
        tuple(keep_alike(words, title)),
        tuple(keep_alike(words, page)),
        tuple(
            word for word in keep_alike(words, theirs) if not is_any(word, page)
        ),
    )


def describe_company(
    likelihood: float, words: Sequence[str], common: Common
) -> dict[str, float]:
    """Return what is seen of a note beside a debate, by name."""
    return {
        "doubt": log_odds(likelihood),
        "title": float(bool(common.title)),
        "page": float(min(_MOST, len(common.page))),
        "others": float(min(_MOST, len(common.others))),
        "any": float(bool(common.words)),
        "says": min(1.0, len(words) / _MANY),
    }


def weigh_company(seen: Mapping[str, float]) -> float:
    """Return the log-odds that a note of which that is *seen* contests the page."""
    weights = load_weights()
    total = weights["bias"]
    for name, value in seen.items():
        total += weights[name] * value
    return total


@lru_cache(maxsize=1)
def load_weights() -> Mapping[str, float]:
    """Return the weight of each thing that is seen, and the bias."""
    with open(PATH, "rb") as file:
        found: dict[str, float] = tomllib.load(file)["weights"]
    return found


def log_odds(likelihood: float) -> float:
    """Return the log-odds of a likelihood."""
    kept = min(_SURE, max(1.0 - _SURE, likelihood))
    return math.log(kept / (1.0 - kept))


def to_likelihood(odds: float) -> float:
    """Return the likelihood of these log-odds."""
    return 1.0 / (1.0 + math.exp(-odds))
