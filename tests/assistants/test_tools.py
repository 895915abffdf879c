"""The tools' descriptions stay short, arguments are checked, and quoted text stays quoted."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assistants.arguments import (
    BadArgument,
    Parameter,
    check_arguments,
    describe_parameters,
)
from companion.assistants.quoting import quote
from companion.assistants.tools import INSTRUCTIONS, TOOLS, find_tool

MOST_TOKENS = 1500

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None, exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def describe_all() -> str:
    """Return everything that a session is told of the tools, as the protocol sends it."""
    from companion.assistants.server import describe_tool

    tools = [
        describe_tool(tool).model_dump(by_alias=True, exclude_none=True)
        for tool in TOOLS
    ]
    document = {"instructions": INSTRUCTIONS, "tools": tools}
    return json.dumps(document, ensure_ascii=False)


def test_all_descriptions_together_cost_few_tokens() -> None:
    import tokenizers
    import wordllama

    from companion.language.vectors.static_vectors import TOKENIZER

    folder = os.path.dirname(wordllama.__file__)
    file = os.path.join(folder, *TOKENIZER)
    tokenizer = tokenizers.Tokenizer.from_file(file)
    text = describe_all()

    assert len(text) / 4 <= MOST_TOKENS
    assert len(tokenizer.encode(text).ids) <= MOST_TOKENS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@given(arguments=st.dictionaries(st.text(max_size=8), anything, max_size=3))
def test_any_arguments_are_taken_or_refused_in_a_sentence(
    tool: object, arguments: dict[str, object]
) -> None:
    parameters = find_tool(getattr(tool, "name", "")).parameters
    try:
        check_arguments(parameters, arguments)
    except BadArgument as error:
        assert str(error) and error.exit_code == 2


@given(value=anything)
def test_any_value_is_taken_only_where_it_fits(value: object) -> None:
    parameter = Parameter("query", required=True, most=20)
    try:
        taken = check_arguments((parameter,), {"query": value})
    except BadArgument:
        fits = isinstance(value, str) and value.strip() and len(value) <= 20
        assert not (fits and value.isprintable())
    else:
        assert taken.text("query") == value


def test_what_is_left_out_has_its_default() -> None:
    count = Parameter("limit", kind="count", most=50, default=5)
    text = Parameter("topic")
    given = check_arguments((count, text), {"topic": None})

    assert given.count("limit") == 5
    assert given.optional("topic") is None
    schema = describe_parameters((count, text))
    assert schema["properties"] == {
        "limit": {"type": "integer", "default": 5},
        "topic": {"type": "string"},
    }
    assert "required" not in schema


@given(text=st.text(st.characters(codec=None, exclude_categories=())))
def test_a_quoted_text_is_one_line_and_comes_back_whole(text: str) -> None:
    quoted = quote({"text": text})

    assert quoted.isprintable()
    assert json.loads(quoted)["result"]["text"] == text
