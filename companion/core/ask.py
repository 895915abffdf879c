"""Answering a question from claims, without a model: a best-first walk from whom the question names (LED-13, LED-14).

Words count by the concepts they stand for ("spouse", "married to"). A claim is a step where its predicate covers words
of the question that nothing covered yet; a chain of steps answers by its last value. Nothing that was not told can come
out: where no claim covers a word, the answer is that it is not known.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from companion.model.claims import words as words_of

DEPTH = 4  # steps of the longest chain
LONGEST = 10  # words of the longest name
_EXTRA = 0.3  # what a concept of a claim costs that the question does not speak of
_STEP = 0.1  # what a step costs: of two chains that cover the same, the shorter
_KEPT = 200  # chains that are followed at a time


class Words(NamedTuple):
    """What one language says the same thing with."""

    concepts: Mapping[str, Collection[str]]  # word -> the concepts that it stands for
    stop: Collection[str]  # words that say nothing of what is asked
    me: Collection[str]  # words by which the asker means themselves


class Step(NamedTuple):
    """One claim that stands, as a step of a chain."""

    key: tuple[str, str]
    predicate: str
    value: str  # the next subject's key
    ids: tuple[str, ...]  # the assertions that tell it
    disputed: bool = False


class Chain(NamedTuple):
    """Steps from a subject that the question names to an answer."""

    score: float
    steps: tuple[Step, ...]
    covered: frozenset[str]


Facts = Callable[[str], Sequence[Step]]  # subject key -> what stands of it
Known = Callable[[Sequence[str]], Collection[str]]  # subject keys -> those of which anything was told


def answer(question: str, known: Known, facts: Facts, words: Words) -> list[Chain]:
    """Return the chains that answer *question* best, the best first; several where they score alike. None: not known.

    A dispute shows both its sides: chains through either have one score.
    """
    said = words_of(question)
    names, rest = _names(said, known, words)
    asked = concepts(rest, words)
    chains = [chain for name in names for chain in _walk(name, asked, facts, words)]
    if not chains:
        return []
    best = min(chains, key=_rank)
    return [c for c in sorted(chains, key=_rank) if _rank(c)[:2] == _rank(best)[:2] and _rivals(c, best)]


def concepts(said: Collection[str], words: Words) -> frozenset[str]:
    """Return what *said* speaks of; a word that the language's table lacks stands for itself."""
    found: set[str] = set()
    for word in said:
        if word not in words.stop:
            found |= set(words.concepts.get(word) or words.concepts.get(word.rstrip("s")) or {word})
    return frozenset(found)


def _names(said: Sequence[str], known: Known, words: Words) -> tuple[list[str], list[str]]:
    """Return the subjects that the question names, the longest names first, and its other words."""
    grams = {(i, n): " ".join(said[i : i + n]) for n in range(LONGEST, 0, -1) for i in range(len(said) - n + 1)}
    told = set(known(sorted(set(grams.values()))))
    names: list[str] = []
    used: set[int] = set()
    for (i, n), gram in grams.items():
        if gram in told and not (n == 1 and gram in words.stop) and not used & set(range(i, i + n)):
            names.append(gram)
            used |= set(range(i, i + n))
    mine = {i for i, word in enumerate(said) if word in words.me}
    names += ["me"] if mine - used else []
    return names, [word for i, word in enumerate(said) if i not in used | mine]


def _walk(name: str, asked: frozenset[str], facts: Facts, words: Words) -> list[Chain]:
    """Return every chain from *name* whose steps each cover something new of what is *asked*."""
    found: list[Chain] = []
    open_ = [(name, Chain(0.0, (), frozenset()))]
    for _ in range(DEPTH):
        longer = [(s.value, c) for key, chain in open_ for s in facts(key) if (c := _longer(chain, s, asked, words))]
        open_ = sorted(longer, key=lambda each: _rank(each[1]))[:_KEPT]
        found += [chain for _, chain in open_]
    return found


def _longer(chain: Chain, step: Step, asked: frozenset[str], words: Words) -> Chain | None:
    says = concepts(words_of(f"{step.key[1]} {step.predicate}"), words)
    new = (says & asked) - chain.covered
    if not new or any(step.key == earlier.key for earlier in chain.steps):
        return None
    score = chain.score + len(new) - _EXTRA * len(says - asked) - _STEP
    return Chain(round(score, 6), (*chain.steps, step), chain.covered | new)


def _rank(chain: Chain) -> tuple[float, int, tuple[Step, ...]]:
    return -chain.score, len(chain.steps), chain.steps


def _rivals(chain: Chain, best: Chain) -> bool:
    """Tell whether *chain* answers what *best* answers: by the same keys, with another value of a dispute or a list."""
    return chain.steps == best.steps or [s.key[1] for s in chain.steps] == [s.key[1] for s in best.steps]
