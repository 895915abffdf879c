"""`export` and `import`: everything to plain files, and back to the very same trees."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.maintenance.exports.export import CannotExport, export
from companion.maintenance.importing import BadExport, CannotImport, import_wiki
from companion.maintenance.remotes import remote as remotes
from companion.operations.decay.run import decay
from companion.reading.entry.show import show_target
from companion.runs.catch_up import catch_up
from companion.storage.git import capture_buffer
from companion.storage.git import setup as gitdir
from companion.storage.git.repo import UnsuitableRepo
from companion.storage.index import schema as index
from companion.values.captures import Sighting
from tests.operations.decay.test_statements import Scene
from tests.wiki import Wiki, check_health, check_index, clock, git

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki with a person's pages, pages of companion's, tellings, private notes and notes no
    night has seen.
    """
    wiki = Wiki.new(
        tmp_path / "wiki",
        {
            "Mine.md": "# Mine\r\n\r\n[[Lake]]\n",
            "sub dir/ä ü.md": "---\nx: 1\n---\n",
        },
    )
    wiki.ingest(
        "At the lake.",
        title="Lake",
        source="Ada",
        event_time="2020-05-01T00:00:00.000000Z",
    )
    wiki.ingest("hush", scope="private", agent="A Bot")
    wiki.consolidate()
    wiki.ingest("At the lake.", title="Lake", source="Bob")
    wiki.ingest("not yet seen \ufeff€\r\n")
    wiki.write("run.sh", "#!/bin/sh\n")
    (wiki.root / "run.sh").chmod(0o755)
    (wiki.root / "link.md").symlink_to("../outside/of it.md")
    wiki.commit()
    return wiki


def out(wiki: Wiki, folder: Path, **options: Any) -> dict[str, Any]:
    wiki.tick()
    return export(wiki.ws, str(folder), **options)


def back(folder: Path, root: Path, like: Wiki) -> Wiki:
    with clock(like.now):
        import_wiki(str(folder), str(root))
    return Wiki(root, like.now)


def fingerprints(wiki: Wiki) -> dict[str, str]:
    assert catch_up(wiki.ws)
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return {table: index.hash_table(db, table) for table in index.DERIVED}


def told(wiki: Wiki) -> dict[str, tuple[Any, list[Sighting]]]:
    journal = wiki.journal()
    return {
        id: (
            journal.capture(id)[0]._replace(content=b""),
            sorted(journal.sightings(id)),
        )
        for id, _, _ in journal.ids()
    }


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_out_and_back_gives_the_same_trees_index_and_journal(
    wiki: Wiki, tmp_path: Path
) -> None:
    done = out(wiki, tmp_path / "out", with_private=True)
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert other.tree == wiki.tree == done["tree"]
    assert capture_buffer.read_trees(other.repo()) == capture_buffer.read_trees(
        wiki.repo()
    )
    assert (
        done["buffer"] == other.git("rev-parse", capture_buffer.BUFFER).strip()
    )
    assert fingerprints(other) == fingerprints(wiki)
    assert told(other) == told(wiki)
    assert other.journal().open_ids() == wiki.journal().open_ids()
    assert other.status() == "", (
        "the work tree and git's index hold what the branch has"
    )
    assert (other.root / "link.md").is_symlink() and os.access(
        other.root / "run.sh", os.X_OK
    )
    check_index(other)
    check_health(other)


def test_out_and_back_keeps_what_became_of_single_notes(
    tmp_path: Path,
) -> None:
    """Notes that moved to another page, lost or are in cold memory are where they were."""
    scene = Scene(tmp_path / "wiki")
    wiki = scene.wiki
    wiki.ingest("Bought bread and milk.", "The boiler knocks.")
    wiki.consolidate()
    day = sorted((wiki.root / "journal").rglob("*.md"))[0].stem
    scene.live(9)
    decay(wiki.ws)
    out(wiki, tmp_path / "out")
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert other.tree == wiki.tree
    assert fingerprints(other) == fingerprints(wiki)
    for page in ("Anna", day):
        shown, kept = (show_target(each.ws, page) for each in (other, wiki))
        assert shown["statements"] == kept["statements"]
        assert shown["mentions"] == kept["mentions"]
        assert shown["statements"] or shown["mentions"]
    states = [
        one["state"] for one in show_target(other.ws, "Anna")["statements"]
    ]
    assert "archived" in states
    check_index(other)
    check_health(other)


def test_the_next_night_does_the_same_in_both(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out", with_private=True)
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    other.now = wiki.now
    assert (
        other.consolidate()["integrated"]
        == wiki.consolidate()["integrated"]
        != []
    )
    assert other.tree == wiki.tree


def test_an_export_is_plain_files(wiki: Wiki, tmp_path: Path) -> None:
    done = out(wiki, tmp_path / "out", with_private=True)
    folder = tmp_path / "out"
    assert (folder / "wiki/Mine.md").read_bytes() == b"# Mine\r\n\r\n[[Lake]]\n"
    assert (
        len(list((folder / "wiki/.companion/ledger").rglob("*.jsonl")))
        == done["counts"]["runs"]
        == 2
    )
    texts = {path.read_bytes() for path in (folder / "captures").rglob("*.txt")}
    assert texts == {b"At the lake.", "not yet seen \ufeff€\r\n".encode()}
    assert {
        path.read_bytes() for path in (folder / "private").rglob("*.txt")
    } == {b"hush"}
    sources = [
        json.loads(path.read_text())["sightings"]
        for path in (folder / "captures").rglob("*.json")
    ]
    assert {s.get("source") for tellings in sources for s in tellings} == {
        "Ada",
        "Bob",
        None,
    }
    assert done["counts"] == {
        "files": 15,
        "pages": 3,
        "runs": 2,
        "captures": 3,
        "tellings": 4,
        "originals": 0,
    }
    assert not [path for path in folder.rglob("*") if path.is_symlink()], (
        "nothing here leads elsewhere"
    )
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["tree"], manifest["buffer"], manifest["format"]) == (
        done["tree"],
        done["buffer"],
        2,
    )


def test_private_notes_stay_unless_asked_for(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    assert not (tmp_path / "out/private").exists()
    assert b"hush" not in b"".join(snapshot(tmp_path / "out").values())
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert other.tree == wiki.tree and set(told(other)) < set(told(wiki))


def test_a_wiki_in_a_folder_of_a_repository_comes_back_at_the_top(
    tmp_path: Path,
) -> None:
    (tmp_path / "repo/vault").mkdir(parents=True)
    git(tmp_path / "repo", "init", "-q", "-b", "main")
    (tmp_path / "repo/code.c").write_text("int x;\n")
    git(tmp_path / "repo", "add", ".")
    git(tmp_path / "repo", "commit", "-qm", "code")
    (tmp_path / "repo/vault/Note.md").write_text("# Note\n")
    wiki = Wiki(tmp_path / "repo/vault")
    wiki.init()
    wiki.adopt()
    out(wiki, tmp_path / "out")
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert other.tree == wiki.git("rev-parse", "HEAD:vault").strip()
    assert not (other.root / "code.c").exists()


def test_a_wiki_without_notes_goes_out_and_back(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    assert out(wiki, tmp_path / "out")["buffer"] is None
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert (
        other.tree == wiki.tree
        and capture_buffer.read_trees(other.repo()) == {}
    )
    assert other.ingest("first")[0]["status"] == "captured"


def test_a_submodule_keeps_its_place(wiki: Wiki, tmp_path: Path) -> None:
    wiki.git("update-index", "--add", "--cacheinfo", f"160000,{wiki.head},sub")
    wiki.git("commit", "-qm", "submodule")
    out(wiki, tmp_path / "out")
    assert back(tmp_path / "out", tmp_path / "new", wiki).tree == wiki.tree


def test_git_settings_of_the_machine_do_not_change_the_trees(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.write(".gitattributes", "*.md filter=x\n")
    wiki.commit()
    out(wiki, tmp_path / "out")
    (tmp_path / "gitconfig").write_text(
        '[core]\n\tautocrlf = true\n[filter "x"]\n\tclean = cat\n\tsmudge = false\n\trequired ='
        " true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert (other.tree, other.status()) == (wiki.tree, "")


def test_two_machines_united_go_out_and_back(
    wiki: Wiki, tmp_path: Path
) -> None:
    """The same words told on two machines on one day: the buffer has two files beside each other
    for them.
    """
    git(tmp_path, "init", "-q", "--bare", "hub.git")
    remotes.add(wiki.ws, "hub", str(tmp_path / "hub.git"))
    other = wiki.copy(tmp_path / "other")
    for source, machine in (("a", wiki), ("b", other)):
        machine.ingest("the same words", source=source)
    for machine in (wiki, other, wiki):
        remotes.sync(machine.ws)
    out(wiki, tmp_path / "out", with_private=True)
    new = back(tmp_path / "out", tmp_path / "new", wiki)
    assert capture_buffer.read_trees(new.repo()) == capture_buffer.read_trees(
        wiki.repo()
    )
    assert {id: tellings for id, (_, tellings) in told(new).items()} == {
        id: tellings for id, (_, tellings) in told(wiki).items()
    }


# -- nothing is written over -----------------------------------------------------------------------


def test_nothing_is_exported_over_anything(wiki: Wiki, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for folder in (
        tmp_path / "full",
        tmp_path / "file",
        wiki.root / "inside",
        wiki.root,
        wiki.root / ".git/x",
    ):
        before = snapshot(tmp_path)
        with pytest.raises(CannotExport) as refused:
            out(wiki, folder)
        assert refused.value.exit_code == 2 and refused.value.hint
        after = snapshot(tmp_path)
        assert {p: d for p, d in after.items() if ".git/" not in p} == {
            p: d for p, d in before.items() if ".git/" not in p
        }
    (tmp_path / "empty").mkdir()
    out(wiki, tmp_path / "empty")


def test_nothing_is_imported_over_anything(wiki: Wiki, tmp_path: Path) -> None:
    out(wiki, tmp_path / "out")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/mine.md").write_text("mine")
    Wiki.new(tmp_path / "second")
    git(tmp_path, "init", "-q", "history")
    git(tmp_path / "history", "commit", "-q", "--allow-empty", "-m", "x")
    for folder, words in (
        ("notes", "not empty"),
        ("second", "runs already"),
        ("history", "history"),
        ("wiki", "runs"),
    ):
        before = snapshot(tmp_path / folder)
        with pytest.raises(CannotImport, match=words) as refused:
            back(tmp_path / "out", tmp_path / folder, wiki)
        assert refused.value.exit_code == 2 and refused.value.hint
        assert snapshot(tmp_path / folder) == before
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    with pytest.raises(UnsuitableRepo):
        back(tmp_path / "out", tmp_path / "bare.git", wiki)


def test_a_repository_without_a_commit_takes_an_import(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    git(tmp_path, "init", "-q", "-b", "trunk", "new")
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert (other.tree, other.git("branch", "--show-current").strip()) == (
        wiki.tree,
        "trunk",
    )


def test_notes_that_wait_in_a_repository_are_not_mixed_with_others(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    other = Wiki.new(tmp_path / "new")
    other.ingest("mine")
    other.git("update-ref", "-d", "refs/heads/main")
    for path in other.root.iterdir():
        if path.name != ".git":
            shutil.rmtree(path)
    with pytest.raises(CannotImport, match="captures of its own"):
        back(tmp_path / "out", other.root, wiki)


@pytest.mark.parametrize(
    "fault",
    [
        "pack.close:staged",
        "pack.index:placed",
        "buffer.refs:before",
        "buffer.refs:placed",
        "fold.commit:before",
    ],
)
def test_a_killed_import_is_finished_by_the_same_command_or_the_next(
    wiki: Wiki, tmp_path: Path, fault: str
) -> None:
    out(wiki, tmp_path / "out", with_private=True)
    new, command = (
        tmp_path / "new",
        [sys.executable, "-m", "companion", "-C", str(tmp_path / "new")],
    )
    env = {**os.environ, "COMPANION_FAULT": f"{fault}:kill"}
    assert (
        subprocess.run(
            [*command, "import", str(tmp_path / "out")], env=env, cwd=ROOT
        ).returncode
        == -9
    )
    finish = (
        ["status"]
        if fault.startswith("fold")
        else ["import", str(tmp_path / "out")]
    )
    assert (
        subprocess.run(
            [*command, *finish], stdout=subprocess.DEVNULL, cwd=ROOT
        ).returncode
        == 0
    )
    other = Wiki(new, wiki.now)
    assert other.tree == wiki.tree
    assert told(other) == told(wiki)
    check_index(other)
    check_health(other)


@pytest.mark.parametrize("cut", [0.0, 0.5, 1.0])
def test_an_import_that_lost_its_power_is_finished_by_the_same_command(
    wiki: Wiki, tmp_path: Path, cut: float
) -> None:
    """Pages were there, whole or cut short, but no branch: every further import was refused."""
    out(wiki, tmp_path / "out")
    new = tmp_path / "new"
    command = [
        sys.executable,
        "-m",
        "companion",
        "-C",
        str(new),
        "import",
        str(tmp_path / "out"),
    ]
    env = {**os.environ, "COMPANION_FAULT": "sync.tree@2:before:kill"}
    assert subprocess.run(command, env=env, cwd=ROOT).returncode == -9
    page = next(
        path
        for path in sorted(new.rglob("*.md"))
        if path.is_file() and not path.is_symlink()
    )
    page.write_bytes(page.read_bytes()[: int(page.stat().st_size * cut)])

    assert (
        subprocess.run(command, stdout=subprocess.DEVNULL, cwd=ROOT).returncode
        == 0
    )

    assert Wiki(new, wiki.now).tree == wiki.tree


def test_a_page_that_is_not_the_exports_stops_a_second_import(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    gitdir.create(str(tmp_path / "new"))
    (tmp_path / "new" / "mine.md").write_text("mine")
    with pytest.raises(CannotImport, match="not empty"):
        back(tmp_path / "out", tmp_path / "new", wiki)
    assert (tmp_path / "new" / "mine.md").read_text() == "mine"


# -- damage ----------------------------------------------------------------------------------------


def test_every_damaged_file_is_named_and_nothing_is_made(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out", with_private=True)
    for name in sorted(snapshot(tmp_path / "out")):
        for damage in ("flip", "lose"):
            copy = tmp_path / "copy"
            shutil.copytree(tmp_path / "out", copy)
            if damage == "lose":
                (copy / name).unlink()
            else:
                data = bytearray((copy / name).read_bytes())
                data[len(data) // 2] ^= 1
                (copy / name).write_bytes(data)
            if (name, damage) != ("manifest.json", "flip"):
                with pytest.raises(BadExport) as refused:
                    back(copy, tmp_path / "new", wiki)
                assert name in str(refused.value) or name in (
                    "files.jsonl",
                    "manifest.json",
                )
                assert not (tmp_path / "new").exists()
            shutil.rmtree(copy)


def test_what_somebody_laid_beside_the_files_is_passed_over(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    (tmp_path / "out/wiki/.DS_Store").write_bytes(b"\0")
    other = back(tmp_path / "out", tmp_path / "new", wiki)
    assert other.tree == wiki.tree and not (other.root / ".DS_Store").exists()


@pytest.mark.parametrize(
    "line",
    [
        {"path": "wiki/../../evil.md", "mode": "100644"},
        {"path": "/etc/evil", "mode": "100644"},
        {"path": "wiki/.git/config", "mode": "100644"},
        {"path": "elsewhere/x", "mode": "100644"},
        {"path": "wiki/x", "mode": "040000"},
        {"path": "private/a\nupdate refs/heads/main/x", "mode": "100644"},
        {"path": "wiki/x"},
        [],
    ],
)
def test_a_listing_that_leads_elsewhere_is_refused(
    wiki: Wiki, tmp_path: Path, line: Any
) -> None:
    out(wiki, tmp_path / "out")
    with (tmp_path / "out/files.jsonl").open("a") as file:
        file.write(
            json.dumps(
                line | {"blob": "0" * 40} if isinstance(line, dict) else line
            )
            + "\n"
        )
    with pytest.raises(Exception) as refused:
        back(tmp_path / "out", tmp_path / "new", wiki)
    assert getattr(refused.value, "exit_code", None) == 65
    assert not (tmp_path / "new").exists()


def test_an_export_of_a_newer_companion_says_so(
    wiki: Wiki, tmp_path: Path
) -> None:
    out(wiki, tmp_path / "out")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    (tmp_path / "out/manifest.json").write_text(
        json.dumps(manifest | {"format": 3})
    )
    with pytest.raises(BadExport, match="newer"):
        back(tmp_path / "out", tmp_path / "new", wiki)


def test_half_an_export_is_none(wiki: Wiki, tmp_path: Path) -> None:
    from companion.storage.files import arm_faults, durable

    disarm = arm_faults.arm("sync.tree:before:enospc")
    with pytest.raises(durable.StorageError):
        out(wiki, tmp_path / "out")
    disarm()
    with pytest.raises(BadExport, match=r"manifest\.json is missing"):
        back(tmp_path / "out", tmp_path / "new", wiki)
