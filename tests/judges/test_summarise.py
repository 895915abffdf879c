"""Summaries: in the original's own words, in its order, at the depth that is wanted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judges.summarise import BadDepth, LightSummariser
from companion.language.protocols import Summariser

summariser: Summariser = LightSummariser()
TEXT = """# The harbour

The harbour of Zenda was built in 1871. Dredging costs 3.5 million euros a year. The weather was fine on Monday.
The harbour is dredged twice a year, and dredging the harbour costs more every year. See [[Dredging]] for the bills.

```
code is no sentence. Never.
```

- Otto Kern runs the harbour.
- Gulls like chips.
"""
sentences = st.lists(
    st.text("abc XYZ12äß-'", min_size=3, max_size=30).map(
        lambda body: f"{body}."
    ),
    max_size=12,
)
texts = st.lists(sentences.map(" ".join), max_size=4).map(
    "\n\n".join
) | st.text(max_size=300)
depths = st.floats(0, 1)


@given(texts, depths)
def test_every_word_of_the_summary_stands_in_the_source(
    text: str, depth: float
) -> None:
    summary = summariser.summarise(text, depth=depth)

    assert set(re.findall(r"\w+", summary.text + " " + summary.title)) <= set(
        re.findall(r"\w+", text)
    )


@given(texts, depths)
def test_spans_reproduce_the_text(text: str, depth: float) -> None:
    summary = summariser.summarise(text, depth=depth)

    parts = [text[span.start : span.end] for span in summary.spans]
    assert "".join(summary.text.split()) == "".join("".join(parts).split())
    assert list(summary.spans) == sorted(summary.spans)


@given(texts, depths, depths)
def test_a_deeper_summary_has_all_of_a_shallower_one(
    text: str, one: float, other: float
) -> None:
    shallow, deep = (
        summariser.summarise(text, depth=depth)
        for depth in sorted((one, other))
    )

    assert all(
        any(b.start <= a.start and a.end <= b.end for b in deep.spans)
        for a in shallow.spans
    )


@given(texts)
def test_the_depths_at_both_ends(text: str) -> None:
    assert summariser.summarise(text, depth=1).text == text
    assert len(summariser.summarise(text, depth=0).spans) <= 1


def test_the_most_central_sentence_is_kept_and_code_is_not() -> None:
    summary = summariser.summarise(TEXT, depth=0)

    assert summary.title == "The harbour"
    assert (
        summary.text
        == "The harbour is dredged twice a year, and dredging the harbour costs more every year."
    )
    assert "code" not in summariser.summarise(TEXT, depth=0.99).text


def test_numbers_names_and_links_are_not_cut() -> None:
    text = summariser.summarise(TEXT, depth=0.9).text

    assert (
        "3.5 million" in text and "[[Dredging]]" in text and "Otto Kern" in text
    )


def test_a_note_without_a_heading_is_titled_by_its_first_words() -> None:
    assert (
        summariser.summarise(
            "Otto runs the harbour. Gulls like chips.", depth=0
        ).title
        == "Otto runs the harbour"
    )
    assert len(summariser.summarise("word " * 100, depth=0).title) <= 80


@pytest.mark.parametrize("depth", [-0.01, 1.01, float("nan")])
def test_a_depth_outside_is_refused(depth: float) -> None:
    with pytest.raises(BadDepth):
        summariser.summarise(TEXT, depth=depth)


def test_vectors_of_an_embedder_decide_where_one_is_given() -> None:
    import numpy

    class Shouting:
        """Sees nothing but exclamation marks."""

        identity = summariser.identity
        dimensions = 2

        def embed(self, texts):  # type: ignore[no-untyped-def]
            return numpy.array(
                [
                    [1.0, 0.0]
                    if "!" in text
                    else [0.0, 1.0 if "?" in text else 0.0]
                    for text in texts
                ]
            )

    chosen = LightSummariser(Shouting())

    assert chosen.summarise(
        "Plain words stand here first. Loud words stand here second! Loud words stand here third!",
        depth=0,
    ).text.endswith("second!")
    assert chosen.identity != summariser.identity
