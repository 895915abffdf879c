"""Read what an answer says, and of whom, for the notes that may overtake it."""

from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.question import ME, US, plain
from companion.language.words import snowball
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.language.words.stop_words import STOP_WORDS
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.statements import PlacedStatement
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult

COMPOUNDING = ("de",)  # languages in which a name may be part of a word
# letters of a German noun that says which one without other words: "Ersatzschlüssel"
_LEAST_COMPOUND = 10
_ASKING = 3  # words at the beginning of a question that may ask for a kind


class Asked(NamedTuple):
    """What an answer says, and since when: words are stems of the question's language."""

    told_at: str  # when the newest of its notes was told
    language: str
    asked: frozenset[str]  # the question's telling words
    answered: frozenset[str]  # those of the answer
    named: frozenset[str]  # whom or what the last claim is of; empty: the asker
    value: str  # the answer as it is written
    wants: (
        str  # the kind that the question asks for: "place", "time"; "" for any
    )
    # the words of the name up to what says which one: "gate code" of "gate code at Birdham"
    head: tuple[str, ...] = ()
    matter: str = ""  # what the answer is of, as keys say it: "work for"
    asks_who: bool = False  # the question asks for somebody
    # of what somebody has, the stems of the thing: "toolbox" of "Dad's toolbox"
    thing: frozenset[str] = frozenset()
    # the telling words of the value alone
    value_words: frozenset[str] = frozenset()

    @property
    def beside_name(self) -> frozenset[str]:
        """The question's words beside the name of whom the answer is of."""
        return self.asked - self.named


def read_asked(
    question: str,
    answer: "AnswerResult",
    page: PlacedStatement | None,
    claim: RecordedClaim | None,
) -> Asked:
    words = split_words(question)
    language = question_language(words)
    told_at = page.told_at if page is not None else _read_told_at(answer)
    last = answer["path"][-1]
    subject = last["subject"]
    if subject == answer["value"]:
        # "Who has the ladder?" is asked of the ladder
        subject = claim.object if claim else last["object"]
    named = "" if split_words(subject) in ([ME], [US]) else subject
    values = [step["object"] for step in answer["path"]]
    return Asked(
        told_at,
        language,
        _list_asked(words, language),
        list_stems(" ".join([answer["value"], *values]), language),
        list_stems(named, language),
        answer["value"],
        _read_kind(words, answer, language),
        _read_head(named, language),
        claim.assertion.key[1] if claim else "",
        _asks_who(words, language),
        _read_thing(words, last["predicate"], language),
        list_stems(answer["value"], language),
    )


def _asks_who(words: Sequence[str], language: str) -> bool:
    """Tell whether the first *words* of a question ask for somebody."""
    asks = read_question_data()[language]["asks"]
    return any(asks.get(one) == "agent" for one in words[:_ASKING])


def _read_thing(
    words: Sequence[str], predicate: str, language: str
) -> frozenset[str]:
    """Return the stems of what the question and a *predicate* name of somebody: "toolbox" of "Dad"
    and "toolbox lives under".
    """
    asked = _list_asked(words, language)
    return list_stems(predicate, language) & asked


def _read_head(name: str, language: str) -> tuple[str, ...]:
    """Return the words of *name* up to what says which one; none where nothing does, or where a
    single short word is left: "key for the shed", and not "Ersatzschlüssel für den Schuppen".
    """
    data = read_question_data()[language]["words"]
    between = data["between"].split()
    words = split_words(name)
    if words and plain(words[0]) in data["articles"].split():
        words = words[1:]
    ends = [at for at, word in enumerate(words) if plain(word) in between]
    if not ends:
        return ()
    head = words[: ends[0]]
    if len(head) > 1:
        return tuple(head)
    compounds = language in COMPOUNDING and bool(head)
    return tuple(head) if compounds and len(head[0]) >= _LEAST_COMPOUND else ()


def _list_asked(words: Sequence[str], language: str) -> frozenset[str]:
    """Return the stems of the telling *words* of a question: that a thing "stands" somewhere tells
    nothing beside "where".
    """
    concepts = read_question_data()[language]["concepts"]
    placed = list_stems(concepts.get("location", ""), language)
    return list_stems(plain(" ".join(words)), language) - placed


def _read_kind(
    words: Sequence[str], answer: "AnswerResult", language: str
) -> str:
    """Return what kind the first *words* of a question ask for; "" for any, and where it
    asks who somebody is.
    """
    data = read_question_data()[language]
    kinds = [
        data["asks"][one] for one in words[:_ASKING] if one in data["asks"]
    ]
    kind = kinds[0] if kinds else ""
    last = answer["path"][-1]
    preposition = last["predicate"].rpartition(" ")[2]
    is_holder = preposition in data["words"]["holding"].split()
    if kind == "agent" and not (
        is_holder or last["subject"] == answer["value"]
    ):
        return ""
    return kind


def _read_told_at(answer: "AnswerResult") -> str:
    """Return when the newest claim of *answer* was told."""
    return max(
        source["told_at"]
        for step in answer["path"]
        for source in step["sources"]
    )


def list_stems(text: str, language: str) -> frozenset[str]:
    """Return the stems of *text* without its little words."""
    little = STOP_WORDS[language]
    telling = [word for word in split_words(text) if word not in little]
    return stem_words(telling, language)


def stem_words(words: list[str], language: str) -> frozenset[str]:
    """Return the stems of *words*."""
    return frozenset(snowball.stem_words(words, language))
