"""One wiki that a bench tells things to and asks, through the program's own operations and under
its own clock.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.answers.claims import answer_question, read_claims
from companion.answers.known import NotKnown
from companion.lookup.index import current_index
from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.maintenance import switch_reasoner
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.workspace import Workspace
from tests.bench.words import LITTLE_WORDS

STANDING = ("active", "disputed")
#: the reasoner of a wiki that chooses none
LIGHT = "light"
_LITTLE = LITTLE_WORDS | {"user", "user's"}


class Life:
    """A wiki in an empty folder."""

    def __init__(self, root: Path, now: str) -> None:
        care.init(str(root))
        found = layout.make_place(str(root))
        assert found is not None
        self.root, self.place = root, found
        self.at(now)

    def at(self, now: str) -> None:
        """Let it be *now* (RFC 3339 UTC)."""
        self.ws = Workspace(self.place, now)

    def choose(self, reasoner: str) -> None:
        """Let nights and searches use *reasoner*, as `companion models use` does."""
        switch_reasoner.use(self.ws, reasoner)

    def tell(self, drafts: Iterable[Draft]) -> list[str | None]:
        """Tell *drafts*; the captures' ids in their order, None for what was refused at the
        door.
        """
        ids: list[str | None] = []
        for draft in drafts:
            done = capture.ingest(self.ws, [draft])
            ids.append(done["captures"][0]["id"] if done["captures"] else None)
        return ids

    def tell_all(self, drafts: Sequence[Draft]) -> None:
        capture.ingest(self.ws, drafts)

    def night(self) -> dict[str, Any]:
        return night.consolidate(self.ws)

    def ask(self, question: str) -> dict[str, Any] | None:
        """Return the document that answers *question*, None where it is not known."""
        doc = answer_question(self.ws, question, as_of=None, budget=500)
        return doc if doc["known"] else None

    def values(self, question: str) -> list[str]:
        doc = self.ask(question)
        return (
            []
            if doc is None
            else list(
                dict.fromkeys(answer["value"] for answer in doc["answers"])
            )
        )

    def keys(
        self, subject: str, predicate: str | None = None
    ) -> list[dict[str, Any]]:
        """Return what `claims --history` says of *subject*, by key; nothing where nothing was
        told.
        """
        try:
            found = read_claims(
                self.ws,
                subject,
                predicate,
                as_of=None,
                known_at=None,
                history=True,
            )
        except NotKnown:
            return []
        return list(found["keys"])

    def claims(self) -> list[dict[str, Any]]:
        """Return every claim as `claims` shows it, with its key."""
        db = current_index(self.ws, self.ws.journal())
        if db is None:
            return []
        names = [
            name
            for (name,) in db.execute(
                "SELECT DISTINCT name FROM claims ORDER BY name"
            )
        ]
        found = {
            each["id"]: {**each, "key": tuple(key["key"])}
            for name in names
            for key in self.keys(name)
            for each in key["claims"]
        }
        return list(found.values())

    def search(self, query: str, limit: int) -> list[str]:
        """Return the texts of what `search` finds, the best first."""
        texts = []
        for hit in search_wiki(self.ws, query, limit=limit)["results"]:
            text = (
                (self.root / hit["path"]).read_text(encoding="utf-8")
                if hit["path"]
                else hit["snippet"]
            )
            texts.append(" ".join(text.split()))
        return texts


def open_life(root: Path) -> Life:
    """Return the wiki that stands in a folder already; `at` says what time it is."""
    there = Life.__new__(Life)
    place = layout.find_place(str(root))
    assert place is not None
    there.root, there.place = root, place
    return there


@contextmanager
def life(now: str, reasoner: str = LIGHT) -> Iterator[Life]:
    """Yield a wiki in a folder of its own that is thrown away afterwards."""
    with TemporaryDirectory(prefix="companion-bench-") as room:
        home = Life(Path(room), now)
        if reasoner != LIGHT:
            home.choose(reasoner)
        yield home


# -- values as people write them -------------------------------------------------------------------


def content(said: object) -> set[str]:
    """Return the words of *said* that carry it."""
    words = re.findall(r"[\w$€£%.'\u2019-]+", str(said).lower())
    return {word.strip(".'\u2019-") for word in words} - _LITTLE - {""}


def closest(said: str, values: Sequence[str]) -> str | None:
    """Return which of *values* is meant by *said*: shares half of the shorter one's words, and the
    most; else None.
    """
    mine = content(said)
    scored = []
    for value in values:
        theirs = content(value)
        shared = len(mine & theirs)
        if shared and 2 * shared >= min(len(mine), len(theirs)):
            scored.append((shared / len(mine | theirs), value))
    return max(scored)[1] if scored else None


def share(part: int, whole: int) -> str:
    return f"{part}/{whole}" + (f" ({part / whole:.3f})" if whole else "")


def commit_files(root: Path, paths: Sequence[str], message: str) -> None:
    """Commit *paths* (arguments of `git add`) as the owner of the wiki *root* does."""
    git = ["git", "-C", str(root)]
    git += ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"]
    subprocess.run([*git, "add", *paths], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", message], check=True)
