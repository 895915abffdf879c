"""Vaults: titles without ids, the day of a journal, and no folder taken for what it is not."""

import pytest

from companion.operations.triage.readers import read_path
from companion.sources.vaults import describe_vault_note, detect_vault
from companion.values.captures import Draft

ID = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ([".obsidian/app.json", "Home.md"], "obsidian"),
        (["logseq/config.edn", "pages/a.md"], "logseq"),
        (["journals/2024_01_02.md", "pages/contents.md"], "logseq"),
        ([f"Home {ID}.md", f"Home {ID}/Tasks {ID}.csv"], "notion"),
        ([".zk/config.toml", "x4f2-tea.md"], "zk"),
        (["a.md", "b.md", f"c {ID}.md"], ""),
        (["pages/a.md"], ""),
        ([], ""),
    ],
)
def test_a_vault_is_known_by_the_files_that_its_program_writes(names, kind):
    assert detect_vault(names) == kind


@pytest.mark.parametrize(
    ("kind", "path", "text", "title", "day"),
    [
        ("obsidian", "Home.md", "words", "Home", None),
        (
            "obsidian",
            "Daily/2024-03-05.md",
            "- tea",
            "2024-03-05",
            "2024-03-05T00:00",
        ),
        (
            "obsidian",
            "2024-03-05 Tuesday.md",
            "x",
            "2024-03-05 Tuesday",
            "2024-03-05T00:00",
        ),
        ("obsidian", "2024-13-05.md", "x", "2024-13-05", None),
        ("obsidian", "12345678901.md", "x", "12345678901", None),
        (
            "logseq",
            "journals/2024_01_02.md",
            "- tea",
            "2024-01-02",
            "2024-01-02T00:00",
        ),
        ("logseq", "pages/work___plan.md", "- x", "work/plan", None),
        ("logseq", "pages/a%3Ab.md", "- x", "a:b", None),
        ("logseq", "pages/x.md", "title:: Real name\n\n- x", "Real name", None),
        ("notion", f"Home {ID}.md", "words", "Home", None),
        (
            "notion",
            f"A long name cut o {ID}.md",
            "# A long name cut off\n\nCreated: March 5, 2024 10:12 AM\nTags: x\n\nwords",
            "A long name cut off",
            "2024-03-05T00:00",
        ),
        (
            "notion",
            f"P {ID}.md",
            "# P\n\nwords\n\nCreated: March 5, 2024",
            "P",
            None,
        ),
        ("zk", "x4f2-green-tea.md", "words", "green tea", None),
        ("zk", "x4f2-green-tea.md", "# Green tea\n\nwords", "Green tea", None),
        ("zk", "x4f2.md", "words", "x4f2", None),
        ("zk", "202401021530-tea.md", "x", "tea", "2024-01-02T15:30"),
        (
            "zk",
            "20240102 Tea with Mo.md",
            "x",
            "Tea with Mo",
            "2024-01-02T00:00",
        ),
        ("zk", "song-of-tea.md", "x", "song of tea", None),
        ("", "notes/a.md", "---\ntitle: Tea\n---\nx", "Tea", None),
    ],
)
def test_a_note_is_called_without_ids_and_dated_by_its_day(
    kind, path, text, title, day
):
    note = describe_vault_note(path.split("/"), text, kind)

    assert note.title == title
    assert (note.event_time or "")[:16] == (day or "")
    assert note.source == path


def _ingest(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / "vault" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = read_path(str(tmp_path / "vault"))
    return {
        d.source: (d.title, d.event_time, d.text)
        for d in found
        if isinstance(d, Draft)
    }


def test_the_door_calls_notes_as_their_vault_does_and_changes_no_text(tmp_path):
    notes = _ingest(
        tmp_path,
        {
            "logseq/config.edn": "{}",
            "journals/2024_01_02.md": "- The boiler was mended.",
            "pages/work___plan.md": "- Ship on Friday.",
            "pages/named.md": "# Own name\n\ntext",
        },
    )

    assert notes["vault/journals/2024_01_02.md"] == (
        "2024-01-02",
        "2024-01-02T00:00:00.000000Z",
        "- The boiler was mended.",
    )
    assert notes["vault/pages/work___plan.md"] == (
        "work/plan",
        None,
        "- Ship on Friday.",
    )
    assert notes["vault/pages/named.md"][0] is None


def test_the_same_files_in_a_folder_that_is_no_vault_keep_their_names(tmp_path):
    notes = _ingest(
        tmp_path,
        {"2024-01-02.md": "- words", f"Home {ID}.txt": "x", "a.md": "y"},
    )

    assert notes["vault/2024-01-02.md"] == ("2024-01-02", None, "- words")
    assert notes[f"vault/Home {ID}.txt"][0] == f"Home {ID}"


def test_what_the_person_tells_wins_over_the_vault(tmp_path):
    note = tmp_path / "v" / "2024-01-02.md"
    (tmp_path / "v" / ".obsidian").mkdir(parents=True)
    note.write_text("words", encoding="utf-8")
    told = Draft(
        "",
        channel="file",
        title="Told",
        event_time="2020-01-01T00:00:00.000000Z",
    )

    (draft,) = [
        d
        for d in read_path(str(tmp_path / "v"), defaults=told)
        if isinstance(d, Draft)
    ]
    (plain,) = [
        d for d in read_path(str(tmp_path / "v")) if isinstance(d, Draft)
    ]

    assert (draft.title, draft.event_time) == (
        "Told",
        "2020-01-01T00:00:00.000000Z",
    )
    assert plain.event_time == "2024-01-02T00:00:00.000000Z"


def test_a_vault_within_a_folder_is_one_and_what_lies_beside_it_is_not(
    tmp_path,
):
    notes = _ingest(
        tmp_path,
        {
            "old/graph/logseq/config.edn": "{}",
            "old/graph/journals/2024_01_02.md": "- words",
            "old/graph/pages/deep/a___b.md": "- more",
            "old/2024_01_02.md": "- other words",
        },
    )

    titles = {source: note[:2] for source, note in notes.items()}
    assert titles == {
        "vault/old/graph/journals/2024_01_02.md": (
            "2024-01-02",
            "2024-01-02T00:00:00.000000Z",
        ),
        "vault/old/graph/pages/deep/a___b.md": ("a/b", None),
        "vault/old/2024_01_02.md": ("2024_01_02", None),
    }


def test_a_folder_named_with_a_slash_at_its_end_is_the_same_vault(tmp_path):
    folder = tmp_path / "v"
    (folder / "journals").mkdir(parents=True)
    (folder / "pages").mkdir()
    (folder / "journals" / "2024_01_02.md").write_text(
        "- words", encoding="utf-8"
    )

    (draft,) = [d for d in read_path(f"{folder}/") if isinstance(d, Draft)]

    assert draft.title == "2024-01-02"
