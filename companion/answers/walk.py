"""Answering a question from claims, without a model: a best-first walk from whom the question names
(LED-13, LED-14).

Words count by the concepts they stand for ("spouse", "married to"). A claim is a step where it
covers a word of the question that nothing covered yet; a chain of steps answers by its last value.
No chain answers that leaves a word uncovered that matters, and none whose value is of another kind
than what is asked: nothing that was not told can come out. Where several cover the question, the
one that says least besides, in the order of the question, is the answer.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from companion.answers.context_rules import (
    Around,
    asked_besides,
    asked_thing,
    has_kind,
    is_amiss,
    is_open,
    repeats,
    says_nothing,
    unexcused_slots,
)
from companion.answers.question import ME, US, Known, Question, Slot, Words, read_question
from companion.values.claims import words as words_of

DEPTH = 5  # steps of the longest chain
_WEAK = 0.4  # what a word counts that no chain owes
_EXTRA = 0.3  # what a concept of a claim costs that the question does not speak of
_STEP = 0.1  # what a step costs: of two chains that cover the same, the shorter
# what it costs to take the words of one side in another order than from the name outwards
_TURN = 0.2
# what a preposition is worth to "where": who "studied" one thing "studied in" a place
_PLACED = 0.05
_AROUND = 0.5  # what a word counts that only the notes say
_KEPT = 300  # chains that are followed at a time


class Step(NamedTuple):
    """One claim that stands, as a step of a chain."""

    key: tuple[str, str]
    predicate: str
    value: str  # the next subject's name
    ids: tuple[str, ...]  # the assertions that tell it
    disputed: bool = False
    inverse: bool = False  # from the value to whom it was told of
    when: str | None = None  # since when, as it was told
    rule: str = ""  # what read it: "en/verb"
    # what the same words of the same sentence tell, too: "keeps bees" beside "keeps in"
    beside: tuple[str, ...] = ()


class Chain(NamedTuple):
    """Steps from a subject that the question names to an answer."""

    score: float
    steps: tuple[Step, ...]
    covered: frozenset[int]  # the places of the words
    dated: bool = False  # the answer is not the last value but since when it is so


# what each word means, of what kind the value is
Sense = tuple[list[frozenset[str]], frozenset[str]]
Facts = Callable[[str], Sequence[Step]]  # name -> what stands of it, and of whom it is a value


def no_context(ids: Sequence[str]) -> Collection[str]:
    """Say nothing of what stands around claims."""
    return ()


def find_chains(
    question: str, known: Known, facts: Facts, words: Words, said: Around = no_context
) -> list[Chain]:
    """Return the chains that answer *question* best, the best first; several where they score
    alike. None: not known.

    A dispute shows both its sides: chains through either have one score. Where no chain covers
    every word that matters, one may be excused by what was *said* around its claims.
    """
    asked = read_question(question, known, words)
    chains = {c.steps: c for name in asked.names for c in _walk(name, asked, facts, words)}
    good = sorted(
        filter(None, (_answering(chain, asked, words) for chain in chains.values())), key=_rank
    )
    if not good:
        found = (_excused(chain, asked, facts, words, said) for chain in chains.values())
        good = sorted(filter(None, found), key=_rank)
    return _once(
        [
            chain
            for chain in good
            if _rank(chain)[:2] == _rank(good[0])[:2] and _rivals(chain, good[0])
        ]
    )


def _once(chains: Sequence[Chain]) -> list[Chain]:
    """Return *chains* without those that tell the same claims the other way round: "does Ruth keep
    bees?" has one.
    """
    told: dict[frozenset[str], Chain] = {}
    for chain in sorted(chains, key=lambda chain: sum(step.inverse for step in chain.steps)):
        told.setdefault(frozenset(id for step in chain.steps for id in step.ids), chain)
    return [chain for chain in chains if chain in told.values()]


def _walk(name: tuple[str, int, int], asked: Question, facts: Facts, words: Words) -> list[Chain]:
    """Return every chain from *name* whose steps each cover something new of what is asked."""
    slots = [slot for slot in asked.slots if not name[1] <= slot.at < name[2]]
    found: list[Chain] = []
    open_ = [(name[0], Chain(0.0, (), frozenset(range(name[1], name[2]))))]
    for depth in range(DEPTH):
        longer = [
            (step.value, chain)
            for key, before in open_
            for step in facts(key)
            if (not step.inverse if depth else _points(step, name, asked, words))
            if (chain := _longer(before, step, slots, name, asked, words)) is not None
        ]
        open_ = sorted(longer, key=lambda each: _rank(each[1]))[:_KEPT]
        found += [chain for _, chain in open_]
    return found


def _longer(
    chain: Chain,
    step: Step,
    slots: Sequence[Slot],
    name: tuple[str, int, int],
    asked: Question,
    words: Words,
) -> Chain | None:
    if any(step.key == earlier.key for earlier in chain.steps):
        return None
    said, kinds = sense(step, words)
    new = [
        slot
        for slot in slots
        if slot.at not in chain.covered and _covers(step, said, kinds, slot, words)
    ]
    new += _beside(step, slots, chain, new)
    told = is_identity(step, words) or _situates(step, asked, words) or _echoes(step, asked, words)
    if not new and not (told and len(chain.steps) < DEPTH - 1):
        return None
    extra = sum(not any(_alike(means, slot) for slot in slots) for means in said)
    turned = _turns(
        [*(c for c in chain.covered if not name[1] <= c < name[2])], [slot.at for slot in new], name
    )
    worth = sum(1.0 if slot.owed else _WEAK for slot in new)
    score = chain.score + worth - _EXTRA * extra - _STEP - _TURN * turned
    return Chain(round(score, 6), (*chain.steps, step), chain.covered | {slot.at for slot in new})


def _beside(step: Step, slots: Sequence[Slot], chain: Chain, new: Sequence[Slot]) -> list[Slot]:
    """Return what else the step's sentence covers: "keeps in Ahlen" is where Ruth keeps bees, if it
    said so of them.
    """
    if not new:
        return []
    told = {word for value in step.beside for word in words_of(value)}
    return [
        slot
        for slot in slots
        if slot.word in told and slot.at not in chain.covered and slot not in new
    ]


def _said(step: Step, words: Words) -> list[str]:
    """Return the words of a step that say something, each once."""
    key, predicate = words_of(step.key[1]), words_of(step.predicate)
    found = {
        words.stem(word): word
        for word in (*key, *predicate)
        if word not in words.stop or word in words.concepts
    }
    return [word for word in found.values() if word not in words.identity]


def _covers(
    step: Step, said: Sequence[frozenset[str]], kinds: frozenset[str], slot: Slot, words: Words
) -> bool:
    if any(_alike(means, slot) for means in said):
        return True
    if slot.kinds and kinds and words.covers(kinds, slot.kinds):
        return True
    value = words_of(step.value)
    return slot.word in value and (
        slot.proper or not any(not m.startswith("~") for m in slot.means)
    )


def _alike(means: frozenset[str], slot: Slot) -> bool:
    return bool(means & slot.means)


def sense(step: Step, words: Words) -> Sense:
    """Return what each word of the step means here, and of what kind its value is, as far as the
    predicate tells.

    Words tell each other's meaning: who "plays a position" plays no part, what was "founded by"
    somebody was founded by a person, and what was "founded in a city" was not.
    """
    named = _named_kinds(step, words)
    said = [_fitting(words.meanings(word), named, words) for word in _said(step, words)]
    known = [found for each in said if (found := _known(each))]
    shared = frozenset.intersection(*known) if known else frozenset()
    fits = [frozenset(each & shared or each) for each in said]
    kinds = frozenset(
        kind for each in fits for concept in each for kind in words.values.get(concept, ())
    )
    if step.inverse:
        return fits, frozenset()
    return fits, (
        kinds & {"person", "organisation"} or named if named == {"agent"} else named or kinds
    )


def _known(means: frozenset[str]) -> frozenset[str]:
    return frozenset(concept for concept in means if not concept.startswith("~"))


def _fitting(means: frozenset[str], named: frozenset[str], words: Words) -> frozenset[str]:
    """Return those of *means* whose values may be of a *named* kind; all, where none may."""
    fits = (c for c in means if not (values := words.values.get(c)) or words.covers(values, named))
    return (named and frozenset(fits)) or means


def _named_kinds(step: Step, words: Words) -> frozenset[str]:
    """Return the kinds that the predicate's own words name: "born in city", "company produced",
    "founded by".
    """
    key, predicate = words_of(step.key[1]), words_of(step.predicate)
    named = {
        kind for said in (key, predicate) for word in said[1:] for kind in words.kinds.get(word, ())
    }
    if predicate and predicate[0] in words.kinds and len(predicate) > 1:
        named |= set(words.kinds[predicate[0]])
    if not named and predicate and predicate[-1] in words.by:
        return frozenset({"agent"})
    return frozenset(named)


def is_identity(step: Step, words: Words) -> bool:
    """Tell whether the step says only what something is: "the on-call person is Tomek"."""
    return all(
        word in words.identity or word in words.articles for word in words_of(step.predicate)
    )


def _situates(step: Step, asked: Question, words: Words) -> bool:
    """Tell whether the step says where or when something is, in no more words than the question:
    "is in", "is on".
    """
    first, *rest = words_of(step.predicate) or [""]
    little = bool(rest) and first in words.identity and all(word in words.stop for word in rest)
    held = asked.kinds == {"agent"} and bool(rest) and rest[-1] in words.holding
    return little and (asked.kinds in ({"place"}, {"time"}) or held) and not step.inverse


def _echoes(step: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question says the step's words, which by themselves say nothing: "has",
    "does", "last".
    """
    said = words_of(step.predicate)
    return all(word in words.stop for word in said) and _forms(said, words) <= _forms(
        asked.said, words
    )


def _forms(said: Sequence[str], words: Words) -> set[str]:
    return {words.stem(word) for word in said}


def _turns(before: Sequence[int], new: Sequence[int], name: tuple[str, int, int]) -> int:
    """Return on how many sides of the name a step goes back inwards."""
    left = [at for at in new if at < name[1]], [at for at in before if at < name[1]]
    right = [at for at in new if at >= name[2]], [at for at in before if at >= name[2]]
    inwards_left = bool(left[0] and left[1]) and max(left[0]) > max(left[1])
    inwards_right = bool(right[0] and right[1]) and min(right[0]) < min(right[1])
    return inwards_left + inwards_right


# -- which way a claim is asked --------------------------------------------------------------------


def _points(step: Step, name: tuple[str, int, int], asked: Question, words: Words) -> bool:
    """Tell whether the question asks the claim in the step's direction.

    Who "reports to Anna" is asked from the value to the subject, whom "Anna reports to" the other
    way: a name right behind the words of a predicate is what that predicate speaks of, and no
    subject of it.
    """
    if is_identity(step, words) or any(
        concept in words.symmetric for each in sense(step, words)[0] for concept in each
    ):
        return True
    return _follows(step, name, asked, words) == step.inverse


def _follows(step: Step, name: tuple[str, int, int], asked: Question, words: Words) -> bool:
    said = [word for word in words_of(step.predicate) if word not in words.kinds]
    before = [
        word
        for word in asked.said[: name[1]]
        if word not in words.articles and word not in words.kinds
    ]
    if not said or not before:
        return False
    if len(said) > 1 and said[-1] in words.stop:
        telling = said[-2] not in words.stop  # "associated with" holds both ways
        if telling and name[2] - 1 in asked.owners:  # "Anna's manager"
            return any(
                words.stem(word) == words.stem(said[-2])
                for word in asked.said[name[2] : name[2] + 3]
            )
        return (
            telling
            and before[-1] == said[-1]
            and len(before) > 1
            and words.stem(before[-2]) == words.stem(said[-2])
        )
    if any(kind in step.rule for kind in ("attribute", "relation", "field")):
        return False
    if asked.kinds in ({"place"}, {"time"}) and len(said) == 1:
        return False  # "Wann kommt die Post?": the name behind the verb is its subject
    return words.stem(before[-1]) == words.stem(said[-1]) or (
        step.inverse and _agent(step, name, asked, words)
    )


def _agent(step: Step, name: tuple[str, int, int], asked: Question, words: Words) -> bool:
    """Tell whether the question asks for who does it: "the writer of X" is who wrote X."""
    means = words.meanings(words_of(step.predicate)[-1])
    return any(
        slot.word.endswith(tuple(words.agents)) and slot.means & means
        for slot in asked.slots
        if not name[1] <= slot.at < name[2]
    )


# -- what answers ----------------------------------------------------------------------------------


def _answering(chain: Chain, asked: Question, words: Words) -> Chain | None:
    """Return *chain* if it answers: all that matters is covered, the asked word last, the value of
    the asked kind.
    """
    met = _met(chain, words)
    if any(
        slot.owed and slot.at not in chain.covered and not slot.means & met for slot in asked.slots
    ):
        return None
    last = chain.steps[-1]
    if (asked.head and not _ends_with(last, asked, words)) or is_amiss(
        last.value, asked_thing(asked, words), words
    ):
        return None
    fits, dated = _fits(last, asked, words)
    echoes = not dated and is_open(asked, words) and repeats(last.value, asked)
    placed = _PLACED * (asked.kinds == {"place"} and len(words_of(last.predicate)) > 1)
    return chain._replace(dated=dated, score=chain.score + placed) if fits and not echoes else None


def _excused(
    chain: Chain, asked: Question, facts: Facts, words: Words, said: Around
) -> Chain | None:
    """Return *chain* if it answers but for words that were said around it: what is asked for, its
    last step says.
    """
    wanted = asked_thing(asked, words)
    if not wanted:
        return None
    last = chain.steps[-1]
    fits, dated = _fits(
        last, asked._replace(kinds=asked.kinds or wanted[-1].kinds & {"time"}), words
    )
    if not fits or says_nothing(last.value, asked, words) or is_amiss(last.value, wanted, words):
        return None
    if not _tells(chain, wanted, words):
        return None
    met = _met(chain, words)
    besides = asked_besides(wanted, asked, words) | {wanted[-1].at}
    open_ = [
        slot
        for slot in asked.slots
        if slot.owed
        and slot.at not in chain.covered
        and not slot.means & met
        and slot.at not in besides
    ]
    tied = [
        step.value
        for self in (ME, US)
        for step in (facts(self) if self in {n for n, _, _ in asked.names} else ())
    ]
    if unexcused_slots(
        open_, said([id for step in chain.steps for id in step.ids]), tied, asked, words
    ):
        return None
    return chain._replace(score=round(chain.score + _AROUND * len(open_), 6), dated=dated)


def _met(chain: Chain, words: Words) -> frozenset[str]:
    return frozenset().union(*(means for step in chain.steps for means in sense(step, words)[0]))


def _tells(chain: Chain, wanted: Sequence[Slot], words: Words) -> bool:
    """Tell whether the chain speaks of what is *wanted* in words of its own, and its last step of
    the thing itself.
    """
    last, met, thing = chain.steps[-1], _met(chain, words), wanted[-1]
    named = chain.covered - {slot.at for slot in wanted if slot.means & met}
    if thing.proper and thing.at in named and is_identity(last, words):
        return True
    said, kinds = sense(last, words)
    owed = [slot for slot in wanted if slot.owed and not slot.proper]
    own = sum(bool(slot.means & met) for slot in wanted if slot.owed)
    if not own or 2 * own < len(owed):
        return False
    other = any(_known(means) and not any(means & slot.means for slot in wanted) for means in said)
    # a "desk phone" has a number, and is no number of the desk
    counted = "number" in thing.kinds and other
    return _covers(last, said, kinds, thing, words) or (
        has_kind(last.value, thing, words) and not counted
    )


def _ends_with(last: Step, asked: Question, words: Words) -> bool:
    head = [slot for slot in asked.slots if slot.at in asked.head]
    said, kinds = sense(last, words)
    thing = head[-1]  # of a "job title" the title: who says the job has not said it
    if thing.word in words.concepts and not thing.kinds and not is_identity(last, words):
        return _covers(last, said, kinds, thing, words)
    # "which person …": the kind is all that is asked
    nameless = all(slot.kinds and not slot.owed for slot in head)
    return (
        nameless
        or is_identity(last, words)
        or any(_covers(last, said, kinds, slot, words) for slot in head)
    )


def _fits(last: Step, asked: Question, words: Words) -> tuple[bool, bool]:
    """Tell whether the last value is of a kind that is asked, and whether what is asked is its
    time.
    """
    said = words_of(last.value)
    timely = any(char.isdigit() for char in last.value) or any(word in words.times for word in said)
    if not asked.kinds:
        return True, False
    if asked.kinds == {"time"}:
        at = words_of(last.predicate)[-1:]
        timely = timely or (bool(at) and at[0] in words.clock and said[0] in words.numbers)
        return timely or last.when is not None, not timely
    if "number" in asked.kinds:
        return timely or any(word in words.numbers for word in said), False
    kinds = sense(last, words)[1] - {"time"}
    if asked.kinds == {"place"} and not last.inverse and (not timely or _is_numbered(last, words)):
        return not kinds or words.covers(kinds, asked.kinds) or words_of(last.predicate)[
            -1
        ] in words.inside, False
    if timely and asked.kinds & {"agent", "place", "person"} and (not kinds or said[0].isdigit()):
        return False, False
    return not kinds or words.covers(kinds, asked.kinds), False


def _is_numbered(last: Step, words: Words) -> bool:
    """Tell whether the value is a numbered place: "is at pier 7", "is in room 12"."""
    said = words_of(last.value)
    if len(said) != 2 or not said[1].isdigit() or not said[0].isalpha():
        return False
    return said[0] not in words.times and said[0] not in words.numbers


def _rank(chain: Chain) -> tuple[float, int, tuple[Step, ...]]:
    return -chain.score, len(chain.steps), chain.steps


def _rivals(chain: Chain, best: Chain) -> bool:
    """Tell whether *chain* answers what *best* answers: by the same keys, with another value of a
    dispute or a list.
    """
    return chain.steps == best.steps or [s.key[1] for s in chain.steps] == [
        s.key[1] for s in best.steps
    ]
