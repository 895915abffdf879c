"""Published results say how they were made, and a page shows nothing else than they have."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = sorted((QUALITY / "results").glob("*.json"))


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: str(path.stem))
def test_results_name_their_command_commit_seeds_and_date(path: Path) -> None:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for origin in [document, *document.get("tables", {}).values()]:
        assert re.match(r"python -m (tests|conformance)\b", origin["command"])
        assert re.fullmatch(r"[0-9a-f]{8}", origin["commit"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", origin["date"])
        assert origin["seeds"]


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: str(path.stem))
def test_a_page_links_the_results_and_says_the_same_of_them(path: Path) -> None:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    page = (QUALITY / f"{path.stem}.md").read_text("utf-8")
    assert f"](results/{path.name})" in page
    head = " ".join(page.partition("\n## ")[0].split())
    for said in (document["command"], document["commit"], document["date"]):
        assert said in head
