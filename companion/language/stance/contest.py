"""Find whether a note contests a page, by the rules and by a weighed doubt.

The rules say what stands against what. Where they are silent or weak, all that is seen of the two
is weighed (`doubts`), with what the trained head says: which words of the page the note names, and
whether it calls something wrong, needless or harmful there, or would have it otherwise. What states
a change is an update, unless it says how things ought to be. What a rule sees to repeat or support
the page contests nothing, and neither does what the writer does not state: questions, irony, the
words of others, code.
"""

from collections.abc import Sequence
from functools import cached_property

from companion.language.lexicon import language_of_joined
from companion.language.protocols import Identity
from companion.language.relations.compare_sentences import states_change
from companion.language.relations.contest import (
    CONTESTED,
    LightContest,
    is_question,
    says_since_when,
)
from companion.language.relations.relate import LightRelater
from companion.language.relations.topic_sentence import read_sentence
from companion.language.relations.topics import topic_of
from companion.language.stance import doubts, features
from companion.language.stance.doubt_words import fingerprint_of_doubt
from companion.language.stance.doubts import describe_doubt, weigh_doubt
from companion.language.stance.head import find_hash
from companion.language.stance.read import StanceReader
from companion.language.stance.stance import Stance
from companion.language.stance.stated import keep_stated
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.relations import Relation, Statement

VERSION = "contest-12"
#: likelihood from which a doubt is a contradiction like one that a rule sees; who says it decides
#: whether it is believed
HEARD = 0.65
#: below which it is none, whoever says so, and beside whom
LEAST = 0.01
#: strength of a rule that is believed by itself; a weaker one needs a likelihood of _BORNE_OUT
_STRONG = 0.71
_BORNE_OUT = 0.25

_HEAD = "static"
_MAX_SENTENCES = 12  # of a note, the first that are looked at
_LONGEST = 400  # characters of a sentence that are looked at
_QUOTED = 120  # characters of either sentence in a reason


class HeardContest:
    """Relater for a whole page (the earlier side, with its title) and a whole note.

    A contradiction whose opposition is below CONTESTED is a doubt: who says it, and who else
    contests the page, decides whether it is believed. One of none counts only beside others.
    """

    def __init__(self, words: StaticEmbedder | None = None) -> None:
        """Align words by *words*; by default the static vectors of the core install."""
        self._words = words or StaticEmbedder()
        self._rules = LightContest()
        self._relater = LightRelater(self._words)
        self._reader = StanceReader(self._words, head=_HEAD)

    @cached_property
    def identity(self) -> Identity:
        """Return the versions and hashes of rules, word lists, head and weights."""
        rules = self._rules.identity
        parameters = (
            f'{{"doubts":"{doubts.VERSION}-{doubts.find_hash_of_weights()}",'
            f'"features":"{features.VERSION}","head":"{find_hash(_HEAD)}",'
            f'"rules":"{rules.version}","signs":"{fingerprint_of_doubt()}",'
            f'"words":{rules.parameters}}}'
        )
        return Identity("light", VERSION, parameters=parameters)

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (page, note), whose lines are sentences.

        A note is never said to support a page. Raises ModelUnavailable or WrongWeights where the
        head is not as it was installed.
        """
        pairs = [(page, _keep_stated(page, note)) for page, note in pairs]
        found = self._rules.relate(pairs)
        asked: list[int] = []
        shown: list[tuple[Statement, Statement]] = []
        for number, (page, note) in enumerate(pairs):
            if _strength(found[number]) >= _STRONG:
                continue
            stating = keep_stating(page, note)
            if stating is None:
                # a weak rule is borne out by nothing
                found[number] = _SILENT
                continue
            asked.append(number)
            shown.append((page, stating))
        if not shown:
            return found
        answers = self._reader.read(shown)
        for number, pair, stance in zip(asked, shown, answers, strict=True):
            found[number] = self._judge(pair, found[number], stance)
        return found

    def _judge(
        self,
        pair: tuple[Statement, Statement],
        rule: Relation,
        stance: Stance,
    ) -> Relation:
        """Return what a weak or silent *rule*, the head's *stance* and all that is seen come to."""
        page, note = pair
        strength = _strength(rule)
        seen = describe_doubt(
            page,
            note,
            language_of_both(page, note) or "",
            self._words.measure_words,
            rule=strength,
            head=stance.probability("contradicts"),
        )
        likelihood = round(weigh_doubt(seen), 6)
        if strength and likelihood >= _BORNE_OUT:
            return rule
        if likelihood < LEAST:
            return _SILENT._replace(score=round(1.0 - likelihood, 6))
        if self._says_the_same(pair, stance):
            return _SILENT._replace(score=round(1.0 - likelihood, 6))
        relation = _as_relation(stance, likelihood)
        if doubts.names_sign(seen):
            return relation
        # the head alone hears tone: a report in the page's own words doubts nothing by itself
        return relation._replace(opposition=0.0)

    def _says_the_same(
        self, pair: tuple[Statement, Statement], stance: Stance
    ) -> bool:
        """Tell whether a rule sees that a note repeats or supports what it seems to contradict."""
        sentences = (Statement(stance.earlier), Statement(stance.later))
        relations = self._relater.relate([pair, sentences])
        return any(one.label in ("same", "supports") for one in relations)


_SILENT = Relation("neutral", 1.0, "it contests nothing that the page states")


def _strength(relation: Relation) -> float:
    return relation.opposition if relation.label == "contradicts" else 0.0


def _keep_stated(page: Statement, note: Statement) -> Statement:
    """Return *note* with what its writer states; without words where that is nothing."""
    language = language_of_both(page, note)
    if language is None:
        return note
    return keep_stated(note, language) or note._replace(text="")


def language_of_both(page: Statement, note: Statement) -> str | None:
    """Return the language of a page and a note together; either may be too short to show it."""
    return language_of_joined(page.text[:400], note.text[:400])


def keep_stating(page: Statement, note: Statement) -> Statement | None:
    """Return *note* with what it states beside its questions and changes.

    None where it names nothing of *page*, or its language is not known.
    """
    language = language_of_both(page, note)
    if language is None:
        return None
    topic = topic_of(page.title or "", language)
    stating: list[str] = []
    for whole in note.text.splitlines()[:_MAX_SENTENCES]:
        line = whole[:_LONGEST]
        if is_question(line) or says_since_when(line, page.text):
            continue
        sentence = read_sentence(line, topic, language)
        if not states_change(sentence) or doubts.says_what_ought(
            line, language
        ):
            stating.append(line)
    left = note._replace(text="\n".join(stating))
    if not doubts.names_page(page, left, language):
        return None
    return left


def _as_relation(stance: Stance, likelihood: float) -> Relation:
    """Return a contradiction; below HEARD its opposition is no sign that alone is enough."""
    is_heard = likelihood >= HEARD
    opposition = CONTESTED if is_heard else CONTESTED * likelihood
    reason = (
        f"it is {likelihood:.0%} likely that "
        f"“{_quote(stance.later)}” contradicts “{_quote(stance.earlier)}”"
    )
    return Relation(
        "contradicts", likelihood, reason, opposition=round(opposition, 6)
    )


def _quote(sentence: str) -> str:
    words = " ".join(sentence.split())
    if len(words) <= _QUOTED:
        return words
    return f"{words[:_QUOTED].rstrip()} …"
