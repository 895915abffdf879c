"""The bookkeeper: what became of every line, and whether everything else that must hold does."""

import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.durability.stress.ground import Ground, tokens, tokens_in
from tests.durability.stress.sleepers import Wiki
from tests.living import Living, leftovers

# seconds: a read that took longer was waiting for somebody, even on a busy machine
BLOCKED = 30.0
_SUBJECT = re.compile(r"(consolidate|adopt|undo|init): ")


class Verdict(NamedTuple):
    """What a stress found."""

    lost: list[dict[str, Any]]
    broken: list[str]  # whatever else must hold and did not
    figures: dict[str, Any]

    @property
    def ok(self) -> bool:
        return not self.lost and not self.broken


def judge(ground: Ground) -> Verdict:
    """Let the nights catch up, look for every line, and check the rest."""
    wiki = Wiki(ground)
    events = read_books(ground.books)
    broken = [
        f"{e['hand']}: {e['what']}\n{e['trace']}"
        for e in events
        if e["e"] == "failed"
    ]
    broken += catch_up(wiki)
    wrote = [e for e in events if e["e"] == "wrote"]
    found = places(ground, wiki)
    excused = excuses(ground, events)
    where = Counter(
        _where(e["token"], found)
        or ("excused" if e["token"] in excused else "lost")
        for e in wrote
    )
    lost = [
        e
        for e in wrote
        if _where(e["token"], found) is None and e["token"] not in excused
    ]
    broken += [
        *captures(wiki, wrote),
        *runs(wiki),
        *taken(wiki),
        *whole(wiki),
        *reads(events),
    ]
    figures = {**_figures(events, wrote), "found": dict(where)}
    missing = {e["token"] for e in wrote if _where(e["token"], found) is None}
    figures["kept"] = len(list((wiki.state / "kept").glob("*")))
    late = wiki.journal(
        "SELECT count(*) FROM sightings WHERE channel = 'recovered'"
    )
    figures["late"] = late[0][0]
    figures["excused"] = dict(
        Counter(excused[token] for token in missing & excused.keys())
    )
    return Verdict(lost, broken, figures)


def read_books(books: Path) -> list[dict[str, Any]]:
    """Return every event of every hand, in the order of time."""
    events = []
    for book in sorted(books.glob("*.jsonl")):
        lines = book.read_text().splitlines()
        events += [
            {"hand": book.stem, **json.loads(line)}
            for line in lines
            if line.endswith("}")
        ]
    return sorted(events, key=lambda event: event["at"])


def catch_up(wiki: Living) -> list[str]:
    """Run nights until there is nothing left to do."""
    for _ in range(8):
        done = [wiki.run("--json", verb) for verb in ("adopt", "consolidate")]
        failed = [d for d in done if d.returncode != 0]
        if failed:
            return [
                f"a last {d.args[0]} ended with {d.returncode}: {d.stderr!r} {d.stdout[-2000:]!r}"
                for d in failed
            ]
        if all(json.loads(d.stdout)["run"] is None for d in done):
            return []
    return ["the nights found something to do eight times over"]


# -- where a line is -------------------------------------------------------------------------------


def places(ground: Ground, wiki: Living) -> dict[str, set[str]]:
    """Return the tokens of each place in which a line may be found, the best first."""
    journal = wiki.journal(
        "SELECT content FROM captures WHERE content IS NOT NULL"
    )
    return {
        "pages": tokens_in(list(ground.files())),
        "git": reachable(wiki.root),
        "journal": set().union(
            *(tokens(bytes(content)) for (content,) in journal)
        ),
        # What was written there and not pushed; a line of the wiki is not saved by having been
        # pushed once.
        "second clone": {
            token
            for token in reachable(ground.second)
            if token.startswith("zqsecond")
        },
    }


def reachable(repository: Path) -> set[str]:
    """Return the tokens of every object that a ref, a reflog or the index of *repository*
    reaches.
    """
    # `whole` says what is missing
    what = ("--all", "--reflog", "--indexed-objects", "--missing=allow-any")
    listing = ["git", "rev-list", "--objects", "--no-object-names", *what]
    ids = subprocess.run(listing, cwd=repository, capture_output=True).stdout
    found: set[str] = set()
    command = ["git", "cat-file", "--batch", "--buffer"]
    with subprocess.Popen(
        command, cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        _feed(child, ids)
        assert child.stdout
        while header := child.stdout.readline():
            data = child.stdout.read(int(header.split()[2]) + 1)
            if header.split()[1] == b"blob":
                found |= tokens(data)
    return found


def _feed(child: "subprocess.Popen[bytes]", data: bytes) -> None:
    import threading

    def feed() -> None:
        assert child.stdin
        child.stdin.write(data)
        child.stdin.close()

    threading.Thread(target=feed, daemon=True).start()


def _where(token: str, found: dict[str, set[str]]) -> str | None:
    return next((place for place, held in found.items() if token in held), None)


def excuses(ground: Ground, events: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return the tokens whose loss would be the person's own doing, and what they did."""
    events = list(events)
    found = dict.fromkeys(tokens_in(list(ground.trash.iterdir())), "trash")
    unlinked: dict[int, list[float]] = defaultdict(list)
    for event in events:
        if event["e"] == "unlinked":
            for inode in event["inodes"]:
                unlinked[inode].append(event["at"])
        elif event["e"] == "discarded":
            found |= dict.fromkeys(event["tokens"], event["why"])
        elif event["e"] == "wrote" and any(
            event["opened"] < t for t in unlinked[event.get("orphan", -1)]
        ):
            # while it was open, its number could not become another file's
            found[event["token"]] = "orphan"
    return found


# -- what else must hold ---------------------------------------------------------------------------


def captures(wiki: Living, wrote: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Each capture was acknowledged once, is held, and was consumed at most once in any one
    history.
    """
    said = [e for e in wrote if "capture" in e]
    held = wiki.captures()
    for id, times in Counter(e["capture"] for e in said).items():
        if times != 1:
            yield f"capture {id} was acknowledged {times} times"
        if id not in held:
            yield f"capture {id} was acknowledged and is gone"
    yield from (
        f"capture {e['capture']} was new, and {e['state']}"
        for e in said
        if e["state"] != "captured"
    )
    lines = {
        run: list(map(json.loads, text.splitlines()))
        for run, text in _ledger(wiki).items()
    }
    by: dict[str, list[str]] = defaultdict(list)
    for run, events in lines.items():
        for event in events:
            if event["e"] == "consumed":
                by[event["capture"]].append(run)
    for capture, consumers in by.items():
        for run in consumers:
            base = lines[run][0]["base"]
            known = (
                set(_names(wiki, base, ".companion/ledger"))
                if base and len(consumers) > 1
                else set()
            )
            # A run that they had reset away and then merged again may meet its successor; neither
            # knew the other.
            yield from (
                f"capture {capture} consumed by {run} and before by {o}"
                for o in consumers
                if o in known
            )
    settled = {id for id, is_settled in held.items() if is_settled}
    if settled != by.keys() & held.keys():
        yield (
            f"the journal takes {len(settled)} captures for settled, the ledger"
            f" {len(by.keys() & held.keys())}"
        )


def _ledger(wiki: Living) -> dict[str, str]:
    return {
        name: wiki.git("show", f"HEAD:{path}")
        for name, path in _names(wiki, "HEAD", ".companion/ledger").items()
    }


def _names(wiki: Living, tree: str, folder: str) -> dict[str, str]:
    listing = wiki.git(
        "ls-tree", "-r", "--name-only", tree, folder
    ).splitlines()
    return {Path(path).stem: path for path in listing}


def runs(wiki: Living) -> Iterator[str]:
    """Every run is one commit: the branch moved once for it, and by its ledger file."""
    log = wiki.git(
        "log", "-g", "--format=%H%x09%gs", "refs/heads/main"
    ).splitlines()
    made = [
        line.split("\t")[0]
        for line in log
        if _SUBJECT.match(line.split("\t", 1)[1])
    ]
    seen: Counter[str] = Counter()
    for commit in made:
        shown = wiki.git(
            "diff-tree",
            "--root",
            "--no-commit-id",
            "-r",
            "--name-only",
            "--diff-filter=A",
            commit,
        )
        files = [
            path
            for path in shown.splitlines()
            if path.startswith(".companion/ledger/")
        ]
        seen.update(files)
        if len(files) != 1:
            yield f"commit {commit} of a run adds {len(files)} ledger files"
    yield from (
        f"{path} came with {times} commits"
        for path, times in seen.items()
        if times != 1
    )


def taken(wiki: Living) -> Iterator[str]:
    """No run of ours takes a line of theirs off a page.

    Except by an undo: it takes back what its run had added, late words among it, and an adoption is
    theirs anyway.
    """
    how = "--format=%H%x09%gs%x09%(trailers:key=Companion-Run,valueonly,separator=)"
    log = wiki.git("log", "-g", how, "refs/heads/main").splitlines()
    added: dict[str, set[str]] = {}
    for line in reversed(log):
        commit, subject, run = f"{line}\t".split("\t")[:3]
        if not re.match(r"consolidate: |undo: \S*consolidate", subject):
            continue
        diff = wiki.git(
            "diff", "--no-renames", "-U0", f"{commit}^", commit, "--", "*.md"
        ).encode("utf-8", "replace")
        minus, plus = (
            tokens(b"\n".join(x for x in diff.splitlines() if x[:1] == side))
            for side in (b"-", b"+")
        )
        added[run] = plus
        gone = {t for t in minus - plus if not t.startswith("zqcapture")}
        gone -= added.get(subject.removeprefix("undo: "), set())
        if gone:
            yield f"{subject} ({commit}) takes {len(gone)} lines of theirs: {sorted(gone)[:5]}"


def whole(wiki: Living) -> Iterator[str]:
    """Git is sound, the index is what the tree says, and nothing is left lying about."""
    done = subprocess.run(
        ["git", "fsck", "--full", "--no-dangling"],
        cwd=wiki.root,
        capture_output=True,
    )
    if done.returncode != 0:
        yield f"git fsck: {(done.stdout + done.stderr).decode()[:2000]}"
    left = leftovers(wiki)
    if left:
        yield f"left behind: {left}"
    doctor = wiki.run("--json", "doctor")
    if doctor.returncode != 0 or [
        f
        for f in json.loads(doctor.stdout)["findings"]
        if f["kind"] != "links-open"
    ]:
        yield f"doctor: {doctor.stdout.decode()[:2000]} {doctor.stderr.decode()[:500]}"


def reads(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """No read waited for anybody."""
    for event in events:
        if (
            event["e"] == "call"
            and event["hand"].startswith("read")
            and event["took"] > BLOCKED
        ):
            yield f"{event['verb']} took {event['took']:.1f} s"


# -- figures ---------------------------------------------------------------------------------------


def _figures(
    events: list[dict[str, Any]], wrote: list[dict[str, Any]]
) -> dict[str, Any]:
    calls = [e for e in events if e["e"] == "call"]
    nights = [e for e in calls if e["hand"].startswith("night")]
    took = sorted(e["took"] for e in calls if e["hand"].startswith("read"))
    git = Counter(
        (
            e["args"][0],
            "locked" if e["locked"] else "ok" if e["code"] == 0 else "no",
        )
        for e in events
        if e["e"] == "git"
    )
    return {
        "seconds": events[-1]["at"] - events[0]["at"] if events else 0.0,
        "lines": dict(Counter(e["hand"].rpartition("-")[0] for e in wrote)),
        "captures": sum("capture" in e for e in wrote),
        "nights": {
            "run": len(nights),
            "deferred": sum(e["code"] == 75 for e in nights),
            "interrupted": sum(e["code"] not in (0, 1, 75) for e in nights),
            "published": sum(e["run"] is not None for e in nights),
            "undone": sum(
                e["verb"] == "undo" and e["code"] == 0 for e in nights
            ),
        },
        "reads": {
            "run": len(took),
            "p50": _share(took, 0.5),
            "p99": _share(took, 0.99),
            "max": max(took, default=0.0),
        },
        "git": {
            f"{verb} {end}": count for (verb, end), count in sorted(git.items())
        },
        "deferred": dict(Counter(_gist(e["why"]) for e in nights if e["why"])),
        "moved": dict(Counter(e["what"] for e in events if e["e"] == "moved")),
    }


def _gist(why: str) -> str:
    """Return the reason without the path or branch that it names."""
    return re.sub(r"\S*/\S*|\S+\.(md|lock)\b|\(process.*", "…", why)[:60]


def _share(values: list[float], share: float) -> float:
    return (
        values[min(len(values) - 1, int(len(values) * share))]
        if values
        else 0.0
    )
