"""Gemini: Takeout's activity as JSON and as HTML, and prompts of AI Studio."""

import json

from companion.sources.conversations.gemini import READER
from tests.sources.exports import load, read_sample, say


def test_questions_and_answers_are_read_by_their_times():
    document = read_sample("gemini/MyActivity.json")

    assert say(document) == [
        ("owner", "", "Read this sign for me"),
        ("assistant", "Gemini", "It says `No entry`.\n\nEntry is forbidden."),
        ("owner", "", "Which ferry goes to Hiddensee in winter?"),
        (
            "assistant",
            "Gemini",
            "The ferry from **Schaprode** runs all year.\n\n"
            "- 45 minutes to Neuendorf\n- 30 to Kloster & Vitte",
        ),
    ]
    assert document.turns[0].attachments == ("sign.jpg",)
    assert document.warnings == (
        "not read: activities that are no questions (1)",
    )


def test_one_record_alone_is_a_conversation_with_a_key_of_its_own():
    record = json.loads(load("gemini/MyActivity.json"))[0]
    document = READER.read(json.dumps(record).encode(), "")

    assert document.title == "Which ferry goes to Hiddensee in winter?"
    assert document.key == "gemini:2026-01-11T17:02:44.318000Z"


def test_the_page_says_the_same_as_the_json():
    page = read_sample("gemini/MyActivity.html")

    assert say(page)[2:] == [
        ("owner", "", "Which ferry goes to Hiddensee in winter?"),
        ("assistant", "Gemini", "The ferry from **Schaprode** runs all year."),
    ]
    assert say(page)[0] == ("owner", "", "Is 7 < 8?")
    assert page.turns[2].at == "2026-01-11T17:02:44.000000Z"


def test_a_prompt_of_ai_studio_is_read_without_thoughts():
    document = read_sample("gemini/Ferry times")

    assert say(document)[:2] == [
        ("owner", "", "How long is the crossing?"),
        ("assistant", "gemini-2.5-pro", "Forty-five minutes."),
    ]
    assert document.title == "Ferry times"
    assert document.turns[2].attachments == ("1AbC",)
