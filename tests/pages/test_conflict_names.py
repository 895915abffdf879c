"""Names of conflict copies, as the programs give them."""

import pytest

from companion.pages.names.conflict_names import read_conflict_name


@pytest.mark.parametrize(
    "name",
    [
        "Plan (Anna's conflicted copy 2026-11-03)",
        "Plan (In Konflikt stehende Kopie von Anna 2026-11-03)",
        "Plan (Copie en conflit de Anna 2026-11-03)",
        "Plan (conflicted copy 2026-11-03 101112)",
        "Plan (Conflicted copy laptop 202611031011)",
        "Plan (Case Conflict 1)",
        "Plan.sync-conflict-20261103-101112-ABCDEFG",
        "Plan.Conflict",
    ],
)
def test_a_program_gave_this_name(name: str) -> None:
    found = read_conflict_name(f"notes/{name}.md")
    assert found is not None
    assert found == ("notes/Plan.md", True)


@pytest.mark.parametrize("name", ["Plan 2", "Plan (1)", "Plan(3)"])
def test_a_program_or_a_person_gave_this_name(name: str) -> None:
    assert read_conflict_name(f"{name}.md") == ("Plan.md", False)


@pytest.mark.parametrize(
    "path",
    ["Plan.md", "Conflict.md", "Conflicts of 1914.md", "Plan 2026.md", "a.txt"],
)
def test_a_plain_name_says_nothing(path: str) -> None:
    assert read_conflict_name(path) is None
