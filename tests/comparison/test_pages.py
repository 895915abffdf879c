"""The words of a page that captures are compared with are split where they are asked for."""

import pytest

from companion.comparison import pages
from companion.comparison.candidate_pairs import PassageIndex


def test_only_what_is_asked_for_is_split(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    split: list[str] = []

    def count(text: str) -> list[str]:
        split.append(text)
        return [text]

    monkeypatch.setattr(pages, "split_passages", count)
    page = pages.Passages({"": ["above", "a person's"], "a": ["one"], "b": []})
    assert "a" in page and "c" not in page and len(page) == 3
    assert split == []
    assert page[""] == page[""] == ["above", "a person's"]
    assert split == ["above", "a person's"]
    assert dict(page)["b"] == []
    with pytest.raises(KeyError):
        page["c"]


def test_an_index_reads_its_passages_when_they_are_measured() -> None:
    given = iter([("a", "The boiler hums."), ("b", "The cat sleeps.")])
    index = PassageIndex(given)
    assert next(given)[0] == "a"  # nothing was taken yet
    assert index.passages == [("b", "The cat sleeps.")]
    assert list(index.measure("A cat sleeps here.")) == [0]
