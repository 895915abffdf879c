"""Answering a question from claims, without a model: a best-first walk from whom the question names
(LED-13, LED-14).

A claim is a step where it covers a word of the question that nothing covered yet (`covers`); a
chain of steps answers by its last value (`fits`). No chain answers that leaves a word uncovered
that matters, and none whose value is of another kind than what is asked: nothing that was not told
can come out. Where several cover the question, the one that says least besides, in the order of the
question, is the answer.
"""

from collections.abc import Collection, Iterable, Sequence

from companion.answers.context_rules import Around
from companion.answers.covers import (
    Chain,
    Sense,
    Step,
    is_free,
    is_identity,
    list_new_slots,
    read_sense,
)
from companion.answers.fits import Facts, accept_covering, accept_excused
from companion.answers.question import (
    Known,
    Question,
    Slot,
    Words,
    read_question,
)
from companion.values.claims import split_words

DEPTH = 5  # steps of the longest chain
_WEAK = 0.4  # what a word counts that no chain owes
# what a concept of a claim costs that the question does not speak of
_EXTRA = 0.3
_STEP = 0.1  # what a step costs: of two chains that cover the same, the shorter
# what it costs to take the words of one side in another order than from the name outwards
_TURN = 0.2
_KEPT = 300  # chains that are followed at a time

Name = tuple[str, int, int]  # (name, first word, end)


def no_context(ids: Sequence[str]) -> Collection[str]:
    """Return no words around the claims *ids*."""
    return ()


def find_chains(
    question: str,
    known: Known,
    facts: Facts,
    words: Words,
    around: Around = no_context,
) -> list[Chain]:
    """Return the chains that answer *question* best, the best first; several where they score
    alike. None: not known.

    A dispute shows both its sides: chains through either have one score. Where no chain covers
    every word that matters, one may be excused by what was said *around* its claims.
    """
    asked = read_question(question, known, words)
    chains: dict[tuple[Step, ...], Chain] = {}
    for name in asked.names:
        for chain in _Walk(name, asked, facts, words).list_chains():
            chains[chain.steps] = chain
    good = _ranked(
        accept_covering(chain, asked, words) for chain in chains.values()
    )
    if not good:
        good = _ranked(
            accept_excused(chain, asked, facts, words, around)
            for chain in chains.values()
        )
    return _drop_reversed(
        [chain for chain in good if _is_as_good(chain, good[0])]
    )


def _ranked(chains: Iterable[Chain | None]) -> list[Chain]:
    return sorted((chain for chain in chains if chain is not None), key=_rank)


def _rank(chain: Chain) -> tuple[float, int, tuple[Step, ...]]:
    return -chain.score, len(chain.steps), chain.steps


def _is_as_good(chain: Chain, best: Chain) -> bool:
    """Tell whether *chain* answers what *best* answers, as well: by the same keys, with another
    value of a dispute or a list.
    """
    if _rank(chain)[:2] != _rank(best)[:2]:
        return False
    return [step.key[1] for step in chain.steps] == [
        step.key[1] for step in best.steps
    ]


def _drop_reversed(chains: Sequence[Chain]) -> list[Chain]:
    """Return *chains* without those that tell the same claims the other way round: "does Ruth keep
    bees?" has one.
    """
    kept: dict[frozenset[str], Chain] = {}
    for chain in sorted(
        chains, key=lambda chain: sum(step.inverse for step in chain.steps)
    ):
        kept.setdefault(frozenset(chain.claim_ids()), chain)
    return [chain for chain in chains if chain in kept.values()]


class _Walk:
    """The walk from one name."""

    def __init__(
        self, name: Name, asked: Question, facts: Facts, words: Words
    ) -> None:
        self.name, self.asked, self.facts, self.words = (
            name,
            asked,
            facts,
            words,
        )
        _, self.first, self.end = name
        self.slots = [
            slot for slot in asked.slots if not self._is_in_name(slot.at)
        ]

    def list_chains(self) -> list[Chain]:
        """Return every chain whose steps each cover something new of what is asked."""
        found: list[Chain] = []
        start = Chain(0.0, (), frozenset(range(self.first, self.end)))
        followed = [(self.name[0], start)]
        for _ in range(DEPTH):
            longer = [
                each
                for key, chain in followed
                for each in self._prolong(key, chain)
            ]
            followed = sorted(longer, key=lambda each: _rank(each[1]))[:_KEPT]
            found += [chain for _, chain in followed]
        return found

    def _prolong(self, key: str, chain: Chain) -> list[tuple[str, Chain]]:
        """Return (next subject, chain) for every step that prolongs *chain* from *key*."""
        found = []
        for step in self.facts(key):
            may_go = (
                not step.inverse
                if chain.steps
                else self._is_asked_this_way(step)
            )
            longer = self._take(chain, step) if may_go else None
            if longer is not None:
                found.append((step.value, longer))
        return found

    def _take(self, chain: Chain, step: Step) -> Chain | None:
        """Return *chain* with *step*; None where the step adds nothing."""
        if any(step.key == earlier.key for earlier in chain.steps):
            return None
        sense = read_sense(step, self.words)
        new = list_new_slots(step, sense, self.slots, chain.covered, self.words)
        if not new:
            is_last = len(chain.steps) >= DEPTH - 1
            if is_last or not is_free(step, self.asked, self.words):
                return None
        score = chain.score + self._worth(sense, new, chain)
        covered = chain.covered | {slot.at for slot in new}
        return Chain(round(score, 6), (*chain.steps, step), covered)

    def _worth(self, sense: Sense, new: Sequence[Slot], chain: Chain) -> float:
        """Return what a step adds to the score of *chain*."""
        worth = sum(1.0 if slot.owed else _WEAK for slot in new)
        asked = frozenset().union(*(slot.means for slot in self.slots))
        extra = sum(not means & asked for means in sense.concepts)
        before = [at for at in chain.covered if not self._is_in_name(at)]
        turns = self._count_turns(before, [slot.at for slot in new])
        return worth - _EXTRA * extra - _STEP - _TURN * turns

    def _count_turns(self, before: Sequence[int], new: Sequence[int]) -> int:
        """Return on how many sides of the name a step goes back inwards."""
        left_before = [at for at in before if at < self.first]
        left_new = [at for at in new if at < self.first]
        right_before = [at for at in before if at >= self.end]
        right_new = [at for at in new if at >= self.end]
        turns = 0
        if left_before and left_new:
            turns += max(left_new) > max(left_before)
        if right_before and right_new:
            turns += min(right_new) < min(right_before)
        return turns

    def _is_in_name(self, at: int) -> bool:
        return self.first <= at < self.end

    # -- which way a claim is asked ----------------------------------------------------------------

    def _is_asked_this_way(self, step: Step) -> bool:
        """Tell whether the question asks the claim in the step's direction.

        Who "reports to Anna" is asked from the value to the subject, whom "Anna reports to" the
        other way: a name right behind the words of a predicate is what that predicate speaks of,
        and no subject of it.
        """
        if is_identity(step, self.words):
            return True
        concepts = frozenset().union(*read_sense(step, self.words).concepts)
        if any(concept in self.words.symmetric for concept in concepts):
            return True
        return self._follows_predicate(step) == step.inverse

    def _follows_predicate(self, step: Step) -> bool:
        """Tell whether the name stands right behind the words of the step's predicate."""
        words, asked = self.words, self.asked
        said = [
            word
            for word in split_words(step.predicate)
            if word not in words.kinds
        ]
        before = [
            word for word in asked.said[: self.first] if self._is_plain(word)
        ]
        if not said or not before:
            return False
        if len(said) > 1 and said[-1] in words.stop:
            return self._follows_preposition(said, before)
        if any(
            kind in step.rule for kind in ("attribute", "relation", "field")
        ):
            return False
        if asked.kinds in ({"place"}, {"time"}) and len(said) == 1:
            # "Wann kommt die Post?": the name behind the verb is its subject
            return False
        if words.stem(before[-1]) == words.stem(said[-1]):
            return True
        return step.inverse and self._asks_for_agent(step)

    def _is_plain(self, word: str) -> bool:
        return word not in self.words.articles and word not in self.words.kinds

    def _follows_preposition(
        self, said: Sequence[str], before: Sequence[str]
    ) -> bool:
        """Tell whether the name stands behind a verb and its preposition: "reports to Anna"."""
        stem = self.words.stem
        if said[-2] in self.words.stop:
            return False  # "associated with" holds both ways
        if self.end - 1 in self.asked.owners:  # "Anna's manager"
            behind = self.asked.said[self.end : self.end + 3]
            return any(stem(word) == stem(said[-2]) for word in behind)
        if before[-1] != said[-1] or len(before) < 2:
            return False
        return stem(before[-2]) == stem(said[-2])

    def _asks_for_agent(self, step: Step) -> bool:
        """Tell whether the question asks for who does it: "the writer of X" is who wrote X."""
        means = self.words.meanings(split_words(step.predicate)[-1])
        endings = tuple(self.words.agents)
        return any(
            slot.word.endswith(endings) and slot.means & means
            for slot in self.slots
        )
