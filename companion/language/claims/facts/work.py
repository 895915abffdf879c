"""Where somebody works, and as what, where no verb says so.

"Started as a nurse at the Charité", "has a new job at Siemens".
"""

from collections.abc import Iterator

from companion.language.claims.complements import Complement
from companion.language.claims.predication import Fact, Predication
from companion.language.words.question_words import read_question_data

_AS = ("as", "als")


def work_facts(clause: Predication) -> Iterator[Fact]:
    """Yield where, and as what, the subject works; nothing where *clause* does not tell it."""
    grammar = clause.grammar
    first = clause.subject[0].low
    # "the film started as a comedy"
    if clause.verbs.passive or grammar.has("articles", first):
        return
    as_what = _find_role(clause)
    if grammar.has("working", clause.verbs.lemma) and as_what is not None:
        yield _work_fact(clause, as_what, "as")
    elif not _gets_job(clause):
        return
    for one in clause.complements:
        is_place = not _is_hour(one, clause)
        if is_place and grammar.has("workplace", one.preposition):
            yield _work_fact(clause, one, "at")
            return


def _is_hour(one: Complement, clause: Predication) -> bool:
    first = one.words[0].low
    return first[:1].isdigit() or clause.grammar.has_any(
        ("numerals", "weekdays"), first
    )


def _find_role(clause: Predication) -> Complement | None:
    for one in clause.complements:
        if one.preposition in _AS:
            return one
    return None


def _gets_job(clause: Predication) -> bool:
    """Tell whether the subject has, or has got, a job; what a thing has at a place is none."""
    grammar = clause.grammar
    if not clause.complements or clause.complements[0].preposition:
        return False
    if not grammar.has("employed", clause.verbs.lemma):
        return False
    job = clause.complements[0].words[-1].low
    words = read_question_data()[grammar.language]["concepts"]["employer"]
    return job in words.partition("->")[0].split()


def _work_fact(clause: Predication, one: Complement, preposition: str) -> Fact:
    """Return a fact of the matter "work at" or "work as", in the words that tell it."""
    fact = clause.fact(clause.subject, [], one.preposition, one.words, "verb")
    if clause.grammar.v2:
        return fact._replace(matter=_GERMAN[preposition])
    return fact._replace(matter=f"work {preposition}")


_GERMAN = {"as": "arbeiten als", "at": "arbeiten bei"}
