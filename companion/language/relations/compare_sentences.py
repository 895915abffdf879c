"""Compare what two sentences state of one topic: a belief, and a note about it.

What the note has in the place of the belief's value, and which of its words oppose the belief's.
"""

from collections.abc import Collection
from itertools import pairwise

from companion.language.detect import WordSet
from companion.language.relations.topic_sentence import (
    TopicSentence,
    is_little,
)
from companion.language.relations.topics import WORD, word_key

_NOTHING: WordSet = frozenset()
_MAX_BEHIND = 4  # words behind a verb among which its topic is looked for
_SHORTEST_STEM = 4  # letters of a stem that may have a negative prefix


def say_the_same(note: TopicSentence, belief: TopicSentence) -> bool:
    """Tell whether both say the same, whatever the order."""
    if note.all_keys != belief.all_keys or note.values != belief.values:
        return False
    return note.denies == belief.denies


def share_value(note: TopicSentence, belief: TopicSentence) -> bool:
    """Tell whether both give one number, date or code."""
    for kind, values in note.values.items():
        if not values.isdisjoint(belief.values.get(kind, ())):
            return True
    return False


def states_change(
    note: TopicSentence, belief: TopicSentence | None = None
) -> bool:
    """Tell whether *note* states a change.

    Words of change that only correct do not count, nor those that *belief* is about.
    """
    lexicon = note.lexicon
    words = WORD.findall(note.text.lower())
    stems = {lexicon.stem(word) for word in words}
    stems &= lexicon.change - lexicon.correcting
    if belief is not None and stems:
        stems -= _stems_with_opposites(belief)
    if stems:
        return True
    line = f" {' '.join(words)} "
    for phrase in lexicon.change_phrases:
        if phrase not in lexicon.correcting and f" {phrase} " in line:
            return True
    return False


def _stems_with_opposites(sentence: TopicSentence) -> set[str]:
    lexicon = sentence.lexicon
    words = WORD.findall(sentence.text.lower())
    stems = {lexicon.stem(word) for word in words}
    opposites = [lexicon.opposites.get(stem, _NOTHING) for stem in stems]
    return stems.union(*opposites)


def words_in_place(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return what *note* has where *belief* has its value; empty where it has no such place."""
    return (
        _after_predicate(note, belief)
        or _beside_copula(note, belief)
        or _before_verb(note, belief)
        or _before_noun(note, belief)
    )


def _after_predicate(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return what stands after the same predicate and the same little word: "fed by"."""
    frames: set[tuple[str, str]] = set()
    for word, little in pairwise(belief.order):
        if word in belief.predicate and is_little(little):
            frames.add((word, little))
    for at, pair in enumerate(pairwise(note.order)):
        if pair in frames:
            phrase = note.phrase_at(at + 2)
            if phrase:
                return phrase
    return _NOTHING


def _beside_copula(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return what stands on the side of "is" that has not the predicate."""
    copulas = note.copulas
    if belief.little_before_value not in copulas:
        return _NOTHING
    for at, key in enumerate(note.order):
        if key not in copulas:
            continue
        if not belief.predicate.isdisjoint(note.order[:at]):
            return note.phrase_at(at + 1)
        if not belief.predicate.isdisjoint(note.order[at + 1 :]):
            return _matter_of(note.order[:at]) - note.topic.keys
    return _NOTHING


def _matter_of(keys: Collection[str]) -> WordSet:
    return frozenset(key for key in keys if not is_little(key))


def _before_verb(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return what stands before the verb where the topic stands right behind it."""
    for at, key in enumerate(note.order):
        if not at or key not in belief.verbs:
            continue
        behind = note.order[at + 1 : at + 1 + _MAX_BEHIND]
        matter = [other for other in behind if not is_little(other)]
        if not note.topic.keys.isdisjoint(matter[:2]):
            return note.phrase_before(at)
    return _NOTHING


def _before_noun(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return what stands before the same noun: "birch leaves" for "oak leaves"."""
    tail = [key for key in belief.order if key in belief.value]
    if len(tail) < 2 or tail[-1] not in note.order:
        return _NOTHING
    before = note.key_at(note.order.index(tail[-1]) - 1)
    if is_little(before):
        return _NOTHING
    return frozenset((before,)) - note.topic.keys


def opposites_in(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return the words of *note* that are opposites of what *belief* says."""
    theirs = _stems_of(belief)
    keys: set[str] = set()
    for word in note.reading.words:
        stem = note.lexicon.stem(word)
        if stem not in theirs and _is_opposite(stem, theirs, note):
            keys.add(word_key(word, note.language))
    return frozenset(keys)


def _stems_of(sentence: TopicSentence) -> set[str]:
    return {sentence.lexicon.stem(word) for word in sentence.reading.words}


def _is_opposite(stem: str, others: set[str], note: TopicSentence) -> bool:
    lexicon = note.lexicon
    if not lexicon.opposites.get(stem, _NOTHING).isdisjoint(others):
        return True
    long = {other for other in others if len(other) >= _SHORTEST_STEM}
    for prefix in lexicon.prefixes:
        if prefix + stem in long:
            return True
        if stem.startswith(prefix) and stem.removeprefix(prefix) in long:
            return True
    return False


def rivals_in(note: TopicSentence, belief: TopicSentence) -> WordSet:
    """Return the words of *note* that exclude a word of *belief*: "Tuesday" for "Friday"."""
    rivals = note.lexicon.rivals
    theirs = _stems_of(belief)
    sets: set[int] = set()
    for stem in theirs:
        sets.update(rivals.get(stem, ()))
    keys: set[str] = set()
    for word in note.reading.words:
        stem = note.lexicon.stem(word)
        if stem not in theirs and not sets.isdisjoint(rivals.get(stem, ())):
            keys.add(word_key(word, note.language))
    return frozenset(keys)
