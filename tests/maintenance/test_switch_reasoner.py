"""Swapping a model: configuration and vectors change, no text does, and what the new model
contradicts is flagged.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest

from companion.comparison.nearest import embed_quantised, find_nearest
from companion.judges import configured
from companion.judges.configured import Judges
from companion.language.protocols import Identity, ModelUnavailable
from companion.maintenance import switch_reasoner
from companion.maintenance.ask_new_model import PRIOR
from companion.maintenance.list_reasoners import list_reasoners
from companion.maintenance.switch_reasoner import NoSuchReasoner
from companion.reading import review
from companion.values.relations import Relation, Statement
from tests.scripted_judges import Scripted, neutral, opposed
from tests.wiki import Wiki, check_health, check_index


class Hashing:
    """An embedder that knows nothing: every text has a direction of its own."""

    dimensions = 8

    def __init__(self, name: str) -> None:
        self.identity = Identity("hashing", "1", name)
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        self.embedded += texts
        rows = [
            [
                b - 128
                for b in hashlib.sha256(
                    (self.identity.model + t).encode()
                ).digest()[:8]
            ]
            for t in texts
        ]
        found = numpy.array(rows, dtype=numpy.float32)
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "# Postgres\n\nStaging runs Postgres 14.",
        "# Rails\n\nUses [[Postgres]].",
        "# Tea\n\nGreen tea.",
    )
    wiki.consolidate()
    return wiki


def with_judges(monkeypatch: pytest.MonkeyPatch, found: Judges) -> None:
    monkeypatch.setattr(
        configured, "open_judges", lambda config, allowance=None: found
    )


def test_a_swap_rewrites_nothing_re_embeds_and_flags_what_bears_weight(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GEN-4, ROW-7."""
    old, new = Hashing("old"), Hashing("new")
    with_judges(
        monkeypatch, Judges(old, Scripted(neutral, model="a"), None, None)
    )
    switch_reasoner.use(wiki.ws, "semantic")
    before = wiki.files()

    judge = Scripted(
        lambda a, b: (
            opposed()(a, b) if "14" in b.text and not a.text else neutral(a, b)
        ),
        model="b",
    )
    with_judges(monkeypatch, Judges(new, judge, None, None))
    done = switch_reasoner.use(wiki.ws, "llm:b")

    assert wiki.files() == before
    assert (len(new.embedded), done["embedded"]) == (3, 3)
    postgres = wiki.show("Postgres")["id"]
    assert [item["entry"] for item in done["flagged"]] == [postgres]
    items = review.list_review(wiki.ws)["items"]
    assert [(item["kind"], item["entry"]["id"]) for item in items] == [
        ("model", postgres)
    ]
    assert wiki.read(".companion/companion.yaml").endswith(
        'reasoner: llm\nmodel: "b"\n'
    )
    assert wiki.status() == ""
    check_index(wiki)
    check_health(wiki)


def test_row_7_is_named_and_the_next_night_reads_the_flag_until_it_is_answered(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_judges(monkeypatch, Judges(None, Scripted(opposed()), None, None))
    (flag,) = switch_reasoner.use(wiki.ws, "llm:x")["flagged"]
    assert flag["reason"].startswith("The new model")
    assert "(row 7, epistemic: external correction" in flag["reason"]
    assert "neither defended nor overwritten" in flag["reason"]
    text = wiki.show("Postgres")["text"]
    assert [note for note in wiki.consolidate()["notes"] if "row 7" in note]
    assert wiki.show("Postgres")["text"] == text
    review.answer_question(
        wiki.ws, review.list_review(wiki.ws)["items"][0]["id"], "reject"
    )
    wiki.consolidate()
    assert not [note for note in wiki.consolidate()["notes"] if "row 7" in note]


def test_only_what_bears_weight_is_asked_about(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Scripted(opposed())
    with_judges(monkeypatch, Judges(None, judge, None, None))
    done = switch_reasoner.use(wiki.ws, "llm:x")

    assert {item["entry"] for item in done["flagged"]} == {
        wiki.show("Postgres")["id"]
    }
    assert not any("Green tea" in later.text for _, later in judge.asked)


def test_the_vectors_of_a_model_that_went_are_forgotten_and_content_is_embedded_once(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = Hashing("one"), Hashing("other")
    for each in (one, one, other, one):
        with_judges(monkeypatch, Judges(each, None, None, None))
        switch_reasoner.use(wiki.ws, "semantic", dry_run=True)

    assert (len(one.embedded), len(other.embedded)) == (6, 3)


def test_a_model_that_is_not_there_changes_nothing(wiki: Wiki) -> None:
    head = wiki.head
    with pytest.raises(ModelUnavailable, match="no model 'nobody'"):
        switch_reasoner.use(wiki.ws, "llm:nobody")
    assert wiki.head == head


def test_a_model_that_does_not_answer_is_not_switched_to(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = wiki.head
    with_judges(
        monkeypatch,
        Judges(
            None, Scripted(opposed(), name="llm", fails_after=0), None, None
        ),
    )
    with pytest.raises(ModelUnavailable, match="out of order"):
        switch_reasoner.use(wiki.ws, "llm:x")
    assert wiki.head == head


@pytest.mark.parametrize("name", ["", "gpt", "llm", "llm:", "light:x", "Light"])
def test_an_unknown_reasoner_is_a_usage_error(wiki: Wiki, name: str) -> None:
    with pytest.raises(NoSuchReasoner):
        switch_reasoner.use(wiki.ws, name)


def test_the_same_reasoner_again_is_no_run(wiki: Wiki) -> None:
    assert switch_reasoner.use(wiki.ws, "light")["run"] is not None
    assert switch_reasoner.use(wiki.ws, "light")["run"] is None


def test_the_listing_names_weights_costs_and_trouble(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.judges.semantic._PACKAGE", "no_such_package")
    doc = list_reasoners(wiki.ws)
    found = {each["name"]: each for each in doc["reasoners"]}

    assert doc["reasoner"] == "light" and found["light"]["in_use"]
    assert (
        not found["semantic"]["installed"]
        and "not installed" in found["semantic"]["trouble"]
    )
    assert found["semantic"]["weights"].startswith("53aa5117")
    assert "gpt-4o-mini" in found["llm"]["models"]


JOBS = ["embed", "relate", "extract", "summarise"]


@pytest.mark.needs("sentence_transformers")
def test_the_listing_names_who_does_each_job(wiki: Wiki) -> None:
    found = {
        each["name"]: each["judges"]
        for each in list_reasoners(wiki.ws)["reasoners"]
    }
    assert (list(found["light"]), list(found["semantic"]), found["llm"]) == (
        JOBS,
        JOBS,
        {},
    )
    assert all(said.startswith("light/") for said in found["light"].values())
    assert (
        "all-MiniLM" in found["semantic"]["embed"]
        and "all-MiniLM" in found["semantic"]["relate"]
    )

    wiki.write(
        ".companion/companion.yaml", "reasoner: llm\nmodel: gpt-4o-mini\n"
    )
    wiki.commit("a language model")
    found = {
        each["name"]: each["judges"]
        for each in list_reasoners(wiki.ws)["reasoners"]
    }
    assert list(found["llm"]) == [*JOBS, "compare", "reword"] and found["llm"][
        "extract"
    ].endswith("gpt-4o-mini")


def test_damaged_vectors_of_the_core_are_listed_as_trouble(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "companion.language.vectors.static_vectors.package_folder",
        lambda: str(tmp_path),
    )
    light = list_reasoners(wiki.ws)["reasoners"][0]

    assert (
        not light["installed"]
        and "the static vectors lack" in light["trouble"]
        and light["judges"] == {}
    )


def test_neighbours_are_close_ordered_bounded_and_earlier_where_asked() -> None:
    def at(angle: float) -> bytes:
        return embed_quantised(
            _Fixed([numpy.cos(angle), numpy.sin(angle)]), ["x"]
        )[0]

    among = {f"n{n}": at(n / 10) for n in range(12)}
    near = find_nearest({"n0": among["n0"], "far": at(3)}, among)
    assert near == {"n0": ["n1", "n2", "n3", "n4"]}
    order = {name: n for n, name in enumerate(among)}
    assert find_nearest({"n2": among["n2"]}, among, before=order) == {
        "n2": ["n1", "n0"]
    }
    assert find_nearest({}, among) == find_nearest(among, {}) == {}


def test_ties_go_by_id_or_by_the_order_that_was_asked_for() -> None:
    vector = embed_quantised(_Fixed([0.6, 0.8]), ["x"])[0]
    same = dict.fromkeys("hgfedcba", vector)
    assert find_nearest({"a": vector}, same) == {"a": ["b", "c", "d", "e"]}
    order = {name: n for n, name in enumerate(same)}
    assert find_nearest(same, same, before=order)["a"] == [
        "h",
        "g",
        "f",
        "e",
    ]


class _Fixed:
    identity, dimensions = Identity("fixed", "1"), 2

    def __init__(self, vector: Sequence[float]) -> None:
        self.vector = vector

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        return numpy.array([self.vector] * len(texts), dtype=numpy.float32)


def test_a_statement_without_text_asks_what_the_judge_knows(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Scripted(lambda a, b: Relation("neutral", 1.0, "none"))
    with_judges(monkeypatch, Judges(None, judge, None, None))
    switch_reasoner.use(wiki.ws, "llm:x")

    assert PRIOR == Statement("") in [earlier for earlier, _ in judge.asked]
