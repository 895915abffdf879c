"""A real wiki in a folder of the test's own, driven through the app layer under an explicit clock,
with real git.
"""

import atexit
import gc
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.adoption import run as adopting
from companion.answers.claims import read_claims
from companion.language.headline import headline
from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.maintenance.doctor import run as health
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.reading.entry.show import show_target
from companion.runs.catch_up import catch_up
from companion.storage.files import shared_drives
from companion.storage.git import layout
from companion.storage.git.repo import Repo
from companion.storage.index import schema as index
from companion.storage.index.folding import fold
from companion.storage.journal.journal import Journal
from companion.values.captures import Draft
from companion.values.time import format_instant
from companion.workspace import Workspace
from tests.statements import check_blocks

START = datetime(2026, 11, 1, 8, tzinfo=UTC)
#: of the person's git; it starts no other git that looks whether there is rubbish to collect
SETTINGS = (
    *("-c", "merge.conflictStyle=merge"),
    *("-c", "maintenance.auto=false"),
    *("-c", "gc.auto=0"),
)


def git(
    root: Path,
    *args: str,
    check: bool = True,
    stdin: str | None = None,
    now: datetime = START,
) -> str:
    """Run the person's git; its output."""
    when = now.isoformat()
    env = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    command = ["git", "-C", str(root), *SETTINGS, *args]
    done = subprocess.run(
        command, capture_output=True, text=True, input=stdin, env=env
    )
    assert not check or done.returncode == 0, (
        f"git {args}: {done.stdout}{done.stderr}"
    )
    return done.stdout


def person(root: Path) -> None:
    """Give a repository an identity of its own, so that commits by companion name a person too."""
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(root, "config", key, value)


def first_sentence(text: str) -> str | None:
    """Return a title for *text*; None if it has a heading of its own."""
    if text.startswith("# "):
        return None
    return headline(text)


class Wiki:
    """One wiki, and the hands of its owner."""

    def __init__(self, root: Path, now: datetime = START) -> None:
        self.root, self.now = root, now

    @classmethod
    def new(cls, root: Path, files: dict[str, str] | None = None) -> "Wiki":
        """Make a wiki that holds *files*; a copy, where the same has been made before (see `like`)."""
        named = tuple(sorted((files or {}).items()))
        return like(("new", named), root, lambda place: cls.made(place, files))

    @classmethod
    def made(cls, root: Path, files: dict[str, str] | None = None) -> "Wiki":
        """Make a wiki that holds *files* by `init`, with real git."""
        wiki = cls(root)
        root.mkdir(parents=True, exist_ok=True)
        for path, text in (files or {}).items():
            wiki.write(path, text)
        wiki.init()
        person(root)
        return wiki

    # -- companion ---------------------------------------------------------------------------------

    @property
    def ws(self) -> Workspace:
        """The workspace at this moment."""
        found = layout.make_place(str(self.root))
        assert found is not None
        return Workspace(found, format_instant(self.now))

    def as_(self, agent: str) -> Workspace:
        """The workspace as *agent* sees it."""
        plain = self.ws
        return Workspace(plain.place, plain.now(), who=agent)

    def tick(self, **step: int) -> datetime:
        self.now += timedelta(**(step or {"minutes": 1}))
        return self.now

    def init(self, **options: Any) -> dict[str, Any]:
        with clock(self.now):
            return care.init(str(self.root), **options)

    def ingest(self, *texts: str, **about: Any) -> list[dict[str, Any]]:
        """Capture *texts*; each is acknowledged (or the test fails)."""
        self.tick()
        done = capture.ingest(self.ws, [Draft(text, **about) for text in texts])
        assert not done["refused"], done
        return list(done["captures"])

    def ingest_pages(self, *texts: str, **about: Any) -> list[dict[str, Any]]:
        """Capture *texts* as pages of their own: each has its first sentence as its title."""
        self.tick()
        drafts = [
            Draft(text, **{"title": first_sentence(text), **about})
            for text in texts
        ]
        done = capture.ingest(self.ws, drafts)
        assert not done["refused"], done
        return list(done["captures"])

    def consolidate(self, **options: Any) -> dict[str, Any]:
        self.tick()
        return night.consolidate(self.ws, **options)

    def adopt(self, **options: Any) -> dict[str, Any]:
        self.tick()
        return adopting.adopt(self.ws, **options)

    def search(self, query: str, **options: Any) -> list[dict[str, Any]]:
        return list(search_wiki(self.ws, query, **options)["results"])

    def show(self, target: str) -> dict[str, Any]:
        return show_target(self.ws, target)

    def repo(self) -> Repo:
        return Repo(self.ws.place)

    def journal(self) -> Journal:
        return self.ws.journal()

    # -- the person --------------------------------------------------------------------------------

    def git(
        self, *args: str, check: bool = True, stdin: str | None = None
    ) -> str:
        return git(self.root, *args, check=check, stdin=stdin, now=self.now)

    def write(self, path: str, text: str | bytes) -> None:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def commit(self, message: str = "by hand") -> None:
        """Commit everything in the work tree, as a person does."""
        self.tick()
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def copy(self, root: Path) -> "Wiki":
        """Copy the whole folder: work tree, git, journal, index."""
        shutil.copytree(self.root, root, symlinks=True)
        return Wiki(root, self.now)

    def clone(self, root: Path) -> "Wiki":
        git(self.root, "clone", "-q", str(self.root), str(root))
        other = Wiki(root, self.now)
        person(root)
        other.init()
        return other

    # -- what is there -----------------------------------------------------------------------------

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    @property
    def tree(self) -> str:
        return self.git("rev-parse", "HEAD^{tree}").strip()

    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "HEAD"))

    def files(self) -> dict[str, bytes]:
        """Every file in the tree that is not companion's own record."""
        names = self.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split(
            "\0"
        )
        repo = self.repo()
        return {
            name: repo.blob(str(repo.subtree(repo.wiki_tree(repo.tip()), name)))
            for name in names
            if name and not name.startswith(".companion/")
        }

    def ledger(self, root: str = "HEAD") -> list[list[dict[str, Any]]]:
        """Every ledger file in the tree, in the order of their times, as lists of lines."""
        repo = self.repo()
        listed = self.git("ls-tree", "-r", root, "--", ".companion/ledger")
        runs = []
        for line in listed.splitlines():
            _, _, blob, name = line.split(maxsplit=3)
            if name.endswith(".jsonl"):
                text = repo.text(blob)
                runs.append([json.loads(row) for row in text.splitlines()])
        return sorted(runs, key=lambda run: run[0]["now"])

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [
            line for run in self.ledger() for line in run if line["e"] == kind
        ]

    def status(self) -> str:
        return self.git("status", "--porcelain")


# -- templates -------------------------------------------------------------------------------------

#: where the wiki that each key stands for was made, and the time on its clock
_templates: dict[Hashable, tuple[Path, datetime]] = {}


def like(key: Hashable, root: Path, make: Callable[[Path], Wiki]) -> Wiki:
    """Return what `make(root)` makes; from the second time on it is a copy of the first, which costs a tenth.

    *key* names all that *make* depends on, besides the environment. Where `init` would look at what
    lies around *root* (a folder that is there already, a repository above it, a drive that other
    machines write to), nothing is copied.
    """
    if (
        root.exists()
        or layout.make_place(str(root)) is not None
        or shared_drives.describe_sharing(str(root)) is not None
    ):
        return make(root)
    full = (key, _surroundings())
    if full not in _templates:
        template = _template_folder() / str(len(_templates)) / "wiki"
        wiki = make(template)
        # a journal that is closed while the template is copied takes a file from under the copy
        gc.collect()
        shutil.rmtree(template / ".git" / "hooks")
        (template / ".git" / "hooks").mkdir()
        _templates[full] = template, wiki.now
    template, now = _templates[full]
    wiki = Wiki(template, now).copy(root)
    wiki.git("update-index", "-q", "--refresh")
    return wiki


def _surroundings() -> Hashable:
    """Return what the environment tells git and companion."""
    heard = ("COMPANION_", "GIT_", "XDG_", "HOME", "LLM_", "TZ", "PATH")
    return tuple(
        sorted(item for item in os.environ.items() if item[0].startswith(heard))
    )


def _template_folder() -> Path:
    if not _folders:
        _folders.append(Path(tempfile.mkdtemp(prefix="companion-templates-")))
        atexit.register(_forget_templates, os.getpid())
    return _folders[0]


_folders: list[Path] = []


def _forget_templates(owner: int) -> None:
    # a forked child has the same list, and leaves the folder alone
    if os.getpid() == owner:
        shutil.rmtree(_folders[0], ignore_errors=True)


@contextmanager
def clock(now: datetime) -> Iterator[None]:
    """Set COMPANION_NOW for the block."""
    before = os.environ.get("COMPANION_NOW")
    os.environ["COMPANION_NOW"] = format_instant(now)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COMPANION_NOW"]
        else:
            os.environ["COMPANION_NOW"] = before


# -- the laws --------------------------------------------------------------------------------------


def check_index(wiki: Wiki) -> None:
    """index.db = f(tree): catch the index up with the branch; it must equal one built from nothing
    at that tree.
    """
    assert catch_up(wiki.ws)
    repo = wiki.repo()
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    commit, tree = repo.tip(), repo.wiki_tree(repo.tip())
    assert (index.read_meta(db, "commit"), index.read_meta(db, "tree")) == (
        commit,
        tree,
    )
    fresh = index.open_in_memory()
    with fold.transaction(fresh):
        fold.fold_to(fresh, repo, commit, tree)
    for table in index.DERIVED:
        if index.hash_table(db, table) != index.hash_table(fresh, table):
            rows = [
                set(map(str, base.execute(f"SELECT * FROM {table}")))
                for base in (db, fresh)
            ]
            only = (
                f"\nonly grown: {sorted(rows[0] - rows[1])}\nonly built:"
                f" {sorted(rows[1] - rows[0])}"
            )
            raise AssertionError(f"{table} is not f(tree){only}")
    for key in ("tokens", "docs"):
        assert int(index.read_meta(db, key) or 0) == int(
            index.read_meta(fresh, key) or 0
        ), key
    _check_commits(wiki, repo, db)
    db.close()


def check_statements(wiki: Wiki) -> None:
    """Each note stands once in the tree, and derived lines lead to it."""
    events = [event for run in wiki.ledger() for event in run]
    check_blocks(wiki.files(), events)


def _check_commits(wiki: Wiki, repo: Repo, db: Any) -> None:
    """INV-1: every active entry's commit exists and holds its current content at its path."""
    trees: dict[str, str | None] = {}
    for path, commit, blob in db.execute(
        "SELECT path, commit_hash, blob FROM entries WHERE state = 'active'"
    ):
        if commit not in trees:
            assert repo.has(commit), f"{path}: no commit {commit!r}"
            trees[commit] = repo.wiki_tree(commit)
        assert repo.subtree(trees[commit], path) == blob, (
            f"{path} is not in {commit}"
        )


def check_captures(wiki: Wiki, acknowledged: dict[str, bytes]) -> None:
    """Nothing acknowledged is ever gone: pending or consumed by a ledger file in the tree, its
    bytes readable.
    """
    journal, repo = wiki.journal(), wiki.repo()
    consumed = {event["capture"] for event in wiki.events("consumed")}
    open_ids = set(journal.open_ids())
    for id, content in acknowledged.items():
        held = journal.capture(id)
        assert len(held) == 1, f"the journal forgot {id}"
        assert id in consumed or id in open_ids, (
            f"{id} is neither pending nor consumed"
        )
        assert (held[0].content or repo.blob(held[0].blob)) == content
    both = open_ids & consumed
    assert not both, f"settled in the tree and yet pending: {both}"
    journal.close()


#: subjects of pages that rely on one
DEPENDENTS = (
    "Restore",
    "Drills",
    "Exports",
    "Archives",
    "Snapshots",
    "Copies",
    "Tapes",
    "Mirrors",
)


def ingest_dependents(
    wiki: Wiki, title: str, names: Iterable[str] = DEPENDENTS
) -> None:
    """Capture pages that link to the page *title*; eight are enough to make it load-bearing."""
    for name in names:
        text = f"{name} rely on the [[{title}]] and on nothing else."
        wiki.ingest(text, title=name)


def list_values(
    ws: Workspace, subject: str, predicate: str | None = None, **more: Any
) -> list[str]:
    """Return the values that stand for *subject*, as `companion claims` gives them."""
    options = {"as_of": None, "known_at": None, "history": False, **more}
    document = read_claims(ws, subject, predicate, **options)
    values = []
    for key in document["keys"]:
        values += key["values"]
    return values


def check_health(wiki: Wiki) -> None:
    """`doctor` finds nothing worse than a note."""
    findings = [
        finding
        for finding in health.examine(wiki.ws)
        if finding.severity != "note"
    ]
    assert not findings, findings
