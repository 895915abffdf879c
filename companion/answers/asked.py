"""Read a question by the words of its language and the names that the index knows."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from companion.annotations import Literal
from companion.answers.chains.denied import without_denial
from companion.answers.question import Question, read_question
from companion.answers.words import Words
from companion.language.words.question_words import build_question_tables
from companion.storage.index import claim_names
from companion.storage.index.tables import routing
from companion.tuples import NamedTuple
from companion.values.claims import split_words

# of what is asked: what is over, is so, or is to come
Tense = Literal["past", "present", "coming"]


class Asked(NamedTuple):
    """A question, read by the words of its language and the names that the index knows."""

    question: Question
    words: Words
    denied: bool = False  # it asks for what is not so

    def ask_for_hour(self, hourly: bool) -> "Asked":
        """Return the same question, as one for an hour of the day if *hourly*."""
        return self._replace(question=self.question._replace(hourly=hourly))


def read_asked(db: sqlite3.Connection, question: str) -> Asked:
    """Return *question* as the index *db* lets it be read."""
    asked, denied = without_denial(question)
    words = question_words(asked)
    known = partial(_select_known, db, words)
    return Asked(read_question(asked, known, words), words, denied)


def _select_known(
    db: sqlite3.Connection, words: Words, names: Sequence[str]
) -> set[str]:
    """Return which of *names* begin a chain."""
    bare = [
        name for name in names if name.split(" ", 1)[0] not in words.articles
    ]
    known = claim_names.select_known_names(db, bare, list_openings(words))
    return known | routing.list_mirrored_keys(db).intersection(bare)


def list_openings(words: Words) -> list[str]:
    """Return what may stand before the name of a value."""
    return sorted({*words.articles, *words.determiners})


def question_words(question: str) -> Words:
    """Return the words by which *question* is read."""
    return Words(**build_question_tables(split_words(question)))
