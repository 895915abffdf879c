"""WhatsApp, Telegram and Slack: who speaks, who the owner is and how that is known."""

import json

import pytest

from companion.sources.conversations import whatsapp
from companion.sources.conversations.telegram import READER as TELEGRAM
from companion.sources.conversations.whatsapp_lines import (
    choose_order,
    match_heading,
)
from companion.sources.document import Unreadable
from tests.sources.exports import load, read_sample, say


def test_in_a_chat_that_is_named_after_one_of_two_the_other_is_the_owner():
    document = read_sample("whatsapp/WhatsApp Chat with Anna.txt")

    assert say(document) == [
        ("other", "Anna", "The keys are with Mr Holm,\nflat 3."),
        ("owner", "", "Thanks! I land on Friday at 9:40"),
        ("other", "Anna", "The door"),
        ("owner", "", "Note: bring the ladder"),
    ]
    assert document.turns[0].place == "lines 2-3"
    assert document.turns[2].attachments == ("IMG-20240313-WA0001.jpg",)
    assert (
        document.warnings[0]
        == "Ben is read as you: the file is named after the other"
    )


def test_without_a_sign_everybody_is_another_person():
    document = read_sample("whatsapp/_chat.txt")

    assert {turn.role for turn in document.turns} == {"other"}
    assert [turn.speaker for turn in document.turns] == ["Anna", "Jörg", "Jörg"]
    assert document.turns[1].at == "2023-02-06T08:00:01.000000Z"
    assert any(
        "everybody is read as another" in said for said in document.warnings
    )


def test_a_message_that_you_deleted_says_who_you_are():
    chat = "1.2.24, 10:00 - A: Hello\n1.2.24, 10:01 - B: You deleted this message\n13.2.24, 10:02 - B: So\n"
    document = whatsapp.READER.read(chat.encode(), "chat.txt")

    assert say(document) == [("other", "A", "Hello"), ("owner", "", "So")]


@pytest.mark.parametrize(
    ("dates", "order", "doubts"),
    [
        (["13/03/24", "01/04/24"], "day first", 0),
        (["3/13/24", "4/1/24"], "month first", 0),
        (["2024-03-13"], "year first", 0),
        (["1/2/24", "1/3/24", "2/1/24"], "month first", 0),
        (["5/1/24", "1/2/24"], "day first", 0),
        (["5.1.24"], "day first", 0),
        (["5/1/24"], "day first", 1),
    ],
)
def test_the_order_of_day_and_month_is_the_one_that_all_dates_allow(
    dates, order, doubts
):
    headings = [match_heading(f"{date}, 10:00 - A: x") for date in dates]
    chosen = choose_order([heading for heading in headings if heading])

    assert chosen.name == order
    assert len(chosen.doubts) == doubts


@pytest.mark.parametrize(
    "line",
    [
        "2024-01-02 10:00:00 - INFO: started",
        "Meeting at 10:00 - Anna: late",
        "1. Bread, 10:00 - x",
    ],
)
def test_a_log_or_a_note_is_no_message(line):
    assert match_heading(line) is None


def test_telegram_knows_the_other_by_the_id_of_the_chat_and_whose_words_are_forwarded():
    assert say(read_sample("telegram/result.json")) == [
        ("other", "Mira", "The boat is at seven, see https://example.org/boat"),
        ("owner", "", "I will bring the tent."),
        ("other", "Harbour news", "The pier is closed on Sunday."),
        ("other", "Mira", ""),
    ]


def test_nobody_in_a_telegram_group_is_taken_for_the_owner():
    chat = json.loads(load("telegram/result.json")) | {"type": "private_group"}
    document = TELEGRAM.read(json.dumps(chat).encode(), "result.json")

    assert {turn.role for turn in document.turns} == {"other"}
    assert "does not say who you are" in document.warnings[0]


def test_an_export_of_all_telegram_chats_says_what_to_do():
    content = b'{"about": "", "chats": {"about": "", "list": []}}'

    assert TELEGRAM.recognises(content, "result.json")
    with pytest.raises(Unreadable) as caught:
        TELEGRAM.read(content, "result.json")
    assert "one by one" in caught.value.hint


def test_slack_names_people_where_it_knows_them():
    assert say(read_sample("slack/general/2025-06-02.json")) == [
        ("other", "Ines Roth", "The release moves to *Thursday*."),
        ("other", "U02", "Here is the list"),
    ]
