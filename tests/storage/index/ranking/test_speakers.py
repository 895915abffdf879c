"""Whose words a question asks for."""

import pytest

from companion.storage.index.ranking.speakers import wants_assistant
from companion.storage.index.terms import split_words


@pytest.mark.parametrize(
    "question",
    [
        "Which shop did you recommend for rings?",
        "We talked about posture. Can you remind me of the video?",
        "You wrote two songs for me. Can you remind me of the chorus?",
        "Was hast du mir geraten?",
        "What did Claude say about rings?",
    ],
)
def test_what_you_said_is_an_assistants(question: str) -> None:
    assert wants_assistant(split_words(question))


@pytest.mark.parametrize(
    "question",
    [
        "Can you summarize what I told you about my job?",
        "Can you list everything I've shared with you?",
        "Do you know the show that I mentioned?",
        "Kannst du sagen, was ich dir gesagt habe?",
        "Who told us about the lock?",
    ],
)
def test_what_i_said_is_mine(question: str) -> None:
    assert not wants_assistant(split_words(question))
