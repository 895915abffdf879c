"""What operations tell while they work: every step by its name, each count up to its total."""

from pathlib import Path

from companion.adoption.run import adopt
from companion.adoption.undo import undo
from companion.maintenance.doctor.run import doctor
from companion.maintenance.erase.run import erase
from companion.maintenance.exports.export import export
from companion.maintenance.importing import import_wiki
from companion.maintenance.init import rebuild
from companion.maintenance.remotes.remote import add, sync
from companion.maintenance.rename import rename_to_titles
from companion.operations.audit.run import audit
from companion.operations.audit.settle import settle
from companion.operations.consolidate.run import consolidate
from companion.operations.decay.run import decay
from tests.wiki import Wiki


class Heard:
    """Keeps the steps that were told, each with its count."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.counts: dict[str, int] = {}
        self.totals: dict[str, int] = {}

    def begin(self, step: str, total: int | None = None) -> None:
        self.steps.append(step)
        if total is not None:
            self.totals[step] = self.totals.get(step, 0) + total

    def __call__(self, done: int, /) -> None:
        step = self.steps[-1]
        self.counts[step] = self.counts.get(step, 0) + done

    def check(self) -> None:
        """Every step that has a total was told all of it."""
        counted = {step: total for step, total in self.totals.items() if total}
        assert {step: self.counts.get(step, 0) for step in counted} == counted


def test_a_night_tells_its_steps_and_counts_every_note(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(*(f"# Door {n}\n\nThe door {n} is open." for n in range(5)))
    wiki.tick()
    consolidate(wiki.ws)
    wiki.tick()
    wiki.ingest(*(f"# Door {n}\n\nThe door {n} is shut." for n in range(5)))
    heard = Heard()
    wiki.tick()
    consolidate(wiki.ws, progress=heard)

    assert heard.counts["reading notes"] == 5
    assert heard.counts["pairing notes with pages"] == 5
    assert heard.totals["comparing notes with pages"] >= 5
    assert heard.steps.index("reading notes") < heard.steps.index(
        "comparing notes with pages"
    )
    assert heard.steps.index("drafting pages") < heard.steps.index(
        "writing the record"
    )
    heard.check()


def test_every_operation_tells_what_it_does(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "See [[b]].", "b.md": "B."})
    for operation, step in (
        (adopt, "looking for your changes"),
        (decay, "weighing pages"),
        (audit, "auditing pages"),
        (settle, "settling audits"),
    ):
        heard = Heard()
        wiki.tick()
        operation(wiki.ws, progress=heard)  # type: ignore[operator]

        assert step in heard.steps
        heard.check()


def test_an_audit_counts_each_page_once(tmp_path: Path) -> None:
    files = {f"{n}.md": "See [[base]]." for n in range(4)}
    wiki = Wiki.new(tmp_path / "wiki", {**files, "base.md": "Base."})
    heard = Heard()
    wiki.tick()
    done = audit(wiki.ws, progress=heard, dry_run=True)

    assert len(done["audited"]) == heard.counts["auditing pages"] > 1


def test_an_undo_counts_the_pages_that_it_reads(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    done = consolidate(wiki.ws)
    heard = Heard()
    wiki.tick()
    undo(wiki.ws, str(done["run"]), progress=heard)

    assert heard.counts["reading changed pages"] == 4
    assert "writing the pages" in heard.steps
    heard.check()


def test_renames_are_counted(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    consolidate(wiki.ws)
    for path in sorted(wiki.root.rglob("Door *.md")):
        path.rename(path.with_name(path.name.lower().replace(" ", "-")))
    wiki.tick()
    adopt(wiki.ws)
    heard = Heard()
    wiki.tick()
    done = rename_to_titles(wiki.ws, progress=heard)

    assert heard.counts["renaming pages"] == len(done["renamed"]) == 4
    assert "looking at the names of pages" in heard.steps
    heard.check()


def test_the_doctor_says_which_examination_of_how_many(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    consolidate(wiki.ws)
    heard = Heard()
    doctor(wiki.ws, progress=heard)

    assert "checking log (1 of 14)" in heard.steps
    assert "checking warnings (14 of 14)" in heard.steps
    assert heard.counts["checking notes"] == 4
    assert heard.counts["reading pages"] >= 4
    heard.check()


def test_an_erasure_counts_the_objects_that_it_reads(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    consolidate(wiki.ws)
    seen = erase(wiki.ws, ["The door 3 is open"], progress=(heard := Heard()))
    assert heard.counts["looking for the words"] > 4
    heard.check()

    heard = Heard()
    erase(
        wiki.ws, ["The door 3 is open"], confirm=seen["confirm"], progress=heard
    )

    assert heard.counts["rewriting history"] > 4
    assert heard.counts["reading everything again"] > 4
    heard.check()


def test_an_export_and_its_import_count_every_file(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    consolidate(wiki.ws)
    heard = Heard()
    export(wiki.ws, str(tmp_path / "out"), progress=heard)
    files = heard.counts["exporting files"]
    assert files > 4
    heard.check()

    heard = Heard()
    import_wiki(str(tmp_path / "out"), str(tmp_path / "new"), progress=heard)

    assert heard.counts["checking the export"] == files
    assert heard.counts["importing files"] == files
    heard.check()


def test_a_rebuild_counts_pages_and_weighs_them(tmp_path: Path) -> None:
    wiki = _make_wiki(tmp_path)
    consolidate(wiki.ws)
    heard = Heard()
    rebuild(wiki.ws, progress=heard)

    assert heard.counts["reading pages"] >= 4
    assert "weighing pages" in heard.steps
    heard.check()


def test_a_sync_tells_each_of_its_steps(tmp_path: Path) -> None:
    there = tmp_path / "there"
    wiki = _make_wiki(tmp_path)
    other = Wiki.new(tmp_path / "other")
    wiki.git("init", "--quiet", "--bare", str(there))
    for each in (wiki, other):
        add(each.ws, "there", str(there))
    sync(wiki.ws)
    heard = Heard()
    sync(other.ws, progress=heard)

    assert heard.counts["reading the notes of each day"] == 1
    for step in ("asking there", "fetching from there"):
        assert step in heard.steps
    heard.check()


def _make_wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(*(f"# Door {n}\n\nThe door {n} is open." for n in range(4)))
    wiki.tick()
    return wiki
