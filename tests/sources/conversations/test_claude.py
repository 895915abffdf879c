"""Claude: the branch that goes on, older exports, documents beside, projects and memories."""

import json

from companion.sources.conversations.claude import READER
from companion.sources.conversations.claude_project import READER as PROJECT
from tests.sources.exports import load, read_sample, say

SAMPLE = "claude/conversation.json"


def _change(change) -> bytes:
    conversation = json.loads(load(SAMPLE))
    change(conversation)
    return json.dumps(conversation).encode()


def test_the_branch_that_ends_last_is_read():
    document = read_sample(SAMPLE)

    assert say(document) == [
        ("owner", "", "We have plot 14 now. What should I sow in March?"),
        (
            "assistant",
            "Claude",
            "On heavy clay wait until April.\n\n"
            "Broad beans can go in now; the last frost is usually late April.",
        ),
        ("tool", "web_search", "average last frost Leeds"),
        (
            "owner",
            "",
            "Swap the beans and the onions, and remember that Ruth has the key to the shed.",
        ),
        ("assistant", "Claude", "Swapped: onions north, beans south."),
    ]
    assert document.turns[0].attachments == ("pasted text", "plot-14.png")
    assert document.warnings == (
        "only the current branch is read: 2 messages of earlier versions are not",
        "not read: texts of attached files (1), thoughts of the model (1), outputs of tools (1)",
    )


def test_the_leaf_that_the_export_names_is_followed_and_its_document_read():
    content = _change(
        lambda conversation: conversation.update(current_leaf_message_uuid="m4")
    )

    words = READER.read(content, "").turns[-1].text

    assert words == "Here it is.\n\nBed plan\n\n- north: beans\n- south: onions"


def test_where_the_order_of_branches_is_lost_all_messages_are_read():
    def lose(conversation):
        messages = conversation["chat_messages"]
        conversation["chat_messages"] = [
            m for m in messages if m["uuid"] != "m2"
        ]

    document = READER.read(_change(lose), "")

    spoken = [turn for turn in document.turns if turn.role != "tool"]
    assert len(spoken) == 5
    assert (
        "the order of branches is not known; all are read" in document.warnings
    )


def test_exports_before_blocks_are_read():
    assert say(read_sample("claude/conversation-2023.json")) == [
        ("owner", "", "Is slate a good roof for a shed?"),
        ("assistant", "Claude", "Slate is heavy; felt is enough for a shed."),
    ]


def test_an_unknown_block_is_said_and_the_words_beside_it_are_read():
    def add(conversation):
        conversation["chat_messages"][0]["content"].append({"type": "hologram"})

    document = READER.read(_change(add), "")

    assert (
        document.turns[0].text
        == "We have plot 14 now. What should I sow in March?"
    )
    assert 'blocks of the kind "hologram" (1)' in document.warnings[-1]


def test_several_projects_are_one_text_with_a_part_each():
    project = json.loads(load("claude/project.json"))
    document = PROJECT.read(
        json.dumps([project, project]).encode(), "projects.json"
    )

    headings = [p.text for p in document.passages if p.level == 1]
    assert headings == ["Allotment", "Allotment"]
    assert len(document.passages) == 2 * (1 + 5)


def test_a_project_is_a_text_and_what_claude_remembers_is_claudes_word():
    project = read_sample("claude/project.json")
    memories = read_sample("claude/memories.json")

    assert [passage.text for passage in project.passages] == [
        "Everything about plot 14.",
        "Answer for heavy clay.",
        "rules.md",
        "No fires before six.",
        "Water is shut off from November.",
    ]
    assert [(memory.text, memory.agent) for memory in memories.memories] == [
        ("The user has an allotment, plot 14.", "Claude"),
        ("Their sister Ruth has the shed key.", "Claude"),
        ("The soil is heavy clay.", "Claude"),
    ]
