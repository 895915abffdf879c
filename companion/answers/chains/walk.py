"""Find the chains of claims that answer a question, without a model: a best-first walk from the
names in the question (LED-13, LED-14).

A claim is a step where it covers a word of the question that no earlier step covered (`covers`). A
chain of steps answers by its last value (`fits`). It must cover every word that matters, and its
value must be of the kind that is asked, so nothing comes out that was not told. Where several
chains cover the question, the answer is the one that says least besides, in the question's order.
"""

from collections.abc import Collection, Iterable, Sequence

from companion.answers.chains.context_rules import Around
from companion.answers.chains.covers import (
    Chain,
    Sense,
    Step,
    is_free,
    is_identity,
    list_new_slots,
    list_slots_beside,
    read_sense,
)
from companion.answers.chains.fits import Facts, accept_covering, accept_excused
from companion.answers.chains.mismatches import asks_for_reason
from companion.answers.question import (
    ME,
    US,
    Name,
    Question,
    Slot,
)
from companion.answers.words import Words
from companion.language.words.question_words import kinds_by_change
from companion.values.claims import split_words

DEPTH = 5  # steps of the longest chain
_WEAK = 0.4  # what a word counts that no chain owes
# what a concept of a claim costs that the question does not speak of
_EXTRA = 0.3
_STEP = 0.1  # what a step costs: of two chains that cover the same, the shorter
# what it costs to take the words of one side in another order than from the name outwards
_TURN = 0.2
_KEPT = 300  # chains that are followed at a time
_NOWHERE = 1_000_000  # a place behind the last word of any question
# rules that read what somebody wrote down as a fact
_WRITTEN_DOWN = ("attribute", "relation", "field")
_BY_AGENT = "attribute-inverse"  # the rule that reads "Priya leads it"
_WHERE_OR_WHEN = ({"place"}, {"time"})  # kinds that are asked for


def no_context(ids: Sequence[str]) -> Collection[str]:
    """Return no words around the claims *ids*."""
    return ()


def find_chains(
    asked: Question,
    facts: Facts,
    words: Words,
    around: Around = no_context,
) -> list[Chain]:
    """Return the chains that answer what is *asked* best, the best first; several where they score
    alike. None: not known.

    A dispute shows both its sides: chains through either have one score. Where no chain covers
    every word that matters, one may be excused by what was said *around* its claims.
    """
    if asks_for_reason(asked, words):
        return []
    chains = _walk_from_names(asked, facts, words)
    accepted = _sort_accepted(
        accept_covering(chain, asked, words) for chain in chains
    )
    if not accepted:
        accepted = _sort_accepted(
            accept_excused(chain, asked, facts, words, around)
            for chain in chains
        )
    if not accepted:
        return []
    first = _find_latest_move(accepted, asked)
    best = [
        chain
        for chain in accepted
        if _is_as_good(chain, first) and not _is_later_move(first, chain)
    ]
    return _drop_reversed(best)


def _find_latest_move(accepted: Sequence[Chain], asked: Question) -> Chain:
    """Return the first of *accepted*; or, where a thing moved after that was told, the chain that
    says where to: "lives in Joel's room", "moved to the hall".
    """
    first = accepted[0]
    if asked.kinds != {"place"}:
        return first
    for chain in accepted[1:]:
        if _is_later_move(chain, first):
            first = chain
    return first


def _is_later_move(chain: Chain, first: Chain) -> bool:
    """Tell whether *chain* is a move of what the *first* is of, told on a later day."""
    if len(chain.steps) > 1 or len(first.steps) > 1:
        return False
    (step,), (before,) = chain.steps, first.steps
    if step.inverse or step.key[0] != before.key[0]:
        return False
    is_move = "place" in kinds_by_change().get(step.key[1], ())
    return is_move and step.told > before.told


def _walk_from_names(
    asked: Question, facts: Facts, words: Words
) -> list[Chain]:
    """Return the chains from every name in the question, each chain of steps once."""
    chains: dict[tuple[Step, ...], Chain] = {}
    for name in asked.names:
        for chain in _Walk(name, asked, facts, words).list_chains():
            chains[chain.steps] = chain
    return list(chains.values())


def _sort_accepted(chains: Iterable[Chain | None]) -> list[Chain]:
    """Return *chains* without the refused ones, the best first; of equally good ones, the one told
    last.
    """
    accepted = [chain for chain in chains if chain is not None]
    accepted.sort(key=_rank)
    accepted.sort(key=_last_told, reverse=True)
    accepted.sort(key=_rank_of_worth)
    return accepted


def _last_told(chain: Chain) -> str:
    return chain.steps[-1].told


def _rank_of_worth(chain: Chain) -> tuple[float, int]:
    return -chain.score, len(chain.steps)


def _rank(chain: Chain) -> tuple[float, int, tuple[Step, ...]]:
    return -chain.score, len(chain.steps), chain.steps


def _is_as_good(chain: Chain, best: Chain) -> bool:
    """Tell whether *chain* answers what *best* answers, as well: by the same keys, with another
    value of a dispute or a list.
    """
    if chain.score != best.score or len(chain.steps) != len(best.steps):
        return False
    steps = zip(chain.steps, best.steps, strict=True)
    return all(step.key[1] == other.key[1] for step, other in steps)


def _drop_reversed(chains: Sequence[Chain]) -> list[Chain]:
    """Return *chains* without those that tell the same claims the other way round: "does Ruth keep
    bees?" has one.
    """
    kept: dict[frozenset[str], Chain] = {}
    for chain in sorted(chains, key=_count_reversed_steps):
        kept.setdefault(frozenset(chain.claim_ids()), chain)
    return [chain for chain in chains if chain in kept.values()]


def _count_reversed_steps(chain: Chain) -> int:
    return sum(step.inverse for step in chain.steps)


class _Walk:
    """The walk from one name."""

    def __init__(
        self, name: Name, asked: Question, facts: Facts, words: Words
    ) -> None:
        self.subject, self.first, self.end = name
        self.asked = asked
        self.facts = facts
        self.words = words
        self.slots = [
            slot for slot in asked.slots if not self._is_in_name(slot.at)
        ]

    def list_chains(self) -> list[Chain]:
        """Return every chain whose steps each cover something new of what is asked."""
        found: list[Chain] = []
        start = Chain(0.0, (), frozenset(range(self.first, self.end)))
        followed = [(self.subject, start)]
        for _ in range(DEPTH):
            longer: list[tuple[str, Chain]] = []
            for subject, chain in followed:
                if self._leads_on(chain):
                    longer += self._prolong(subject, chain)
            longer.sort(key=lambda pair: _rank(pair[1]))
            followed = longer[:_KEPT]
            found += [chain for _, chain in followed]
        return found

    def _prolong(self, subject: str, chain: Chain) -> list[tuple[str, Chain]]:
        """Return (next subject, chain) for every step that prolongs *chain* from *subject*."""
        found = []
        for step in self.facts(subject):
            if not self._may_take(step, chain):
                continue
            longer = self._add_step(chain, step)
            if longer is not None:
                found.append((step.value, longer))
        return found

    def _leads_on(self, chain: Chain) -> bool:
        """Tell whether *chain* may be prolonged: who did something is nobody in particular where
        "I" did it, and nor is with whom a thing is, unless the step says who that is.
        """
        if not chain.steps:
            return True
        last = chain.steps[-1]
        speaks = last.value in (ME, US)
        return not speaks or is_identity(last, self.words)

    def _may_take(self, step: Step, chain: Chain) -> bool:
        """Tell whether *step* goes the right way, and on another matter than those of *chain*."""
        if any(step.key == earlier.key for earlier in chain.steps):
            return False
        if chain.steps:
            return not step.inverse
        if step.inverse and self._is_told_of_subject(step):
            return False
        return self._is_asked_this_way(step)

    def _is_told_of_subject(self, step: Step) -> bool:
        """Tell whether the matter of an inverse *step* has one value, and it was told of the
        subject itself, on no earlier day.

        Whom Rosa is married to, "Rosa is married to Joris" says, not who else is said to be married
        to her.
        """
        return step.one and any(
            other.key[1] == step.key[1]
            and not other.inverse
            and other.told >= step.told
            for other in self.facts(self.subject)
        )

    def _add_step(self, chain: Chain, step: Step) -> Chain | None:
        """Return *chain* with *step*; None where the step adds nothing."""
        sense = read_sense(step, self.words)
        new = list_new_slots(step, sense, self.slots, chain.covered, self.words)
        if not new:
            if not self._may_add_free_step(chain, step):
                return None
            new = list_slots_beside(step, self._list_open(chain))
        score = chain.score + self._worth(sense, new, chain)
        covered = chain.covered | {slot.at for slot in new}
        return Chain(round(score, 6), (*chain.steps, step), covered)

    def _list_open(self, chain: Chain) -> list[Slot]:
        return [slot for slot in self.slots if slot.at not in chain.covered]

    def _may_add_free_step(self, chain: Chain, step: Step) -> bool:
        """Tell whether *step* may stand in a chain without covering a word: never as its last."""
        if len(chain.steps) >= DEPTH - 1:
            return False
        return is_free(step, self.asked, self.words)

    def _worth(self, sense: Sense, new: Sequence[Slot], chain: Chain) -> float:
        """Return what a step adds to the score of *chain*."""
        if not new:
            return -_STEP
        worth = 0.0
        for slot in new:
            worth += 1.0 if slot.owed else _WEAK
        asked = frozenset().union(*(slot.means for slot in self.slots))
        extra = sum(not means & asked for means in sense.concepts)
        before = [at for at in chain.covered if not self._is_in_name(at)]
        turns = self._count_turns(before, [slot.at for slot in new])
        return worth - _EXTRA * extra - _STEP - _TURN * turns

    def _count_turns(self, before: Sequence[int], new: Sequence[int]) -> int:
        """Return on how many sides of the name a step goes back inwards."""
        turns = 0
        if self._nearest_left(new) > self._nearest_left(before) >= 0:
            turns += 1
        if self._nearest_right(new) < self._nearest_right(before) < _NOWHERE:
            turns += 1
        return turns

    def _nearest_left(self, places: Sequence[int]) -> int:
        """Return the place left of the name that is nearest to it; -1 where there is none."""
        return max((at for at in places if at < self.first), default=-1)

    def _nearest_right(self, places: Sequence[int]) -> int:
        """Return the place right of the name that is nearest to it; else _NOWHERE."""
        return min((at for at in places if at >= self.end), default=_NOWHERE)

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
        if self._asks_what_agent_does(step, concepts):
            return True
        return self._follows_predicate(step) == step.inverse

    def _follows_predicate(self, step: Step) -> bool:
        """Tell whether the name stands right behind the words of the step's predicate."""
        kinds = self.words.kinds
        predicate = [
            word for word in split_words(step.predicate) if word not in kinds
        ]
        before = self._telling_words_before_name()
        if not predicate or not before:
            return False
        if len(predicate) > 1 and predicate[-1] in self.words.stop:
            return self._follows_preposition(predicate, before)
        if any(kind in step.rule for kind in _WRITTEN_DOWN):
            return False
        return self._follows_verb(step, predicate, before[-1])

    def _follows_verb(
        self, step: Step, predicate: Sequence[str], word: str
    ) -> bool:
        """Tell whether *word*, the last one before the name, is the verb of the step."""
        opening = self.asked.said[0]
        if opening in self.words.either:
            return step.inverse
        if opening in self.words.turned:
            # "Wie viel kostet das Abo?": the name behind the verb is its subject
            return False
        if self.asked.kinds in _WHERE_OR_WHEN and len(predicate) == 1:
            # "Wann kommt die Post?": the name behind the verb is its subject
            return False
        stem = self.words.stem
        if stem(word) == stem(predicate[-1]):
            return True
        return step.inverse and self._asks_for_agent(step)

    def _telling_words_before_name(self) -> list[str]:
        """Return the words before the name, without articles and words that name a kind."""
        words = self.words
        return [
            word
            for word in self.asked.said[: self.first]
            if word not in words.articles and word not in words.kinds
        ]

    def _follows_preposition(
        self, predicate: Sequence[str], before: Sequence[str]
    ) -> bool:
        """Tell whether the name stands behind a verb and its preposition: "reports to Anna"."""
        verb, preposition = predicate[-2:]
        if verb in self.words.stop:
            return False  # "associated with" holds both ways
        stem = self.words.stem
        if self.end - 1 in self.asked.owners:  # "Anna's manager"
            if preposition not in self.words.of:
                return False  # "Anna's birthday" is on a day
            behind = self.asked.said[self.end : self.end + 3]
            return any(stem(word) == stem(verb) for word in behind)
        if before[-1] != preposition or len(before) < 2:
            return False
        return stem(before[-2]) == stem(verb)

    def _asks_what_agent_does(
        self, step: Step, concepts: frozenset[str]
    ) -> bool:
        """Tell whether the question asks what somebody does who was told to do it: "What does Priya
        lead?".
        """
        is_turned = step.inverse and step.rule.endswith(_BY_AGENT)
        if not is_turned or self.asked.kinds:
            return False
        agents = tuple(self.words.agents)
        return any(
            slot.means & concepts and not slot.word.endswith(agents)
            for slot in self.slots
        )

    def _asks_for_agent(self, step: Step) -> bool:
        """Tell whether the question asks for who does it: "the writer of X" is who wrote X."""
        verb = "".join(split_words(step.predicate)[-1:])
        means = self.words.meanings(verb)
        endings = tuple(self.words.agents)
        return any(
            slot.word.endswith(endings) and slot.means & means
            for slot in self.slots
        )
