"""A person's hand in the middle of a night: what no kill shows."""

from collections.abc import Callable

from tests.durability.faults import check
from tests.durability.faults.check import Violation
from tests.durability.faults.child import Before, Forked
from tests.durability.scenes import Stage, harbour
from tests.living import sound

MY_LINE = "Typed while the wiki slept."
Meanwhile = Callable[[Forked], None]


def _night(
    stage: Stage, patch: Before | None, at: str, meanwhile: Meanwhile
) -> Forked:
    """Let a night stand still at the fault point *at* while somebody acts; return the wiki after
    two more.
    """
    wiki = Forked(stage.fresh("grow").root)
    done = wiki.run(
        "--json",
        "consolidate",
        fault=f"{at}:stop",
        before=patch,
        meanwhile=lambda: meanwhile(wiki),
    )
    if done.returncode not in (0, 75):
        raise Violation(
            f"the night ended with {done.returncode}: {done.stdout!r} {done.stderr!r}"
        )
    for _ in range(2):
        wiki.run("--json", "consolidate", before=patch)
    try:
        sound(wiki)
    except AssertionError as error:
        raise Violation(str(error)) from error
    for words in ("opens at six", "closes at nine"):
        if words not in wiki.text():
            raise Violation(f"no page holds {words!r}")
    return wiki


def two_nights(stage: Stage, patch: Before | None) -> None:
    """The second one is told to wait."""
    codes: list[int] = []
    wiki = _night(
        stage,
        patch,
        "publish.files:after",
        lambda w: codes.append(w.run("consolidate", before=patch).returncode),
    )
    check.clear(wiki)
    if codes != [75]:
        raise Violation(f"the second night ended with {codes}")


def open_editor(stage: Stage, patch: Before | None) -> None:
    """What an editor writes into the file that a night has replaced comes into the wiki."""
    # The editor opens the page before its file is replaced, and saves when the night is over.
    wiki = Forked(stage.fresh("grow").root)
    with open(wiki.root / harbour(wiki), "a") as page:
        wiki.run("--json", "consolidate", before=patch)
        page.write(MY_LINE + "\n")
    wiki.run("--json", "consolidate", before=patch)
    found = MY_LINE in wiki.text()
    check.clear(wiki)
    if not found:
        raise Violation(
            "a line typed into a page that was being replaced is lost"
        )


def gc(stage: Stage, patch: Before | None) -> None:
    """Git's housekeeping takes nothing of a run that no ref names yet."""
    check.clear(
        _night(
            stage,
            patch,
            "publish.intent:before",
            lambda wiki: _git(wiki, "gc", "--quiet", "--prune=now"),
        )
    )


def commit(stage: Stage, patch: Before | None) -> None:
    """A person's commit in the middle of a night stays on the branch."""
    made: list[str] = []

    def save(wiki: Forked) -> None:
        wiki.write("mine.md", "# Mine\n")
        _git(wiki, "add", "mine.md")
        _git(wiki, "commit", "--quiet", "-m", "mine", "--", "mine.md")
        made.append(wiki.git("rev-parse", "HEAD"))

    wiki = _night(stage, patch, "publish.intent:after", save)
    kept = made[0] in wiki.git("rev-list", "HEAD").split()
    check.clear(wiki)
    if not kept:
        raise Violation("the person's commit has left the branch")


def _git(wiki: Forked, *args: str) -> None:
    wiki.git(*args, code=None)


PROBES: dict[str, Callable[[Stage, Before | None], None]] = {
    "two nights at once": two_nights,
    "an editor holds the page open": open_editor,
    "a person runs gc": gc,
    "a person commits": commit,
}
