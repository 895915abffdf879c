"""`examine`: what the finders say of other programs' stores, with no byte of them changed."""

import json
from pathlib import Path

import pytest

from companion.maintenance import examine as examining
from companion.maintenance.examine import NothingToExamine, examine
from companion.operations.triage.arguments import NoSuchFile
from tests.sources import samples

STORES = Path(samples.__file__).parent / "exports"
TOLD = (
    ("2026-01-05", "The sprint review is on Thursday at 3 pm."),
    ("2026-03-05", "The sprint review is on Wednesday at 10 am."),
    ("2026-04-06", "Bruno is allergic to peanuts."),
    ("2026-05-06", "Bruno is not allergic to peanuts."),
    ("2026-05-07", "Bruno is allergic to peanuts!"),
    ("2026-05-09", "The tram to the lake leaves from platform 2."),
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """An export of mem0 with a contradiction, a replaced value and a repeated note."""
    items = [
        {
            "id": f"m-{n}",
            "memory": text,
            "hash": str(n),
            "metadata": None,
            "created_at": f"{day}T09:00:00Z",
            "updated_at": None,
            "user_id": "ada",
        }
        for n, (day, text) in enumerate(TOLD)
    ]
    path = tmp_path / "get_all.json"
    path.write_text(json.dumps({"results": items, "relations": []}))
    return path


def test_it_tells_what_contradicts_was_replaced_and_is_said_twice(
    memory: Path,
) -> None:
    done = examine([str(memory)])

    found = {
        (pair["kind"], pair["note"]["text"], pair["other"]["text"])
        for pair in done["pairs"]
    }
    texts = [text for _, text in TOLD]
    assert ("replaces", texts[1], texts[0]) in found
    assert ("contradicts", texts[3], texts[2]) in found
    assert ("repeats", texts[4], texts[2]) in found
    told = {pair["note"]["told"] for pair in done["pairs"]}
    assert "2026-03-05T09:00:00.000000Z" in told
    about_tram = [pair for pair in found if texts[5] in pair]
    assert not about_tram and done["counts"]["notes"] == len(TOLD)


@pytest.mark.parametrize("store", ["mem0", "mempalace", "basic_memory"])
def test_no_byte_of_a_store_changes_and_no_wiki_stays(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = STORES / store
    before = {path: path.read_bytes() for path in sorted(folder.iterdir())}
    monkeypatch.setattr(examining.tempfile, "tempdir", str(tmp_path))

    done = examine([str(folder)])

    assert done["counts"]["notes"]
    assert {path: path.read_bytes() for path in sorted(folder.iterdir())} == (
        before
    )
    assert list(tmp_path.iterdir()) == []


def test_what_holds_no_notes_or_is_not_there_is_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToExamine):
        examine([str(tmp_path / "empty")])
    with pytest.raises(NoSuchFile):
        examine([str(tmp_path / "gone")])
