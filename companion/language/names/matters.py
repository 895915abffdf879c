"""Name the matters that a conversation is about: "kitchen tap" and "passport".

Its matter is the name or thing nearest to what its turns say together, and to how it begins
(static vectors, as EmbedRank ranks the phrases of a document: Bennani-Smires et al., CoNLL 2018). A
second one is told again, apart from the first. A matter is called as it was when it was named
first: people say "the kitchen tap" once, and "the tap" from then on. The same turns give the same
names.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.annotations import TYPE_CHECKING
from companion.language.claims.grammar import Grammar, grammar_of
from companion.language.detect import LANGUAGES, language_of
from companion.language.names.naming import (
    NAME_LENGTH,
    Note,
    Word,
    adjoin,
    is_little,
    list_capitals,
    list_keys,
    list_little_words,
    names_nothing,
    proper_runs,
    read_kinds,
    read_note,
)
from companion.language.sentences import Token
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.language.words.roles import is_persons
from companion.language.words.stop_words import STOP_WORDS

_REACH = 4  # words behind "the" that may be a thing
_LONGEST = 5  # words of a name
# likeness to what is said: what a turn more adds, for the first few, and what being somebody costs
_AGAIN, _FEW = 0.1, 2
_SOMEBODY = 0.2
_OPENS = 0.15  # what the first thing that is named adds
_LONGER = 0.05  # what a name of several words adds
_APART = 0.2  # likeness of two matters, at most
_READ = 2_000  # characters of a turn that are looked at

# what stands before a thing, and what ends one
_OPENERS = ("articles", "possessives")
_ASKED = frozenset(("which", "what"))
_STOPS = ("prepositions", "adverbs")
_ARTICLES = ("articles", "possessives", "determiners")
_LITTLE = ("determiners", "little")
_BEFORE = ("prepositions", "determiners")  # a plural that has no article
_BOUNDS = ("when", "if")  # what follows a verb
_WHOSE_DOES = 2  # where the verb of "my back hurts" stands
_PLURAL = re.compile(r"[a-z]{2,}(?<![siu])s")  # "drums", not "glass" or "bus"
_OWNER = re.compile(r"['\u2019]s?$")

if TYPE_CHECKING:
    import numpy

Run = Sequence[Word]


class _Matter(NamedTuple):
    """What turns of a conversation may be about."""

    place: tuple[int, int]  # the turn that names it first, and where there
    form: str  # as it is called there
    keys: tuple[str, ...]
    turns: frozenset[int]  # that speak of it

    def is_like(self, other: "_Matter") -> bool:
        """Tell whether a word of one is a word of the other, or a part of it."""
        return any(
            one in another or another in one
            for one in list_keys(self.form)
            for another in list_keys(other.form)
        )


class _Ranked(NamedTuple):
    """A matter, how much the turns are about it (more is more), and its vector."""

    matter: _Matter
    score: float
    vector: "numpy.ndarray"


def list_matters(
    turns: Sequence[str], sources: Collection[str] = ()
) -> list[str]:
    """Return the names of what the *turns* of a conversation are about, as they come, two at most;
    none that is one of *sources*.
    """
    refused = set(map(list_keys, sources))
    language = language_of("\n".join(turns)) or "en"
    grammar = grammar_of(language if language in LANGUAGES else "en")
    notes = list(map(read_note, turns))
    matters = []
    for one in _spot_matters(notes, grammar):
        if one.keys not in refused and len(one.form) <= NAME_LENGTH:
            matters.append(one)
    ranked = _rank(_choose_forms(matters), turns, grammar) if matters else []
    chosen = sorted(one.matter for one in _choose(ranked))
    return [one.form for one in chosen]


def _choose_forms(matters: Iterable[_Matter]) -> list[_Matter]:
    """Return one matter of each name: the one that most turns speak of."""
    forms: dict[str, _Matter] = {}
    for one in matters:
        known = forms.get(one.form)
        if known is None or len(one.turns) > len(known.turns):
            forms[one.form] = one
    return sorted(forms.values())


def _rank(
    matters: Sequence[_Matter], turns: Sequence[str], grammar: Grammar
) -> list[_Ranked]:
    """Return *matters* with how much the *turns* are about each, most first."""
    embedder = _open_embedder()
    said = embedder.embed([turn[:_READ] for turn in turns])
    # how it begins counts as much as all of it
    middle = said.mean(axis=0) + said[0]
    length = float((middle * middle).sum()) ** 0.5 or 1.0
    vectors = embedder.embed([one.form for one in matters])
    ranked = []
    first = _find_first(matters, turns[0], grammar)
    for one, vector in zip(matters, vectors, strict=True):
        score = (
            _OPENS * (one is first) + float((vector * middle).sum()) / length
        )
        score += _AGAIN * min(len(one.turns) - 1, _FEW)
        score += _LONGER * (len(one.form.split()) > 1)
        score -= _SOMEBODY * _is_somebody(one)
        ranked.append(_Ranked(one, round(score, 3), vector))
    return sorted(ranked, key=lambda one: (-one.score, one.matter))


def _find_first(
    matters: Iterable[_Matter], opening: str, grammar: Grammar
) -> _Matter | None:
    """Return the first thing that the *opening* turn names, but for where or when it is so, and for
    somebody.
    """
    for one in sorted(matters):
        turn, start = one.place
        before = opening[:start].casefold().split()[-2:]
        is_aside = any(grammar.has("prepositions", word) for word in before)
        if turn == 0 and not is_aside and not _is_somebody(one):
            return one
    return None


@lru_cache(maxsize=1)
def _open_embedder() -> StaticEmbedder:
    return StaticEmbedder()


def _choose(ranked: Sequence[_Ranked]) -> list[_Ranked]:
    """Return what turns are most about; and what they begin with, if that is another matter, else
    what is told again apart from it.
    """
    if not ranked:
        return []
    best = ranked[0]
    for one in ranked[1:]:
        if _is_beginning(one, best) or _is_told_apart(one, best):
            return [best, one]
    return [best]


def _is_beginning(one: _Ranked, best: _Ranked) -> bool:
    """Tell whether the first turn speaks of *one*, and not of the *best*."""
    opens = 0 in one.matter.turns and 0 not in best.matter.turns
    return opens and _are_apart(one, best)


def _is_told_apart(one: _Ranked, best: _Ranked) -> bool:
    """Tell whether several turns speak of *one*, and not only where they speak of the *best*."""
    others = one.matter.turns - best.matter.turns
    again = len(one.matter.turns) > 1 and bool(others)
    return again and _are_apart(one, best)


def _are_apart(one: _Ranked, best: _Ranked) -> bool:
    likeness = float((one.vector * best.vector).sum())
    return likeness < _APART and not one.matter.is_like(best.matter)


def _is_somebody(matter: _Matter) -> bool:
    return is_persons(matter.form.split()[-1].casefold())


def _spot_matters(notes: Sequence[Note], grammar: Grammar) -> Iterator[_Matter]:
    """Yield each name and thing of *notes*, called as where it is named first."""
    capitals = list_capitals(notes)
    forms: dict[tuple[str, ...], tuple[tuple[int, int], str]] = {}
    heads: set[tuple[str, ...]] = set()
    for turn, note in enumerate(notes):
        for run in filter(None, _list_runs(note, capitals, grammar)):
            place = (turn, run[0].start)
            # the whole first: it is what a matter that is named once is called
            for part in _list_parts(run):
                keys = _keys_of(part)
                forms.setdefault(keys, (place, _call(part, run, note)))
                if _ends_run(part, run):
                    heads.add(keys)
    told = _list_turns(notes, heads)
    for keys, (place, form) in forms.items():
        if keys in heads and not _says_nothing(form, grammar):
            yield _Matter(place, form, keys, frozenset(told[keys]))


def _says_nothing(name: str, grammar: Grammar) -> bool:
    """Tell whether what a name ends with is no thing: "the more", "last week"."""
    *before, head = name.split()
    if before and head[0].isupper() and not grammar.v2:
        return False  # "Remains of the Day"
    low = head.casefold()
    kinds = read_kinds()
    refused = kinds["refused"] | kinds["verbs"]
    return low in STOP_WORDS[grammar.language] or low in refused


def _keys_of(words: Run) -> tuple[str, ...]:
    return tuple(word.key for word in words)


def _call(part: Run, run: Run, note: Note) -> str:
    """Return what a *part* of *run* is called there: "kitchen tap", "trip to Georgia"."""
    last = run[-1] if _ends_run(part, run) else part[-1]
    form = note.text[run[0].start : last.start + len(last.text)]
    return _OWNER.sub("", " ".join(form.split()))


def _ends_run(part: Run, run: Run) -> bool:
    """Tell whether nothing of *run* but where to or of what follows its *part*.

    What something ends with says what it is: "whole mess" is a mess.
    """
    end = run.index(part[-1]) + 1
    return end == len(run) or is_little(run[end])


def _list_turns(
    notes: Sequence[Note], names: Collection[tuple[str, ...]]
) -> dict[tuple[str, ...], set[int]]:
    """Return the notes that have each of *names*."""
    told: dict[tuple[str, ...], set[int]] = {name: set() for name in names}
    for turn, note in enumerate(notes):
        for keys in map(_keys_of, note.sentences):
            for start in range(len(keys)):
                for size in range(1, _LONGEST + 1):
                    name = keys[start : start + size]
                    if name in told:
                        told[name].add(turn)
    return told


def _list_parts(run: Run) -> Iterator[Run]:
    """Yield every stretch of *run* that neither begins nor ends with a little word, longest ends
    first.
    """
    for end in range(len(run), 0, -1):
        for start in range(end):
            if not (is_little(run[start]) or is_little(run[end - 1])):
                yield run[start:end]


def _list_runs(
    note: Note, capitals: dict[str, bool], grammar: Grammar
) -> Iterator[Run]:
    # in German each noun has a capital, where its writer has any
    are_marked = grammar.v2 and _has_capitals(capitals)
    for sentence in note.sentences:
        for run in proper_runs(note, sentence, capitals):
            # what only begins sentences may be any word
            start = 1 if run[0].first and not capitals.get(run[0].key) else 0
            yield run[start:] + _read_rest(sentence, run)
        if not are_marked:
            yield from _list_things(note, sentence, grammar)


def _read_rest(sentence: Sequence[Word], run: list[Word]) -> list[Word]:
    """Return what goes on behind a name in a *sentence*: "of the Day" behind "Remains"."""
    at = sentence.index(run[-1]) + 1
    link = [word.text for word in sentence[at : at + 2]]
    name = sentence[at + 2 : at + 3]
    if link == ["of", "the"] and name and name[0].text[0].isupper():
        return [*sentence[at : at + 3]]
    return []


def _list_things(
    note: Note, sentence: Sequence[Word], grammar: Grammar
) -> Iterator[Run]:
    """Yield what stands behind the determiners and numbers of a *sentence*, and its plurals, which
    need none.
    """
    for at, word in enumerate(sentence):
        if _opens_thing(word.text.casefold(), grammar):
            thing = _read_thing(note, sentence, at + 1, grammar)
            if len(thing) == 1 and _is_number(word.text, grammar):
                continue  # "900 lines" are of something
            if thing and thing[-1].text in read_kinds()["verbs"]:
                thing = thing[:-1]  # "our book club read"
            yield thing
        elif _is_bare_plural(sentence, at, grammar):
            yield _read_thing(note, sentence, at, grammar)


def _is_bare_plural(
    sentence: Sequence[Word], at: int, grammar: Grammar
) -> bool:
    """Tell whether the word at *at* is a plural by its ending, with nothing before it in its
    sentence that it could be the verb or the end of.
    """
    word = sentence[at].text
    if grammar.v2 or is_little(sentence[at]):
        return False
    if at == 0:
        return _is_plural(word.lower())
    if not _is_plural(word):
        return False
    before = sentence[at - 1].text.casefold()
    return before == "are" or grammar.has_any(_BEFORE, before)


def _is_plural(word: str) -> bool:
    """Tell whether a word that is no name is a plural by its ending."""
    return _PLURAL.fullmatch(word) is not None


def _has_capitals(capitals: dict[str, bool]) -> bool:
    """Tell whether any word has a capital of its own; a number has no small letters."""
    return any(has for key, has in capitals.items() if key.isalpha())


def _opens_thing(low: str, grammar: Grammar) -> bool:
    owner = low.removesuffix("'s").removesuffix("\u2019s")
    if owner != low:
        # "Tom's car", but "it's raining"
        return owner not in list_little_words()
    if low in _ASKED:
        return True  # "which chess opening"
    return _is_number(low, grammar) or grammar.has_any(_OPENERS, low)


def _is_number(word: str, grammar: Grammar) -> bool:
    return word.isdigit() or grammar.has("numerals", word.casefold())


def _read_thing(
    note: Note, sentence: Sequence[Word], at: int, grammar: Grammar
) -> Run:
    """Return the thing that begins at *at*; nothing where nobody knows where it ends, or
    another has what follows.
    """
    run = [*_read_words(note, sentence, at, grammar)]
    if not run or len(run) >= _REACH or _OWNER.search(run[-1].text):
        return []
    if grammar.v2:
        return run[:1]  # nothing tells the verb from a second word
    run += _read_aim(sentence, at + len(run), grammar)
    while run and run[0].key in read_kinds()["refused"]:
        run = run[1:]
    return run


def _read_words(
    note: Note, sentence: Sequence[Word], at: int, grammar: Grammar
) -> Iterator[Word]:
    """Yield the words from *at* on, up to a little word or the verb."""
    tokens = [
        Token(word.text, word.text.casefold(), word.start, word.start)
        for word in sentence
    ]
    for place in range(at, min(at + _REACH, len(sentence))):
        word = sentence[place]
        is_apart = at > 0 and not adjoin(note, sentence[place - 1], word)
        if is_apart or is_little(word) or _ends_thing(tokens, place, grammar):
            return
        yield word


def _read_aim(
    sentence: Sequence[Word], at: int, grammar: Grammar
) -> list[Word]:
    """Return the words at *at* if they say to, of or in which place with a name a thing is: "to
    Georgia" behind "a trip".
    """
    low = sentence[at].text.casefold() if at < len(sentence) else ""
    if not grammar.has("prepositions", low):
        return []
    aim = [sentence[at]]
    for word in sentence[at + 1 : at + 1 + _REACH]:
        if not word.text[0].isupper() or is_little(word):
            break
        aim.append(word)
    is_name = len(aim) > 1 and not names_nothing((aim[1].key,))
    return aim if is_name and not _OWNER.search(aim[-1].text) else []


def _ends_thing(tokens: Sequence[Token], at: int, grammar: Grammar) -> bool:
    """Tell whether a thing ends before the word at *at*: the verb, or what says which one, when or
    where.
    """
    low = tokens[at].low
    if grammar.has_any(_STOPS, low):
        return True
    before = tokens[at - 1] if at else None
    if before is None or _opens_thing(before.low, grammar):
        return False
    if grammar.has_any(_LITTLE, low) or _is_verb(tokens, at, grammar):
        return True
    # "contact" may be a verb, "emergency contact" is none
    return grammar.lemma(low) != low and grammar.finite(list(tokens), at)


def _is_verb(tokens: Sequence[Token], at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* is a verb by what stands around it: "my hands shake", "the
    light flickers every time", "my back hurts when …".
    """
    if not _is_plural(tokens[at].low):
        before = tokens[at - 1]
        return _is_plural(before.text if at > 1 else before.low)
    if at + 1 < len(tokens):
        after = tokens[at + 1].low
        return after in _BOUNDS or grammar.has_any(_ARTICLES, after)
    # "My back hurts.": it has no other
    return at == _WHOSE_DOES and grammar.has("possessives", tokens[0].low)
