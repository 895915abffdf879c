"""The hands that use git: the person in the wiki, and the same person on another machine."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.durability.stress.ground import Hand, some, tokens, tokens_in
from tests.living import Living

PATIENCE = 12  # conflicts of one rebase, one after the other
MARKS = (b"<<<<<<< ", b"=======", b">>>>>>> ", b"||||||| ")
FILTER = {
    "filter.cellar.clean": "sed 's/^/lfs|/'",
    "filter.cellar.smudge": "sed 's/^lfs|//'",
}


class Git(Hand):
    """Runs git as a person does: what is refused because a lock is held is tried again for a
    while.
    """

    root: Path

    def git(self, *args: str, tries: int = 12) -> tuple[int, bytes]:
        env = {
            **Living(self.ground.wiki).env,
            "GIT_EDITOR": "true",
            "GIT_MERGE_AUTOEDIT": "no",
        }
        for left in range(tries, 0, -1):
            done = subprocess.run(
                ["git", *args],
                cwd=self.root,
                env=env,
                capture_output=True,
                timeout=120,
            )
            words = done.stdout + done.stderr
            if done.returncode == 0 or b".lock" not in words or left == 1:
                break
            time.sleep(0.1)
        self.note(
            "git",
            args=args[:2],
            code=done.returncode,
            locked=done.returncode != 0 and b".lock" in words,
        )
        return done.returncode, done.stdout

    def commit_all(self) -> bool:
        self.git("add", "-A")
        return self.git("commit", "-qm", "all of mine")[0] == 0

    def settle(self) -> None:
        """Finish whatever git is in the middle of, keeping both sides of every conflict.

        A rebase that conflicts again and again is given up, as a person would.
        """
        for step in range(80):
            names = self.git("diff", "--name-only", "--diff-filter=U", "-z")[
                1
            ].decode("utf-8", "surrogateescape")
            for name in filter(None, names.split("\0")):
                _keep_both(self.root / name)
            if names:
                self.git("add", "-A")
            if any(
                (self.root / ".git" / name).exists()
                for name in ("rebase-merge", "rebase-apply")
            ):
                if step >= PATIENCE:
                    self.git("rebase", "--abort")
                elif self.git("rebase", "--continue")[0] != 0 and not names:
                    # what the skipped commit held stays in the reflog
                    self.git("rebase", "--skip")
            elif (self.root / ".git/MERGE_HEAD").exists():
                self.git("commit", "-q", "--no-edit")
            elif names:
                self.git("commit", "-qm", "both sides")
            else:
                return
        raise RuntimeError("git would not come to rest")


def _keep_both(file: Path) -> None:
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except (FileNotFoundError, IsADirectoryError):
        return
    file.write_bytes(
        b"".join(line for line in lines if not line.startswith(MARKS))
    )


class Person(Git):
    """The git user in the wiki itself."""

    kind = "git"
    watching = False

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.root = self.ground.wiki

    def once(self) -> None:
        acts: dict[Callable[[], None], int] = {
            self.add: 8,
            self.commit: 10,
            self.stash: 3,
            self.switch: 3,
            self.merge: 2,
            self.rebase: 2,
            self.pull: 3,
            self.reset: 2,
            self.gc: 2,
            self.drop: 1,
        }
        some(acts, self.random)
        self.rest(0.2, 1.5)

    # -- what rewrites no file: beside the editors -------------------------------------------------

    def add(self) -> None:
        pages = self.ground.pages()
        one = (
            str(self.random.choice(pages).relative_to(self.root))
            if pages
            else "."
        )
        self.git("add", self.random.choice(("-A", one)), tries=1)

    def commit(self) -> None:
        self.git("commit", "-qam", "mine", tries=1)

    def gc(self) -> None:
        self.git("gc", "--quiet", "--prune=now", tries=1)

    # -- what rewrites files: no save meanwhile ----------------------------------------------------

    @contextmanager
    def rewriting(self) -> Iterator[None]:
        """Run git commands that rewrite the work tree: nobody saves meanwhile."""
        with self.ground.commanding():
            self.watching = True
            try:
                yield
            finally:
                self.watching = False

    def git(self, *args: str, tries: int = 12) -> tuple[int, bytes]:
        """And write down which files, perhaps held open by an editor, lose their names by a
        command.

        Command by command: a night at work at the same time must not be excused by git's doing.
        """
        before = self.ground.inodes() if self.watching else set()
        done = super().git(*args, tries=tries)
        gone = before - self.ground.inodes() if before else None
        if gone:
            self.note("unlinked", inodes=sorted(gone))
        return done

    @contextmanager
    def discarding(self, why: str) -> Iterator[None]:
        """Run a git command by which the person throws away what is not committed; write down what
        it was.
        """
        before = tokens_in(list(self.ground.files()))
        yield
        self.note(
            "discarded",
            why=why,
            tokens=sorted(before - tokens_in(list(self.ground.files()))),
        )

    def stash(self) -> None:
        more = ["-u"] if self.random.random() < 0.2 else []
        with self.rewriting():
            done = self.git("stash", "push", "-q", *more)[0]
        self.rest(0.0, 1.0)
        if done == 0:
            with self.rewriting():
                self.git("stash", "pop", "-q")
                self.settle()

    def careful(self) -> None:
        """Mostly commit before throwing anything away: what is only discarded proves nothing."""
        if self.random.random() < 0.8:
            self.commit_all()

    def drop(self) -> None:
        with self.rewriting():
            self.careful()
            self.git("stash", "push", "-q")
            held = b"".join(
                self.git("show", "-p", "-m", f"stash@{{0}}{side}")[1]
                for side in ("", "^2")
            )
            if held:
                self.note(
                    "discarded", why="dropped", tokens=sorted(tokens(held))
                )
                self.git("stash", "drop", "-q")

    def switch(self) -> None:
        name = self.random.choice(("garden", "travel"))
        with self.rewriting():
            if (
                self.git("rev-parse", "-q", "--verify", f"refs/heads/{name}")[0]
                != 0
            ):
                self.git("branch", name)
            away = self.git("switch", "-q", name)[0] == 0
        if away:
            self.rest(0.0, 1.2)
            if self.random.random() < 0.6:
                self.git("commit", "-qam", f"on {name}")
        self.home()

    def home(self) -> None:
        with self.rewriting():
            self._home()

    def _home(self) -> None:
        self.settle()
        for _ in range(5):
            if self.git("checkout", "-q", "main")[0] == 0:
                return
            self.commit_all()
        raise RuntimeError("the person does not find back to main")

    def merge(self) -> None:
        with self.rewriting():
            self.git(
                "merge",
                "-q",
                "--no-edit",
                self.random.choice(("garden", "travel")),
            )
            self.settle()

    def rebase(self) -> None:
        name = self.random.choice(("garden", "travel"))
        with self.rewriting():
            self.commit_all()
            if self.git("rebase", "-q", "main", name)[0] != 0:
                self.settle()
            self._home()
            self.git("merge", "-q", "--ff-only", name)
            # a new beginning; its reflog keeps what it was
            self.git("branch", "-f", name, "main")

    def pull(self) -> None:
        with self.rewriting():
            self.commit_all()
            if self.git("pull", "-q", "--rebase", "origin", "main")[0] != 0:
                self.settle()
                # where the rebase was given up
                self.git("merge", "-q", "--no-edit", "origin/main")
            self._home()
        self.git("push", "-q", "origin", "main")

    def reset(self) -> None:
        with self.rewriting(), self.discarding("reset"):
            self.careful()
            self.git(
                "reset", "-q", "--hard", f"HEAD~{self.random.randint(1, 3)}"
            )

    def leave(self) -> None:
        self.home()


class Second(Git):
    """The same person on another machine: edits, commits, pulls and pushes, and runs no nights
    there.
    """

    kind = "second"

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.root = self.ground.second

    def once(self) -> None:
        pages = sorted(
            path
            for path in self.root.rglob("*.md")
            if not {".git", ".companion"} & set(path.parts)
        )
        written = []
        for page in self.random.sample(pages, min(2, len(pages))):
            lines = page.read_bytes().splitlines(keepends=True)
            written.append(self.token())
            lines.insert(
                self.random.randint(len(lines) // 2, len(lines)),
                f"\nFrom the other machine, {written[-1]}.\n".encode(),
            )
            page.write_bytes(b"".join(lines))
        if written and self.commit_all():
            for token in written:
                self.note("wrote", token=token, path="second")
        if self.git("pull", "-q", "--rebase", "origin", "main")[0] != 0:
            self.settle()
            self.git("merge", "-q", "--no-edit", "origin/main")
            self.settle()
        self.git("push", "-q", "origin", "HEAD:main")
        self.rest(0.3, 2.0)
