"""`rename` and `links` say what they did in plain sentences."""

import pytest

from companion.cli.commands import links, rename
from companion.cli.errors import Usage
from companion.cli.output import Ui

DONE = {
    "run": "r",
    "commit": "abcdef0123456789",
    "renamed": [{"entry": "e", "from": "entries/a-b.md", "path": "x/A b.md"}],
    "left_out": [{"path": "entries/c-d.md", "reason": "linked in Mine.md"}],
    "notes": [],
    "dry_run": False,
}


def test_a_rename_says_the_old_and_the_new_name_and_what_stays() -> None:
    said = "\n".join(map(str, rename.text(DONE)))

    assert "renamed 1" in said and "would be" not in said
    assert "→ x/A b.md" in said and "linked in Mine.md" in said
    assert "abcdef01" in said


def test_a_preview_says_would() -> None:
    said = list(map(str, rename.text({**DONE, "dry_run": True})))

    assert said[0] == "would be renamed 1"


def test_links_say_where_they_lead_or_why_nowhere() -> None:
    rows = [
        {"page": "a.md", "target": "B", "path": "B.md", "problem": None},
        {"page": "a.md", "target": "C", "path": None, "problem": "no page"},
    ]
    said = "\n".join(map(str, links.text({"links": rows})))

    assert "[[B]] in a.md" in said and "→ B.md" in said
    assert "[[C]] in a.md" in said and "no page" in said
    assert list(links.text({"links": []}, broken=True)) == ["no link is broken"]


def test_rename_wants_to_be_told_what() -> None:
    with pytest.raises(Usage):
        rename.run(Ui.__new__(Ui), to_titles=False, dry_run=True)
