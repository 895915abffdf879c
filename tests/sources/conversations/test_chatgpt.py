"""ChatGPT: the current branch, who spoke with which model, what is left out and said."""

import json

import pytest

from companion.sources.conversations.chatgpt import READER
from companion.sources.document import Unreadable
from tests.sources.exports import load, read_sample, say

SAMPLE = "chatgpt/conversation.json"


def _change(change) -> bytes:
    conversation = json.loads(load(SAMPLE))
    change(conversation)
    return json.dumps(conversation).encode()


def test_the_branch_on_the_screen_is_read_and_the_models_speak_under_their_names():
    document = read_sample(SAMPLE)

    assert say(document) == [
        (
            "owner",
            "",
            "My kitchen has 16 degrees. How long should the dough rise?",
        ),
        (
            "assistant",
            "gpt-4o",
            "At 16 degrees the bulk rise takes ten to twelve hours.",
        ),
        ("owner", "", "Is this crumb too dense?"),
        ("tool", "python", "water = 350"),
        (
            "assistant",
            "o3",
            "A little. Your dough has 70 % water; let it rise two hours longer.",
        ),
        ("owner", "", "Thanks. I bake every Saturday at my sister's."),
        ("assistant", "o3", "Then start on Friday evening."),
    ]
    assert document.title == "Sourdough in a cold kitchen"
    assert document.key == "chatgpt:672a4b1c-7c10-8006-9f3e-0a1b2c3d4e5f"
    assert (
        document.url
        == "https://chatgpt.com/c/672a4b1c-7c10-8006-9f3e-0a1b2c3d4e5f"
    )
    assert document.turns[0].at == "2024-11-05T09:46:41.750000Z"
    assert document.turns[2].attachments == ("loaf.jpg",)


def test_what_is_left_out_is_said():
    assert read_sample(SAMPLE).warnings == (
        "only the current branch is read: 1 earlier versions with 1 messages are not",
        "not read: custom instructions (1), marks of citations (1),"
        " thoughts of the model (1), outputs of tools (1)",
    )


def test_a_document_that_the_model_wrote_and_spoken_words_are_read():
    document = read_sample("chatgpt/canvas-and-voice.json")

    assert say(document)[:2] == [
        ("owner", "", "Write a letter about the heating."),
        (
            "assistant",
            "gpt-4o",
            "Dear Ms Berg,\n\nthe heating has been cold since Monday.",
        ),
    ]


def test_a_conversation_without_a_title_is_called_by_its_first_words():
    assert (
        read_sample("chatgpt/conversation-2023.json").title
        == "Which moss grows on concrete?"
    )


def test_the_current_node_decides_though_another_branch_is_newer():
    content = _change(
        lambda conversation: conversation.update(current_node="a1")
    )

    words = [turn.text for turn in READER.read(content, "").turns]

    assert words[1:] == ["About four hours."]


def test_what_the_screen_hides_nobody_said():
    def hide(conversation):
        message = conversation["mapping"]["q3"]["message"]
        message["metadata"] = {"is_visually_hidden_from_conversation": True}

    document = READER.read(_change(hide), "")

    assert "Saturday" not in document.text
    assert "hidden messages (1)" in document.warnings[-1]


def test_without_a_current_node_the_newest_branch_is_read():
    content = _change(lambda conversation: conversation.pop("current_node"))

    assert READER.read(content, "").turns == read_sample(SAMPLE).turns


def test_a_message_that_cannot_be_read_is_named_and_the_others_are_read():
    def break_one(conversation):
        conversation["mapping"]["q2"]["message"]["content"]["parts"] = "words"

    document = READER.read(_change(break_one), "")

    assert len(document.turns) == 6
    assert (
        document.warnings[0]
        == 'message q2 cannot be read: "parts" was expected to be an array'
    )


def test_an_unknown_kind_of_part_is_said_and_the_words_beside_it_are_read():
    def add_part(conversation):
        parts = conversation["mapping"]["q3"]["message"]["content"]["parts"]
        parts.append({"content_type": "hologram"})

    document = READER.read(_change(add_part), "")

    assert (
        document.turns[5].text
        == "Thanks. I bake every Saturday at my sister's."
    )
    assert 'parts of the kind "hologram" (1)' in document.warnings[-1]


def test_a_beginning_that_is_missing_is_said():
    def cut(conversation):
        del conversation["mapping"]["a1b"]

    document = READER.read(_change(cut), "")

    assert document.turns[0].text == "Is this crumb too dense?"
    assert any(
        "the beginning is missing" in warning for warning in document.warnings
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda conversation: conversation.update(mapping=[]),
        lambda conversation: conversation["mapping"][
            "client-created-root"
        ].update(parent="a3"),
        lambda conversation: [
            node["message"].update(author="user")
            for node in conversation["mapping"].values()
            if node["message"]
        ],
    ],
    ids=["no tree", "a circle", "no authors"],
)
def test_another_format_is_an_error_that_says_what_was_expected(change):
    with pytest.raises(Unreadable) as caught:
        READER.read(_change(change), "")

    assert caught.value.code == "schema"
    assert "newer format" in caught.value.hint


def test_a_whole_array_is_not_taken_for_one_conversation():
    item = load(SAMPLE)

    with pytest.raises(Unreadable) as caught:
        READER.read(b"[" + item + b"," + item + b"]", "conversations.json")

    assert caught.value.code == "many-items"
    assert (
        READER.read(b"[" + item + b"]", "").turns == read_sample(SAMPLE).turns
    )


def test_a_model_of_2023_is_called_what_people_called_it() -> None:
    turns = read_sample("chatgpt/conversation-2023.json").turns
    speakers = {turn.speaker for turn in turns if turn.role == "assistant"}
    assert speakers == {"ChatGPT"}
