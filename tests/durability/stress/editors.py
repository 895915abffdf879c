"""The hands that write pages, each in the way of some editor, and the one that moves them about."""

import os
import time
from pathlib import Path

from tests.durability.stress.ground import Hand

# bytes; no page grows beyond, so that ten minutes do not slow down
LARGE = 30_000


class Editor(Hand):
    """Opens a page, adds lines, and saves."""

    pause = (0.05, 0.5)

    def once(self) -> None:
        # now and then a burst
        for _ in range(self.random.choice((1, 1, 1, 1, 6))):
            page = self.pick()
            if page is not None:
                with self.ground.opened(page) as mine:
                    if mine:
                        self.edit(page)
        self.rest(*self.pause)

    def pick(self) -> Path | None:
        pages = self.ground.pages()
        if not pages:
            return None
        page = self.random.choice(pages)
        try:
            return page if page.stat().st_size < LARGE else None
        except FileNotFoundError:
            return None

    def edit(self, page: Path) -> None:
        token = self.token()
        with self.ground.saving():
            text = _read(page)
            if text is None:
                return
            self.save(page, self.inserted(text, f"A line of mine, {token}."))
            self.note("wrote", token=token, path=str(page))

    def inserted(self, text: str, line: str) -> str:
        """Put *line* somewhere below the frontmatter."""
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        first = 0
        if lines[:1] == ["---\n"] and "---\n" in lines[1:]:
            first = lines.index("---\n", 1) + 1
        at = self.random.choice(
            (len(lines), self.random.randint(first, len(lines)))
        )
        return "".join([*lines[:at], line + "\n", *lines[at:]])

    def save(self, page: Path, text: str) -> None:
        raise NotImplementedError


class InPlace(Editor):
    """Truncates the file and writes it anew, at times slowly: as nano, or vim with
    backupcopy=yes.
    """

    kind = "inplace"

    def save(self, page: Path, text: str) -> None:
        half = len(text) // 2
        with page.open("w", newline="", errors="surrogateescape") as file:
            file.write(text[:half])
            file.flush()
            time.sleep(self.random.choice((0, 0, 0.01, 0.1)))
            file.write(text[half:])


class ByRename(Editor):
    """Writes a new file and renames it over the page (Obsidian), or moves the page aside first
    (vim).
    """

    kind = "rename"

    def save(self, page: Path, text: str) -> None:
        beside = page.with_name(page.name + "~")
        if self.random.random() < 0.5:
            _write(beside, text)
            os.rename(beside, page)
            return
        try:
            os.rename(page, beside)
        except FileNotFoundError:
            pass  # a night undid the page since it was read
        time.sleep(self.random.choice((0, 0, 0.01)))
        _write(page, text)
        beside.unlink(missing_ok=True)


class Append(Editor):
    """Opens the file, appends, closes: as a shell's `>>`."""

    kind = "append"

    def edit(self, page: Path) -> None:
        token = self.token()
        with self.ground.saving():
            try:
                with page.open("a") as file:
                    file.write(f"\nA line at the end, {token}.\n")
            except FileNotFoundError:
                # a git command of theirs took the folder away since the page was chosen
                return
            self.note("wrote", token=token, path=str(page))


class HeldOpen(Editor):
    """Holds the file open for seconds, and writes then."""

    kind = "hold"
    pause = (0.0, 0.2)

    def pick(self) -> Path | None:
        grown = [
            page for page in self.ground.pages() if "entries" in page.parts
        ]
        # Mostly a page that the nights write too: it is the one that is replaced under an editor's
        # hands.
        return (
            self.random.choice(grown)
            if grown and self.random.random() < 0.8
            else super().pick()
        )

    def edit(self, page: Path) -> None:
        opened = time.time()
        try:
            file = page.open("a")
        except FileNotFoundError:
            return
        with file:
            for _ in range(self.random.randint(1, 3)):
                self.rest(0.2, 2.0)
                token = self.token()
                with self.ground.saving():
                    file.write(f"\nA line that comes late, {token}.\n")
                    file.flush()
                    found = os.fstat(file.fileno())
                    # Without a name nobody can ever find it again: the verdict asks whose doing
                    # that was.
                    nameless = (
                        {"orphan": found.st_ino, "opened": opened}
                        if found.st_nlink == 0
                        else {}
                    )
                    self.note("wrote", token=token, path=str(page), **nameless)


class Overtype(Editor):
    """Writes over blanks in place: the file's length stays, and with it what git goes by."""

    kind = "overtype"

    def edit(self, page: Path) -> None:
        token = self.token()
        blank = b"zq" + b"_" * (len(token) - 3) + b"z"
        with self.ground.saving():
            try:
                # one open file: an offset found in another would hit somebody's words
                raw = page.open("r+b")
            except FileNotFoundError:
                return
            with raw:
                at = raw.read().find(blank)
                raw.seek(max(at, 0), os.SEEK_SET if at >= 0 else os.SEEK_END)
                raw.write(
                    token.encode()
                    if at >= 0
                    else b"\nA form, " + (blank + b", ") * 5 + b"\n"
                )
            if at >= 0:
                self.note("wrote", token=token, path=str(page))


class Mover(Editor):
    """Renames pages, changes their case, moves them into the trash, and begins new ones."""

    kind = "move"
    pause = (0.3, 1.5)

    def edit(self, page: Path) -> None:
        act = self.random.choice(
            (self._rename, self._rename, self._case, self._delete)
        )
        crowd = len(self.ground.pages())
        with self.ground.saving():
            if crowd < 20 or (crowd < 40 and self.random.random() < 0.3):
                self._begin()
            elif page.exists():
                act(page)

    def _begin(self) -> None:
        token = self.token()
        page = (
            self.ground.wiki
            / self.random.choice(("notes", "attic", "deep/er"))
            / f"page {self.serial}.md"
        )
        page.parent.mkdir(parents=True, exist_ok=True)
        with self.ground.claimed(page) as mine:
            if mine:
                _write(page, f"# Page {self.serial}\n\nBegun, {token}.\n")
                self.note("wrote", token=token, path=str(page))

    def _rename(self, page: Path) -> None:
        folder = self.random.choice(
            (
                page.parent,
                self.ground.wiki / "notes",
                self.ground.wiki / "moved",
            )
        )
        self._move(
            page,
            folder / f"{page.stem[:20]} {self.serial}{page.suffix}",
            "renamed",
        )
        self.serial += 1

    def _case(self, page: Path) -> None:
        self._move(page, page.with_name(page.name.swapcase()), "case")

    def _delete(self, page: Path) -> None:
        self.serial += 1
        self._move(
            page,
            self.ground.trash / f"{self.number}-{self.serial}-{page.name}",
            "deleted",
        )

    def _move(self, page: Path, to: Path, what: str) -> None:
        to.parent.mkdir(parents=True, exist_ok=True)
        # its editor may be between moving the old one aside and writing anew
        with self.ground.claimed(to) as mine:
            if mine and not to.exists():
                try:
                    os.rename(page, to)
                except FileNotFoundError:
                    return  # a night undid the page since it was chosen
                self.note("moved", what=what, path=str(page), to=str(to))


def _read(page: Path) -> str | None:
    try:
        return page.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def _write(page: Path, text: str) -> None:
    page.write_bytes(text.encode("utf-8", "surrogateescape"))
