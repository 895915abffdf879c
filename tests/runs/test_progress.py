"""What operations tell while they work: every step by its name, each count up to its total."""

from pathlib import Path

from companion.adoption.run import adopt
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
