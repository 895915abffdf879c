"""The law: whatever a person and their git do to the branch, index.db = f(tree), and no capture is
ever gone.
"""

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from companion.adoption import undo
from companion.lookup.search import search_wiki
from companion.reading.log import list_runs
from companion.storage import ledger_file
from companion.storage.git import capture_buffer
from companion.storage.index import schema as index
from companion.values.time import format_instant
from tests.wiki import Wiki, check_captures, check_index, git, person

# A few names and texts only: collisions are what the fold has to get right.
PATHS = (
    "Alpha.md",
    "alpha.md",
    "Untitled.md",
    "sub/Alpha.md",
    "sub/beta.md",
    "templates/t.md",
    "AGENTS.md",
)
TITLES = ("Alpha", "beta", "Gamma ray", None)
BODIES = (
    "",
    "one\n",
    "two [[Alpha]]\n",
    "# Beta\n\n[[Gamma ray]] and [x](Alpha.md)\n",
    "a\r\nb\r\n",
    "longer\n" * 9,
)
FRONTS = (
    "",
    "---\ntitle: Alpha\naliases: [beta]\n---\n",
    "---\ncompanion: managed\n---\n",
    "---\nbroken: [\n---\n",
)

picks = st.integers(min_value=0, max_value=10_000)


class History(RuleBasedStateMachine):
    """Two clones of one wiki, their owner's git, and companion's nights."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="history-"))
        self.acknowledged: dict[str, dict[str, bytes]] = {"one": {}, "two": {}}
        self.wikis: dict[str, Wiki] = {}
        self.at = "one"

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @property
    def wiki(self) -> Wiki:
        return self.wikis[self.at]

    def pages(self) -> list[str]:
        return sorted(
            p
            for p in self.wiki.files()
            if p.endswith(".md") and (self.wiki.root / p).is_file()
        )

    def page(self, pick: int) -> str | None:
        found = self.pages()
        return found[pick % len(found)] if found else None

    @initialize(body=st.sampled_from(BODIES))
    def begin(self, body: str) -> None:
        self.folder.joinpath("one").mkdir()
        git(self.folder / "one", "init", "-q", "-b", "main")
        person(self.folder / "one")
        self.wikis["one"] = Wiki.new(self.folder / "one", {"Alpha.md": body})

    # -- companion ---------------------------------------------------------------------------------

    @rule(
        text=st.sampled_from([b for b in BODIES if b]),
        title=st.sampled_from(TITLES),
        again=picks,
    )
    def ingest(self, text: str, title: str | None, again: int) -> None:
        text = f"{text}{again % 2}"
        for done in self.wiki.ingest(text, title=title):
            self.acknowledged[self.at][done["id"]] = text.encode()

    @rule()
    def consolidate(self) -> None:
        before, reverted = (
            self.wiki.commits(),
            self.wiki.git(
                "rev-list", "--count", "--grep=^undo: git revert", "HEAD"
            ),
        )
        done = self.wiki.consolidate()
        recorded = int(
            self.wiki.git(
                "rev-list", "--count", "--grep=^undo: git revert", "HEAD"
            )
        ) - int(reverted)
        assert (
            self.wiki.commits()
            == before + (done["commit"] is not None) + recorded
        )
        again = self.wiki.consolidate()
        assert (again["run"], again["commit"]) == (None, None), again

    @rule()
    def adopt(self) -> None:
        self.wiki.adopt()
        assert self.wiki.adopt()["commit"] is None

    @rule(pick=picks)
    def undo(self, pick: int) -> None:
        runs = list_runs(self.wiki.ws, limit=1000)["runs"]
        self.wiki.tick()
        if runs:
            try:
                undo.undo(self.wiki.ws, runs[pick % len(runs)]["run"])
            except (undo.NoSuchRun, undo.NothingToUndo):
                return

    @rule()
    def forget_the_journal(self) -> None:
        """Once its captures are in git: what is loose is here only."""
        capture_buffer.anchor(self.wiki.journal(), self.wiki.repo())
        before = sorted(self.wiki.journal().ids())
        for path in Path(self.wiki.ws.place.state).glob("journal.db*"):
            path.unlink()
        assert sorted(self.wiki.journal().ids()) == before

    @rule()
    def forget_the_index(self) -> None:
        index.remove_database(self.wiki.ws.place.index_db)

    # -- the person --------------------------------------------------------------------------------

    @rule(
        path=st.sampled_from(PATHS),
        front=st.sampled_from(FRONTS),
        body=st.sampled_from(BODIES),
        kept=st.booleans(),
    )
    def write(self, path: str, front: str, body: str, kept: bool) -> None:
        self.wiki.write(path, front + body)
        if kept:
            self.wiki.commit()

    @rule(pick=picks, body=st.sampled_from(BODIES), kept=st.booleans())
    def edit(self, pick: int, body: str, kept: bool) -> None:
        if path := self.page(pick):
            self.wiki.write(path, self.wiki.read(path) + body)
            if kept:
                self.wiki.commit()

    @rule(pick=picks, to=st.sampled_from(PATHS), edited=st.booleans())
    def rename(self, pick: int, to: str, edited: bool) -> None:
        path = self.page(pick)
        if path and path != to:
            (self.wiki.root / to).parent.mkdir(exist_ok=True)
            (self.wiki.root / path).rename(self.wiki.root / to)
            if edited:
                self.wiki.write(to, self.wiki.read(to) + "moved\n")
            self.wiki.commit()

    @rule(pick=picks, kept=st.booleans())
    def delete(self, pick: int, kept: bool) -> None:
        if path := self.page(pick):
            (self.wiki.root / path).unlink()
            if kept:
                self.wiki.commit()

    @rule(pick=picks)
    def restore(self, pick: int) -> None:
        gone = sorted(
            set(
                self.wiki.git(
                    "log",
                    "--diff-filter=D",
                    "--name-only",
                    "--format=",
                    "--",
                    "*.md",
                ).split("\n")
            )
        )
        gone = [
            path for path in gone if path and not path.startswith((".", '"'))
        ]
        if gone:
            path = gone[pick % len(gone)]
            last = self.wiki.git(
                "log", "-n1", "--format=%H", "--diff-filter=D", "--", path
            ).strip()
            if last:
                self.wiki.git(
                    "checkout", "-q", f"{last}^", "--", path, check=False
                )
                self.wiki.commit()

    @rule(pick=picks, to=st.sampled_from(PATHS))
    def duplicate(self, pick: int, to: str) -> None:
        path = self.page(pick)
        if path and path != to:
            self.wiki.write(to, self.wiki.read(path))
            self.wiki.commit()

    @rule(pick=picks)
    def strip_frontmatter(self, pick: int) -> None:
        path = self.page(pick)
        if path and self.wiki.read(path).startswith("---\n"):
            self.wiki.write(path, self.wiki.read(path).split("---\n", 2)[-1])
            self.wiki.commit()

    @rule(
        exclude=st.sampled_from(
            ("[]", "[Alpha.md]", '["sub/**"]', '["entries/**"]')
        )
    )
    def configure(self, exclude: str) -> None:
        self.wiki.write(".companion/companion.yaml", f"exclude: {exclude}\n")
        self.wiki.commit()

    # -- their git ---------------------------------------------------------------------------------

    @precondition(lambda self: "two" not in self.wikis)
    @rule()
    def clone(self) -> None:
        self.wikis["two"] = self.wikis["one"].clone(self.folder / "two")

    @precondition(lambda self: "two" in self.wikis)
    @rule()
    def switch(self) -> None:
        now = self.wiki.now
        self.at = "two" if self.at == "one" else "one"
        self.wiki.now = max(now, self.wiki.now)

    @precondition(lambda self: "two" in self.wikis)
    @rule(
        side=st.sampled_from(("ours", "theirs")),
        how=st.sampled_from(("merge", "rebase")),
    )
    def pull(self, side: str, how: str) -> None:
        other = self.wikis["two" if self.at == "one" else "one"]
        self.wiki.now = max(other.now, self.wiki.now)
        self.wiki.commit("before the pull")
        self.wiki.git("fetch", "-q", str(other.root), "main")
        self.wiki.git(how, "-q", "-X", side, "FETCH_HEAD", check=False)
        if how == "rebase":
            self.settle_rebase()
        elif self.wiki.git(
            "rev-parse", "-q", "--verify", "MERGE_HEAD", check=False
        ):
            self.wiki.git("checkout", "-q", f"--{side}", "--", ".", check=False)
            self.wiki.commit("merged by hand")

    @precondition(lambda self: "two" in self.wikis)
    @rule(
        pick=picks,
        side=st.sampled_from(("ours", "theirs")),
        whole=st.booleans(),
    )
    def take_over(self, pick: int, side: str, whole: bool) -> None:
        """Pick one commit of the other clone, or squash all it has into one."""
        other = self.wikis["two" if self.at == "one" else "one"]
        self.wiki.now = max(other.now, self.wiki.now)
        self.wiki.commit("before the pick")
        self.wiki.git("fetch", "-q", str(other.root), "main")
        commits = self.wiki.git(
            "rev-list", "--no-merges", "HEAD..FETCH_HEAD"
        ).split()
        if whole:
            self.wiki.git(
                "merge", "-q", "--squash", "-X", side, "FETCH_HEAD", check=False
            )
        elif commits:
            self.wiki.git(
                "cherry-pick",
                "-n",
                "-X",
                side,
                commits[pick % len(commits)],
                check=False,
            )
        if self.wiki.git("diff", "--name-only", "--diff-filter=U"):
            self.wiki.git("reset", "-q", "--hard")
        self.wiki.commit("taken over")

    @rule(
        path=st.sampled_from(PATHS),
        body=st.sampled_from(BODIES),
        back=st.integers(0, 1),
        apart=st.booleans(),
    )
    def side_branch(self, path: str, body: str, back: int, apart: bool) -> None:
        """Commit on another branch, here or in a work tree of its own, and merge it."""
        self.wiki.commit("before the branch")
        base = f"HEAD~{back}"
        if not self.wiki.git(
            "cat-file", "-t", f"{base}:.companion/companion.yaml", check=False
        ):
            return
        root = self.folder / "apart" if apart else self.wiki.root
        self.wiki.git(
            *(
                ("worktree", "add", "-q", "-b", "side", str(root))
                if apart
                else ("switch", "-qc", "side")
            ),
            base,
        )
        side = Wiki(root, self.wiki.now)
        side.write(
            path, side.read(path) + body if (root / path).is_file() else body
        )
        side.commit("on the side")
        search_wiki(side.ws, "two")
        self.wiki.now = side.now
        if apart:
            self.wiki.git("worktree", "remove", "--force", str(root))
        else:
            self.wiki.git("switch", "-q", "main")
        self.wiki.git(
            "merge", "-q", "-X", "theirs", "-m", "side", "side", check=False
        )
        if self.wiki.git(
            "rev-parse", "-q", "--verify", "MERGE_HEAD", check=False
        ):
            self.wiki.git("merge", "--abort")
        self.wiki.git("branch", "-q", "-D", "side")

    @rule(
        pick=picks,
        hours=st.integers(-48, 48),
        entry=st.sampled_from(("nobody", "")),
    )
    def foreign_ledger_file(self, pick: int, hours: int, entry: str) -> None:
        """A file of the right form that no companion wrote: it claims a capture, and knows no
        page.
        """
        ids = [*sorted(self.acknowledged[self.at]), "0" * 64]
        line: dict[str, Any] = {
            "e": "consumed",
            "capture": ids[pick % len(ids)],
            "outcome": "consolidated",
            "entry": entry,
        }
        now = format_instant(self.wiki.now + timedelta(hours=hours))
        run = ledger_file.make_run(
            "consolidate",
            now,
            {"pick": pick, "entry": entry},
            [{**line, "sightings": [], "reason": "none"}],
        )
        self.wiki.write(run.path, ledger_file.encode(run))
        self.wiki.write(
            ".companion/ledger/notes.txt", "what a file manager left\n"
        )
        self.wiki.commit("by nobody")

    def settle_rebase(self) -> None:
        if "rebase" in self.wiki.git("status"):
            self.wiki.git("rebase", "--abort", check=False)

    @rule(back=st.integers(1, 3))
    def reset(self, back: int) -> None:
        if self.wiki.git(
            "rev-parse", "-q", "--verify", f"HEAD~{back}", check=False
        ):
            before = self.wiki.git(
                "cat-file",
                "-t",
                f"HEAD~{back}:.companion/companion.yaml",
                check=False,
            )
            if before:
                self.wiki.git("reset", "-q", "--hard", f"HEAD~{back}")

    @rule(back=st.integers(0, 2))
    def revert(self, back: int) -> None:
        commit = self.wiki.git(
            "rev-parse", "-q", "--verify", f"HEAD~{back}", check=False
        ).strip()
        if (
            commit
            and self.wiki.git(
                "rev-parse", "-q", "--verify", f"{commit}^2", check=False
            )
            == ""
        ):
            self.wiki.commit()
            parent = self.wiki.git(
                "rev-parse", "-q", "--verify", f"{commit}^", check=False
            )
            if parent and self.wiki.git(
                "cat-file",
                "-t",
                f"{commit}^:.companion/companion.yaml",
                check=False,
            ):
                self.wiki.git("revert", "--no-edit", "-n", commit, check=False)
                if self.wiki.git("diff", "--name-only", "--diff-filter=U"):
                    self.wiki.git("reset", "-q", "--hard")
                self.wiki.git("revert", "--quit", check=False)
                self.wiki.commit("reverted")

    @rule()
    def squash(self) -> None:
        """Rewrite the last commit, as `commit --amend` or a filter does."""
        self.wiki.tick()
        self.wiki.git(
            "commit", "-q", "--amend", "--allow-empty", "-m", "amended"
        )

    @rule()
    def collect(self) -> None:
        self.wiki.git("reflog", "expire", "--expire=now", "--all")
        self.wiki.git("gc", "-q", "--prune=now")

    # -- the laws ----------------------------------------------------------------------------------

    @invariant()
    def index_is_f_of_tree(self) -> None:
        if self.wikis:
            check_index(self.wiki)
            check_captures(self.wiki, self.acknowledged[self.at])


def machine(**options: Any) -> Any:
    quiet = {
        "deadline": None,
        "database": None,
        "print_blob": True,
        "suppress_health_check": list(HealthCheck),
    }
    return type(
        "Case", (History.TestCase,), {"settings": settings(**quiet, **options)}
    )


class TestHistory(
    machine(max_examples=8, stateful_step_count=20, derandomize=True)
):  # type: ignore[misc]
    """The everyday dose, the same every day."""


@pytest.mark.slow
class TestLongHistories(machine(max_examples=200, stateful_step_count=40)):  # type: ignore[misc]
    """New histories each time."""
