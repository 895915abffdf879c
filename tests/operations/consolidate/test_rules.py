"""The first line of a run says what it starts from, the version of every rule included (CON-2)."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from companion.adoption.rules import ADOPT_RULES
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.operations.contextualize.rules import CONTEXTUALIZE_RULES
from companion.operations.decay.rules import DECAY_RULES
from companion.pages.page import RULES_VERSION
from companion.reading import review
from tests.minority.test_gather import FIRST, founded
from tests.minority.test_gather import night as told
from tests.modules import list_modules
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def first(wiki: Wiki) -> dict[str, Any]:
    return dict(wiki.ledger()[-1][0])


def test_no_rule_with_a_version_is_forgotten() -> None:
    found = {
        module.VERSION
        for name in list_modules()
        if not name.startswith(
            (
                "companion.language",
                "companion.judges.",
                "companion.storage",
            )
        )
        if hasattr(module := importlib.import_module(name), "VERSION")
    }
    every = (
        ADOPT_RULES,
        CONTEXTUALIZE_RULES,
        CONSOLIDATE_RULES,
        DECAY_RULES,
        AUDIT_RULES,
    )
    named = {version for rules in every for version in rules.values()}
    # `models use`, `rename` and runs that bring pages together name their own;
    # a night names the rule for peers only where a wiki has joined others
    own = {"models-1", "titles-1", "merges-9", "federation-1", "peers-2"}
    own.add("copies-1")
    own.add("fleet-1")  # and a run that tells what others say differently
    assert found == {*named, *own}


def test_a_night_names_its_snapshot_and_every_rule(wiki: Wiki) -> None:
    wiki.ingest("Staging runs Postgres 14.")
    before = wiki.tree
    wiki.consolidate()
    line = first(wiki)
    assert line["base"] == before
    assert line["rules"] == {"pages": RULES_VERSION, **CONSOLIDATE_RULES}
    assert {
        "buffer",
        "usage",
        "verdicts",
        "now",
        "config",
        "excluded",
    } <= line.keys()
    assert (
        line["judges"]["extract"]["version"].startswith("extract-")
        and line["verdicts"] is None
    ), "nobody was compared"


def test_the_judge_of_load_bearing_pages_is_named_where_it_was_asked(
    wiki: Wiki,
) -> None:
    told(founded(wiki), (FIRST, "post mortem"))
    line = first(wiki)
    assert line["judges"]["contest"]["version"].startswith("contest-")
    assert len(line["verdicts"]) == 16


def test_an_answer_of_a_person_moves_the_mark_of_the_verdict_log(
    wiki: Wiki,
) -> None:
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.consolidate()
    wiki.ingest("# Door\n\nThe door to the cellar is not open.")
    wiki.consolidate()
    (item,) = review.list_review(wiki.ws)["items"]
    other = wiki.copy(wiki.root.parent / "other")
    review.answer_question(wiki.ws, item["id"], "accept")
    review.answer_question(other.ws, item["id"], "reject")
    marks = []
    for each in (wiki, other):
        each.now = wiki.now
        each.consolidate()
        marks.append(first(each)["verdicts"])
    assert None not in marks and marks[0] != marks[1], (
        "two snapshots that differ must not have one name"
    )
