"""Name the matters that a conversation is about: "kitchen tap" and "passport".

What several of its turns speak of is a matter, and so are what it begins with and what it comes to.
A matter is called as it was when it was named first: people say "the kitchen tap" once, and "the
tap" from then on. Pure.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

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
from companion.language.words.roles import role_of
from companion.language.words.stop_words import STOP_WORDS

MOST = 2  # matters that a title names
_REACH = 4  # words behind "the" that may be a thing
_LONGEST = 5  # words of a name
_TAIL = 2  # turns of a later matter, at least

_OWNER = re.compile(r"['\u2019]s?$")

Run = Sequence[Word]


class _Matter(NamedTuple):
    """What turns of a conversation may be about."""

    keys: tuple[str, ...]
    turns: frozenset[int]  # that speak of it
    place: tuple[int, int]  # the turn that names it first, and where there
    form: str  # as it is called there

    def is_like(self, other: "_Matter") -> bool:
        """Tell whether a word of one is a word of the other, or a part of it."""
        return any(
            one in another or another in one
            for one in list_keys(self.form)
            for another in list_keys(other.form)
        )


def list_matters(
    turns: Sequence[str], sources: Collection[str] = ()
) -> list[str]:
    """Return the names of what the *turns* of a conversation are about, as they come; none that is
    one of *sources*.
    """
    refused = set(map(list_keys, sources))
    language = language_of("\n".join(turns)) or "en"
    grammar = grammar_of(language if language in LANGUAGES else "en")
    notes = list(map(read_note, turns))
    matters = []
    for one in sorted(_spot_matters(notes, grammar), key=_place_of):
        if one.keys not in refused and len(one.form) <= NAME_LENGTH:
            matters.append(one)
    chosen = list(_choose_told_again(matters))
    _add_beginning(chosen, matters)
    _add_later(chosen, matters, len(notes))
    return [one.form for one in sorted(chosen[:MOST], key=_place_of)]


def _choose_told_again(matters: Sequence[_Matter]) -> Iterator[_Matter]:
    """Yield what most turns speak of, two at least, then what most of the others do."""
    covered: set[int] = set()
    again = [one for one in matters if len(one.turns) > 1]
    for _ in range(MOST):
        if not again:
            return
        best = max(
            again, key=lambda one: (len(one.turns - covered), len(one.keys))
        )
        yield best
        covered |= best.turns
        others = again
        again = []
        for one in others:
            if one.turns - covered and not one.is_like(best):
                again.append(one)


def _add_beginning(chosen: list[_Matter], matters: Sequence[_Matter]) -> None:
    """Put what the first turn names first before what is *chosen*, if that turn has none of it."""
    if any(0 in one.turns and not _is_name(one) for one in chosen):
        return
    first = [one for one in matters if 0 in one.turns]
    chosen[:0] = _choose_thing(first, chosen)


def _add_later(
    chosen: list[_Matter], matters: Sequence[_Matter], count: int
) -> None:
    """Add what the second half of the *count* turns names first, if its last turns have nothing of
    what is *chosen*.
    """
    last = max((max(one.turns) for one in chosen), default=-1)
    start = max(last + 1, (count + 1) // 2)
    if count - last - 1 < _TAIL:
        return
    chosen += _choose_thing(
        [one for one in matters if one.place[0] >= start], chosen
    )


def _choose_thing(
    matters: Sequence[_Matter], chosen: Sequence[_Matter]
) -> list[_Matter]:
    """Return that of *matters* which says most, and is none of those *chosen*: a thing before who
    somebody is ("my son has a cough" is about a cough).
    """
    others = [one for one in matters if not any(map(one.is_like, chosen))]
    return sorted(others, key=_rank_of)[:1]


def _rank_of(matter: _Matter) -> tuple[bool, int, int]:
    """Return how little a matter says: somebody, of few turns, or with few words."""
    return _is_somebody(matter), -len(matter.turns), -len(matter.keys)


def _is_name(matter: _Matter) -> bool:
    """Tell whether a matter is called by a name: who or what it is about, and not what of it."""
    return matter.form[0].isupper()


def _is_somebody(matter: _Matter) -> bool:
    return role_of(matter.keys[-1]) is not None


def _place_of(matter: _Matter) -> tuple[int, int]:
    return matter.place


def _spot_matters(notes: Sequence[Note], grammar: Grammar) -> Iterator[_Matter]:
    """Yield each name and thing of *notes*, called as where it is named first."""
    capitals = list_capitals(notes)
    forms: dict[tuple[str, ...], tuple[tuple[int, int], str]] = {}
    heads: set[tuple[str, ...]] = set()
    for turn, note in enumerate(notes):
        for run in _list_runs(note, capitals, grammar):
            place = (turn, run[0].start)
            # the whole first: it is what a matter that is named once is called
            for part in _list_parts(run):
                keys = _keys_of(part)
                forms.setdefault(keys, (place, _call(part, run, note)))
                if _ends_run(part, run):
                    heads.add(keys)
    told = _list_turns(notes, heads)
    for keys, (place, form) in forms.items():
        if keys in heads and not _says_nothing(keys[-1], grammar):
            yield _Matter(keys, frozenset(told[keys]), place, form)


def _says_nothing(head: str, grammar: Grammar) -> bool:
    """Tell whether what a name ends with is no thing: "the more", "last week"."""
    return head in STOP_WORDS[grammar.language] or names_nothing((head,))


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
    for sentence in note.sentences:
        for run in proper_runs(note, sentence, capitals):
            # what only begins sentences may be any word
            start = 1 if run[0].first and not capitals.get(run[0].key) else 0
            if run[start:]:
                yield run[start:]
        if grammar.v2:
            continue  # each of its nouns has a capital
        for at, word in enumerate(sentence):
            if _opens_thing(word.text.casefold(), grammar):
                thing = _read_thing(note, sentence, at, grammar)
                if thing:
                    yield thing


def _opens_thing(low: str, grammar: Grammar) -> bool:
    owner = low.removesuffix("'s").removesuffix("\u2019s")
    if owner != low:
        # "Tom's car", but "it's raining"
        return owner not in list_little_words()
    return grammar.has_any(("articles", "possessives"), low)


def _read_thing(
    note: Note, sentence: Sequence[Word], at: int, grammar: Grammar
) -> Run:
    """Return the thing behind the determiner at *at*; nothing where nobody knows where it ends, or
    another has what follows.
    """
    run = [*_read_words(note, sentence, at, grammar)]
    if not run or len(run) >= _REACH or _OWNER.search(run[-1].text):
        return []
    run += _read_aim(sentence, at + len(run) + 1, grammar)
    while run and run[0].key in read_kinds()["refused"]:
        run = run[1:]
    return run


def _read_words(
    note: Note, sentence: Sequence[Word], at: int, grammar: Grammar
) -> Iterator[Word]:
    """Yield the words behind the determiner at *at*, up to a little word or the verb."""
    tokens = [
        Token(word.text, word.text.casefold(), word.start, word.start)
        for word in sentence
    ]
    for place in range(at + 1, min(at + 1 + _REACH, len(sentence))):
        word = sentence[place]
        is_apart = not adjoin(note, sentence[place - 1], word)
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
    """Tell whether a thing ends before the word at *at*: the verb, or what says when or where."""
    low = tokens[at].low
    if grammar.has_any(("prepositions", "adverbs"), low):
        return True
    # "contact" may be a verb, "emergency contact" is none
    if _opens_thing(tokens[at - 1].low, grammar) or grammar.lemma(low) == low:
        return False
    return grammar.finite(list(tokens), at)
