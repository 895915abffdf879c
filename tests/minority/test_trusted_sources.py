"""Row 4's exception: a trusted source weighs more against a load-bearing entry, and is no free
pass.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.minority.test_gather import (
    FIRST,
    SECOND,
    THIRD,
    decided,
    founded,
    night,
)
from tests.wiki import Wiki


def trusting(tmp_path: Path, setting: str) -> Wiki:
    wiki = founded(Wiki.new(tmp_path / "wiki"))
    wiki.write(".companion/companion.yaml", setting)
    wiki.git("add", ".companion/companion.yaml")
    wiki.git("commit", "-qm", "trust")
    return wiki


def pressed(done: dict[str, Any]) -> float:
    return float(done["branches"][-1]["pressure"])


@pytest.mark.parametrize(
    "source", ["journal/1", "https://www.example.org/paper?x=1"]
)
def test_a_trusted_source_begins_heavier_and_never_wins_alone(
    tmp_path: Path, source: str
) -> None:
    wiki = trusting(
        tmp_path, 'trust: {journal/*: 2.0, "https://example.org": 2.0}\n'
    )
    done = night(wiki, (FIRST, source))
    assert decided(done) == ["open"] and pressed(done) == 1.5
    assert "1 told by trust 2.00" in done["branches"][0]["reason"]
    for text in (SECOND, THIRD):
        assert "promote" not in decided(night(wiki, (text, source)))


def test_without_a_setting_the_same_source_weighs_as_any(
    tmp_path: Path,
) -> None:
    assert pressed(night(trusting(tmp_path, ""), (FIRST, "journal/1"))) < 1.0


def test_what_is_trusted_less_needs_more_voices(tmp_path: Path) -> None:
    told = (FIRST, "a/1"), (SECOND, "b/2"), (THIRD, "c/3")
    for trust, last in (
        ("{}", "promote"),
        ("{a: low, b: low, c: low}", "hold"),
    ):
        wiki = trusting(tmp_path / last, f"trust: {trust}\n")
        assert decided([night(wiki, each) for each in told][-1])[-1] == last


def test_an_agent_lends_no_trust_of_a_source(tmp_path: Path) -> None:
    wiki = trusting(tmp_path, "trust: {journal/*: 2.0}\n")
    wiki.tick(days=1)
    wiki.ingest(FIRST, source="journal/1", agent="helper")
    done = wiki.consolidate()
    assert decided(done) == ["open"] and pressed(done) < 1.0
