"""Find whether a note contests a page, by the rules and by the trained head where they are silent.

The head is weak (docs/quality/stance.md), so it is asked little: only what states something, names
a word of the page's title and a word of what the page says of it, and not by a link alone. What a
rule sees to repeat or support the page contests nothing.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from companion.language.lexicon import language_of_pair
from companion.language.protocols import Identity
from companion.language.relations.compare_sentences import states_change
from companion.language.relations.contest import (
    CONTESTED,
    LightContest,
    is_question,
    says_since_when,
)
from companion.language.relations.rejection import count_named_matter
from companion.language.relations.relate import LightRelater
from companion.language.relations.topic_sentence import read_sentence
from companion.language.relations.topics import topic_of
from companion.language.stance import features
from companion.language.stance.head import find_hash
from companion.language.stance.read import StanceReader
from companion.language.stance.stance import Stance
from companion.language.static_vectors import StaticEmbedder
from companion.values.relations import Relation, Statement

VERSION = "contest-5"
#: probability of *contradicts* from which the head is believed. Of the development worlds 4 notes
#: of 216 pass it wrongly if each is held against its 16 nearest statements; a night holds a note
#: against at most six pages, and only those that others depend on
HEARD = 0.3

_HEAD = "static"
_MAX_SENTENCES = 12  # of a note, the first that are looked at
_LONGEST = 400  # characters of a sentence that are looked at
_QUOTED = 120  # characters of either sentence in a reason
_LINK = re.compile(r"!?\[\[[^\]]*\]\]")


class HeardContest:
    """Relater for a whole page (the earlier side, with its title) and a whole note."""

    def __init__(self, words: StaticEmbedder | None = None) -> None:
        """Align words by *words*; by default the static vectors of the core install."""
        self._rules = LightContest()
        self._relater = LightRelater(words)
        self._reader = StanceReader(words, head=_HEAD)

    @cached_property
    def identity(self) -> Identity:
        """Return the rules' version and word lists, and the hash of the head."""
        rules = self._rules.identity
        parameters = (
            f'{{"features":"{features.VERSION}","head":"{find_hash(_HEAD)}",'
            f'"rules":"{rules.version}","words":{rules.parameters}}}'
        )
        return Identity("light", VERSION, parameters=parameters)

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (page, note), whose lines are sentences.

        A note is never said to support a page. Raises ModelUnavailable or WrongWeights where the
        head is not as it was installed.
        """
        found = self._rules.relate(pairs)
        asked: list[int] = []
        shown: list[tuple[Statement, Statement]] = []
        for number, (page, note) in enumerate(pairs):
            if found[number].label == "contradicts":
                continue
            stating = _stating_words(page, note)
            if stating:
                asked.append(number)
                shown.append((page, note._replace(text=stating)))
        if not shown:
            return found
        answers = self._reader.read(shown)
        for number, stance in zip(asked, answers, strict=True):
            if stance.probability("contradicts") < HEARD:
                continue
            if not self._says_the_same(pairs[number], stance):
                found[number] = _as_relation(stance)
        return found

    def _says_the_same(
        self, pair: tuple[Statement, Statement], stance: Stance
    ) -> bool:
        """Tell whether a rule sees that a note repeats or supports what it seems to contradict."""
        sentences = (Statement(stance.earlier), Statement(stance.later))
        relations = self._relater.relate([pair, sentences])
        return any(one.label in ("same", "supports") for one in relations)


def _stating_words(page: Statement, note: Statement) -> str:
    """Return what *note* states beside its questions, changes and links.

    Empty where it does not name what *page* is about and something that the page says of it.
    """
    both = f"{page.text[:400]} {note.text[:400]}"
    language = language_of_pair(both, both)
    if language is None:
        return ""
    topic = topic_of(page.title or "", language)
    stating: list[str] = []
    for whole in note.text.splitlines()[:_MAX_SENTENCES]:
        line = whole[:_LONGEST]
        if is_question(line) or says_since_when(line, page.text):
            continue
        if not states_change(read_sentence(line, topic, language)):
            stating.append(_LINK.sub(" ", line))
    in_title, beside = count_named_matter(page, stating, language)
    if not in_title or not beside:
        return ""
    return "\n".join(stating)


def _as_relation(stance: Stance) -> Relation:
    sure = stance.probability("contradicts")
    reason = (
        f"the trained judge holds it {sure:.0%} likely that "
        f"“{_quote(stance.later)}” contradicts “{_quote(stance.earlier)}”"
    )
    return Relation("contradicts", sure, reason, opposition=CONTESTED)


def _quote(sentence: str) -> str:
    words = " ".join(sentence.split())
    if len(words) <= _QUOTED:
        return words
    return f"{words[:_QUOTED].rstrip()} …"
