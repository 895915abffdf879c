"""The words that one statement alone has on its page."""

from hypothesis import given
from hypothesis import strategies as st

from companion.usage.own_words import find_own_words

WORDS = st.sets(st.sampled_from("abcdefgh"), max_size=6)


@given(st.dictionaries(st.sampled_from("xyz"), WORDS), WORDS)
def test_no_word_is_a_statements_own_that_stands_elsewhere_too(
    words: dict[str, set[str]], others: set[str]
) -> None:
    found = find_own_words(words, others)

    assert list(found) == list(words)
    for statement, own in found.items():
        rest = set(others).union(
            *(each for other, each in words.items() if other != statement)
        )
        assert own == words[statement] - rest
