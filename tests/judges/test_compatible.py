"""What a swap says of notes that wait by the former judge's answers."""

from types import SimpleNamespace
from typing import Any

import pytest

from companion.judges import compatible
from companion.judges.configured import Judges
from companion.language.protocols import ModelUnavailable
from companion.storage.index import schema


class Missing:
    @property
    def identity(self) -> str:
        raise ModelUnavailable("it is gone")


def by(identity: str) -> Any:
    return SimpleNamespace(relater=SimpleNamespace(identity=identity))


@pytest.fixture(autouse=True)
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatible, "list_quarantined", lambda db: ["a"])
    monkeypatch.setattr(compatible.minority, "list_members", lambda db: ["b"])


def compare(former: Judges, now: Judges) -> str:
    return " ".join(
        compatible.compare_judges(schema.open_in_memory(), former, now)
    )


def test_the_same_judge_is_compatible_with_itself() -> None:
    assert compare(by("light-1"), by("light-1")) == ""


def test_another_version_is_not() -> None:
    said = compare(by("light-1"), by("light-2"))
    assert said.startswith("light-2 is not compatible with light-1")
    assert "(2 notes)" in said and "consolidate --again" in said


def test_a_former_judge_that_is_gone_stops_no_swap() -> None:
    gone: Any = SimpleNamespace(relater=Missing())
    assert "not there any more" in compare(gone, by("light-1"))


def test_nothing_is_said_where_nothing_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compatible, "list_quarantined", lambda db: [])
    monkeypatch.setattr(compatible.minority, "list_members", lambda db: [])
    assert compare(by("light-1"), by("light-2")) == ""
