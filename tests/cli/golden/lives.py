"""The lives: scripts of what somebody does with a wiki, each in a home of its own.

Every verb is called in at least one of them, with its options, dry runs and errors. A new option
joins by a call of its own at the end of the life it belongs to: a call in the middle may change
the documents after it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tests.cli.golden import Json, Life, normalise
from tests.cli.golden.daily import daily

SECRET = "aws_access_key_id = AKIAIOSFODNN7REALKEY"
TOKEN = "deploy token ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def lived(name: str, folder: Path) -> list[dict[str, Json]]:
    """Live one of the lives in *folder*; return its calls, normalised."""
    life = Life(folder / name)
    LIVES[name](life)
    return normalise(life.calls, life.root)


def jsonl(notes: Iterable[Mapping[str, object]]) -> str:
    """Return *notes* as `ingest --jsonl -` takes them."""
    return "".join(json.dumps(note) + "\n" for note in notes)


# -- capturing -----------------------------------------------------------------------------------


def capturing(life: Life) -> None:
    """What can be handed over, and how; what is refused."""
    life.call("--version")
    life.call("status")  # no wiki here
    life.call("ingest", "Nowhere to put it")
    life.call("init", ".", "--dry-run")
    life.call("init")
    life.call("init", ".")  # once more
    life.call("log")
    life.call("log", "--limit", "0")
    life.at("2026-03-01T09:00")
    life.call("ingest", "Buy oat milk for the office")
    life.call("ingest", "Buy oat milk for the office")  # seen
    life.call(
        "ingest",
        "--source",
        "runbook",
        "--channel",
        "wiki",
        "Buy oat milk for the office",
    )
    life.call("ingest", "# A title of its own\n\nAnd some words below it.")
    life.call(
        "ingest",
        "--title",
        "Mara",
        "--agent",
        "scribe",
        "Mara leads operations.",
    )
    life.call(
        "ingest",
        "--event-time",
        "2026-02-24",
        "--priority",
        "0.9",
        "The crane was painted.",
    )
    life.call(
        "ingest",
        "--scope",
        "private",
        "--agent",
        "scribe",
        "The safe opens with a small key.",
    )
    life.call("ingest", "--", "-40 degrees in the morning")
    life.call("ingest", "One note", "and another one")
    life.call(
        "ingest", "-", stdin="A note from standard input, about the quay.\n"
    )
    life.call(
        "ingest",
        "--lines",
        "-",
        stdin="First line of three\n\nSecond line of three\n",
    )
    life.write(
        "../outside/letter.md",
        "---\ntags: [post]\n---\n# Letter\n\nDear harbour master.\n",
    )
    life.write("../outside/deep/list.txt", "rope, tar, nails\n")
    life.write("../outside/picture.png", "no text\0")
    life.call("ingest", "../outside/letter.md")
    life.call("ingest", "../outside")
    notes = [
        {
            "text": "A note of a stream",
            "title": "Stream",
            "event_time": "2026-02-20T10:00:00Z",
        },
        {
            "text": "And one of an assistant",
            "agent": "claude",
            "source": "summary",
            "channel": "chat",
        },
        {"text": SECRET},
        {"title": "no text at all"},
    ]
    life.call("ingest", "--jsonl", "-", stdin=jsonl(notes))
    life.call("ingest", "--jsonl", "-", stdin="no json\n")
    life.call("ingest", "--jsonl", "../missing.jsonl")
    life.call("ingest", SECRET, TOKEN)
    life.call("ingest", "--redact", TOKEN)
    life.call("ingest", "--store-anyway", "password for the router: hunter22")
    life.call("ingest", "--redact", "--store-anyway", TOKEN)
    life.call("ingest", "")
    life.call("ingest")
    life.call("ingest", "--agent", "", "words")
    life.call("ingest", "--event-time", "some day", "words")
    life.call("ingest", "--priority", "2", "words")
    life.call("ingest", "--scope", "secret", "words")
    life.call("ingest", "--colour", "red", "words")
    life.call(
        "triage",
        "-",
        stdin=f"A line of a stream\nA line of a stream\n{TOKEN}\n",
    )
    life.call(
        "triage",
        "--agent",
        "tail",
        "--source",
        "syslog",
        "--redact",
        stdin=f"{TOKEN}\nAll quiet\n",
    )
    life.call(
        "triage",
        "--store-anyway",
        "--scope",
        "private",
        "--priority",
        "0.1",
        stdin=f"{TOKEN}\n",
    )
    life.call("triage", "file.txt")
    life.call("search", "oat milk")
    life.call("search", "safe", "--agent", "scribe")
    life.call("search", "safe")
    life.call("search", "nothing of the kind")
    life.call("search", "line", "--limit", "1", "--state", "pending")
    life.call("search", "line", "--state", "sleeping")
    life.call("search")
    life.call("status")
    life.call("status", "--agent", "scribe")
    life.call("consolidate", "--dry-run")
    life.at("2026-03-01T23:00")
    life.call("consolidate")
    life.call("consolidate")
    life.call("log", "-n", "1")
    life.call("doctor")
    life.call("sing")
    life.call()
    life.call("--help")
    life.call("morning")
    life.call("sleep", "--dry-run", "--explain")
    life.call("schedule", "install", "--dry-run", "--kind", "systemd")
    life.call("report", "-o", "../report.html")


# -- pages ---------------------------------------------------------------------------------------


def pages(life: Life) -> None:
    """A vault is adopted; pages grow, are edited, pinned and undone, go to other machines; words
    go.
    """
    life.write(
        "Garden.md",
        "# Garden\n\nTomatoes want sun. See [[Ferry]] and [[Nobody]].\n",
    )
    life.write(
        "deep/Ferry.md",
        "---\ntags: [travel]\naliases: [The boat]\n---\nThe ferry leaves at seven.\n",
    )
    life.write("README.md", "# A vault\n")
    life.write("broken.md", "---\ntags: [travel\n---\nHalf a heading.\n")
    life.call("init", "--dry-run")
    first = life.call("init")
    life.at("2026-03-02")
    home = life.call(
        "ingest",
        "--title",
        "Home server",
        "Debian on the old ThinkPad. Holds [[Photos]] and [[Backups]].",
    )
    life.call(
        "ingest",
        "--title",
        "Backups",
        "--source",
        "Lena",
        "Restic to the disk in the cellar, every Sunday.",
    )
    capture = home["captures"][0]["id"]
    for target in (capture[:8], "Home server"):
        life.call("show", target, "--raw")
        life.call("why", target)
    life.at("2026-03-02T23:00")
    night = life.call("consolidate", "--max-calls", "3")
    life.call("show", capture)
    life.call("why", capture)
    life.call("show", "Backups")
    life.call("why", "Backups")
    life.call("show", "Garden")
    life.call("show", "The boat")
    life.call("show", "Nobody")
    life.call("show", night["integrated"][0]["path"])
    life.call("why", night["run"])
    life.call("why", "Backups", "--depends")
    life.call("why", "Home server", "--depends", "--agent", "scribe")
    life.call("why", "Nobody at all")
    life.at("2026-03-03")
    life.append(
        night["integrated"][1]["path"], "The key is with Lena's sister."
    )
    (life.wiki / "deep/Ferry.md").rename(life.wiki / "deep/Boat.md")
    life.write("Staged.md", "# Staged\n\nNot yet.\n")
    life.git("add", "Staged.md")
    (life.wiki / "Garden.md").unlink()
    life.write(
        "Kitchen.md",
        "# Kitchen\n\nThe stove needs a new [[Backups|spare]] part.\n",
    )
    life.write(
        "Own id.md",
        "---\ntitle: By hand\npinned: true\n---\nWith a frontmatter of its own.\n",
    )
    life.call("links")
    life.call("links", "--broken")
    life.call("rename", "--to-titles", "--dry-run")
    life.call("rename", "--to-titles")
    life.call("status")
    life.call("adopt", "--dry-run")
    adopted = life.call("adopt")
    life.call("adopt")
    life.call("why", "Garden")
    life.at("2026-03-04")
    life.call(
        "ingest",
        "--title",
        "Backups",
        "--event-time",
        "2026-03-03",
        "Since Tuesday: Saturdays, not Sundays.",
    )
    life.at("2026-03-04T23:00")
    grown = life.call("consolidate")
    life.call("show", "Backups")
    life.call("search", "cellar")
    life.call("search", "stove", "--agent", "claude", "--state", "active")
    life.call("log")
    life.at("2026-03-05")
    life.call("pin")
    life.call("pin", "Backups")
    life.call("pin", "Backups")
    life.call("pin")
    life.call("unpin", "Backups")
    life.call("unpin", "Backups")
    life.call("unpin")
    life.call("pin", "Nobody at all")
    life.call("undo", grown["run"], "--dry-run")
    undone = life.call("undo", grown["commit"])
    life.call("undo", grown["run"])
    life.call("status")
    life.at("2026-03-05T23:00")
    life.call("undo", undone["run"])
    life.call("undo", first["run"])
    life.call("undo", adopted["run"], "--dry-run")
    life.call("undo", "no-such-run")
    life.call("consolidate", "--held")
    life.call("why", "Backups")
    life.at("2026-03-06")
    life.call("ingest", "This one stays pending.")
    life.call(
        "ingest",
        "--scope",
        "private",
        "--agent",
        "scribe",
        "Only for the scribe.",
    )
    _elsewhere(life)
    _care(life)
    _erasing(life)


def _elsewhere(life: Life) -> None:
    """Export, import and a second machine."""
    life.call("export", "../copy")
    life.call("export", "../copy")
    life.call("export", "../whole", "--with-private")
    life.call("-C", "../again", "import", "../copy")
    life.call("-C", "../again", "log")
    life.call("-C", "../again", "status")
    life.call("-C", "../private", "import", "../whole")
    life.call("-C", "../again", "import", "../copy")
    life.call("-C", "../other", "import", "../missing")
    (life.root / "bare.git").mkdir()
    life.git(
        "init",
        "--quiet",
        "--bare",
        "--initial-branch=main",
        folder=life.root / "bare.git",
    )
    life.call("remote", "add", "box", "../bare.git")
    life.call("remote", "add", "box", "../bare.git", "--with-private")
    life.call("remote", "add", "box", str(life.root / "bare.git"))
    life.call("remote", "sync")
    life.call("remote", "sync", "box")
    life.git("push", "--quiet", "box", "main")
    life.git(
        "clone",
        "--quiet",
        "--origin",
        "box",
        str(life.root / "bare.git"),
        str(life.root / "second"),
    )
    second = life.root / "second"
    life.call("init", folder=second)
    life.call("status", folder=second)
    life.call(
        "remote", "add", "box", str(life.root / "bare.git"), folder=second
    )
    life.call("remote", "sync", folder=second)
    life.call("ingest", "Told on another machine", folder=second)
    life.call("remote", "sync", folder=second)
    life.call("remote", "sync")
    life.call("remote", "sync", "--with-private")
    life.call("remote", "sync", "nowhere")
    life.call("remote", "forget", "box")
    life.call("remote")
    life.call("status")


def _care(life: Life) -> None:
    """What helps when something is broken."""
    life.call("rebuild")
    life.call("doctor")
    (life.wiki / ".git" / "companion" / "index.db").write_bytes(b"no database")
    life.call("doctor")
    life.call("doctor", "--repair")
    life.call("doctor")
    life.write(".companion/companion.yaml", "resoner: light\n")
    life.git("commit", "--quiet", "--all", "--message", "a slip")
    life.call("doctor")
    life.call("status")
    life.call("consolidate")
    life.git("revert", "--no-edit", "HEAD")
    life.call("doctor")


def _erasing(life: Life) -> None:
    """Words that must go."""
    life.at("2026-03-07")
    told = life.call(
        "ingest", "--title", "Gate", "The gate opens with Zebra-77/horse."
    )
    life.at("2026-03-07T23:00")
    life.call("consolidate")
    life.call("erase")
    life.call("erase", "ab")
    life.call("erase", "nobody said this")
    preview = life.call("erase", "Zebra-77/horse")
    life.call("erase", "Zebra-77/horse", "--confirm", "yes")
    life.call(
        "erase",
        "--match",
        "-",
        "--confirm",
        preview["confirm"],
        stdin="Zebra-77/horse",
    )
    life.call("erase", told["captures"][0]["id"])
    life.call("ingest", "Once more: Zebra-77/horse")
    life.call("log", "--limit", "1")
    life.call("status")
    life.call("doctor")


# -- knowing -------------------------------------------------------------------------------------


def knowing(life: Life) -> None:
    """Claims, questions, disputes, private notes, two assistants, and how conflicts are settled."""
    life.call("init")
    texts = ("Anna's boss is Bob.", "The launch depends on the permit.")
    life.call("ingest", *texts)
    # a page of its own, to be corrected by hand
    life.call("ingest", "--title", "Bob lives in Rome", "Bob lives in Rome.")
    life.call(
        "ingest",
        "--event-time",
        "2026-02-01",
        "--source",
        "mail",
        "Paul works at Acme.",
    )
    life.call(
        "ingest",
        "--event-time",
        "2026-02-01",
        "--source",
        "chat",
        "Paul works at Globex.",
    )
    life.call("ask", "Where does Anna's boss live?")  # before any night
    life.at("2026-03-01T23:00")
    life.call("consolidate")
    life.at("2026-03-02")
    life.call("ask", "Where does Anna's boss live?")
    life.call("ask", "Where does Paul work?")
    life.call("ask", "--budget", "1", "Where does Paul work?")
    life.call("ask", "--phrase", "Where does Bob live?")
    life.call("ask", "What is the salary of Anna?")
    life.call("ask", "--as-of", "never", "Where does Bob live?")
    life.call("ask", "Who is it?", "--agent", "scribe")
    life.call("ask")
    life.call("why", "--depends", "permit")
    life.call("claims", "Anna")
    life.call("claims", "Paul", "works at", "--history")
    life.call("claims", "Nobody")
    life.call("claims", "a", "b", "c")
    questions = life.call("review")
    question = next(
        item for item in questions["items"] if item["kind"] == "disputed"
    )
    life.call("review", "show", question["id"])
    life.call("review", "show", "ffffffffffff")
    life.call("review", "praise", question["id"])
    life.call("review", "prefer", question["id"], "nobody")
    life.call("doctor")
    life.call(
        "review",
        "prefer",
        question["id"],
        question["claims"][0]["id"],
        "--agent",
        "scribe",
    )
    life.call("claims", "Paul", "works at", "--history")
    life.call("review", "--all")
    life.at("2026-03-03")
    then = ("--event-time", "2026-02-15")
    life.call("ingest", "Bob lives in Oslo now.", "--source", "Bob")
    life.call(
        "ingest",
        "Meeting on Monday: Bob is not the boss of Anna.",
        "--source",
        "hall",
        "--channel",
        "chat",
    )
    life.call(
        "ingest",
        "--agent",
        "scribe",
        "--scope",
        "private",
        *then,
        "Eva lives in Bern.",
    )
    life.call("ingest", "--agent", "claude", *then, "Eva lives in Basel.")
    life.at("2026-03-03T23:00")
    life.call("consolidate")
    life.at("2026-03-04")
    life.call("ask", "Where does Anna's boss live?")
    life.call("ask", "--as-of", "2026-03-02", "Where does Bob live?")
    life.call("ask", "Where did Bob live before Oslo?")
    life.call("claims", "Bob", "--as-of", "2026-03-02")
    life.call("claims", "Bob", "--known-at", "2026-03-02")
    life.call("claims", "Bob", "--history")
    for reader in (("--agent", "scribe"), ("--agent", "claude"), ()):
        life.call("ask", *reader, "Where does Eva live?")
        life.call("claims", *reader, "Eva")
        life.call("search", *reader, "Eva")
        life.call("status", *reader)
    life.call("review")
    life.call("why", "Bob", "--depends")
    life.call("show", "Bob lives in Rome")
    life.call("why", "Bob lives in Rome")
    life.call("feedback")
    life.call("feedback", "good")
    life.call("feedback", "--agent", "scribe")
    life.call("feedback", "wrong", "Bob lives in Rome")
    life.call("feedback", "splendid")
    life.call("feedback", "bad", "ffffffff")
    _settled_otherwise(life)
    _corrected(life)
    life.at("2026-03-10T23:00")
    life.call("consolidate")
    life.call("feedback")
    life.call("show", "Bob lives in Rome")
    life.call("log")


def _settled_otherwise(life: Life) -> None:
    life.at("2026-03-05")
    for source, price in (("a", 5), ("b", 5), ("c", 6)):
        life.call(
            "ingest", "--source", source, f"The price of Atlas is {price}."
        )
    life.call("consolidate")
    settings = (life.wiki / ".companion/companion.yaml").read_text()
    for strategy in ("await", "evidence", "{prefer: [c]}"):
        life.commit(
            ".companion/companion.yaml",
            f"{settings}claims: {{price: {strategy}}}\n",
            "settings",
        )
        life.call("claims", "Atlas", "price", "--history")
        life.call("ask", "What is the price of Atlas?")
    life.call("review")


def _corrected(life: Life) -> None:
    """Correct a fact in the page itself, by hand."""
    life.at("2026-03-06")
    shown = life.call("show", "Bob lives in Rome")
    page = life.wiki / shown["path"]
    page.write_text(page.read_text().replace("Oslo", "Bergen"))
    life.call("adopt")
    life.call("claims", "Bob", "--history")
    life.call("ask", "Where does Bob live?")


# -- believing -----------------------------------------------------------------------------------

BELIEF = "The message queue delivers every event exactly once."
_FIRST = "The message queue does not deliver every event exactly once."
_SECOND = (
    "After the failover forty events had come in twice: the message queue does not deliver"
    " every event once."
)
_THIRD = (
    "Measured over a week: the message queue doesn't deliver every event exactly once when a"
    " consumer restarts."
)
_FOURTH = (
    "We counted on Thursday: the message queue does not deliver every event exactly once, but"
    " often twice."
)
_RESTS = (
    "Billing",
    "Invoices",
    "Emails",
    "Reports",
    "Webhooks",
    "Refunds",
    "Payouts",
    "Alerts",
)


def believing(life: Life) -> None:
    """A belief that much rests on: what contradicts it waits on a branch, grows, and wins."""
    life.call("init")
    life.call("branches")
    life.call("quarantine")
    life.call("review")
    life.call("ingest", "--title", "Message queue", BELIEF)
    text = "{} rely on the [[Message queue]] and on nothing else."
    notes = [{"title": title, "text": text.format(title)} for title in _RESTS]
    life.call("ingest", "--jsonl", "-", stdin=jsonl(notes))
    life.call("ingest", "--title", "Crane", "The crane lifts forty tons.")
    life.at("2026-03-01T23:00")
    life.call("consolidate")
    life.call("decay", "--dry-run")
    life.call("decay")
    life.call("why", "Message queue", "--depends")
    life.call("show", "Message queue")
    life.at("2026-03-02")
    life.call("ingest", "--source", "post mortem", _FIRST)
    life.call(
        "ingest",
        "--title",
        "Crane",
        "--source",
        "Jonas",
        "The crane does not lift forty tons.",
    )
    life.at("2026-03-02T23:00")
    life.call("consolidate", "--dry-run")
    opened = life.call("consolidate")
    name = opened["branches"][0]["branch"]
    life.call("branches")
    life.call("branches", "show", name)
    life.call("branches", "diff", name)
    life.call("branches", "open", name)
    life.call("branches", "show", "no-such-branch")
    life.call("branches", "close", name)
    life.call("search", "message queue")
    life.call("search", "event exactly once", "--state", "minority")
    life.call("review")
    life.call("quarantine")
    life.call("why", name)
    life.call("status")
    _answered(life)
    life.at("2026-03-03")
    life.call("ingest", "--source", "mary", _SECOND)
    life.call("ingest", "--source", "mary", "--agent", "claude", _FIRST)
    life.at("2026-03-03T23:00")
    life.call("consolidate")
    life.call("branches", "show", name)
    life.at("2026-03-04")
    life.call("ingest", "--source", "vendor", _THIRD)
    life.at("2026-03-04T23:00")
    life.call("consolidate")
    life.at("2026-03-05")
    life.call("ingest", "--source", "auditor", _FOURTH)
    life.at("2026-03-05T23:00")
    won = life.call("consolidate")
    life.call("branches")
    life.call("branches", "show", name)
    life.call("branches", "diff", name)
    life.call("show", "Message queue")
    life.call("why", "Message queue")
    life.call("why", name)
    life.call("search", "message queue")
    life.call("search", "message queue", "--state", "decaying")
    life.at("2026-03-24T23:00")
    life.call("ingest", "--title", "Diary", "All was quiet.")
    life.call("consolidate")
    life.call("review")
    life.call("undo", won["run"], "--dry-run")
    life.call("undo", won["run"])
    life.call("branches", "show", name)
    _flagged(life)
    life.call("log")
    life.call("doctor")


def _answered(life: Life) -> None:
    """Answer what the first night asked."""
    for item, action in zip(
        life.call("review")["items"],
        ("accept", "reject", "merge"),
        strict=False,
    ):
        life.call("review", "show", item["id"])
        life.call("review", action, item["id"], "--agent", "claude")
        life.call("review", "prefer", item["id"], "new")
        life.call("review", "prefer", item["id"], "old")
    life.call("review", "--all")


def _flagged(life: Life) -> None:
    """Somebody else knows better: a signal from outside, and a line that is none."""
    life.at("2026-03-25")
    signals = [
        {
            "claim": "bleach cures colds",
            "by": "the poison centre",
            "why": "it burns the throat",
        },
        {"entry": "Crane", "by": "the vendor", "why": "its chain is weak"},
    ]
    life.commit(
        ".companion/signals.jsonl", f"{jsonl(signals)}no signal\n", "signals"
    )
    life.call(
        "ingest",
        "--title",
        "Colds",
        "Every winter again: bleach cures colds, and it cured mine.",
    )
    for number, word in enumerate(("the Artery", "Artery", "our artery")):
        life.call(
            "ingest",
            "--title",
            f"Incident {number}",
            f"Incident {number} came over [[Billing|{word}]] at night.",
        )
        life.call("consolidate")
    life.call("search", "artery")
    life.call("quarantine")
    life.call("review")
    life.call("status")
    life.call("show", "Colds")
    life.call("audit", "--dry-run")


# -- fading --------------------------------------------------------------------------------------

_NORTH = (
    "The North depot was closed in spring because its roof leaked badly. All of its stock went"
    " to the quay "
    "on two trucks. A guard stayed on until autumn and wrote a log. Nobody has asked for that"
    " log so far. "
    "The fence was sold at once. Two of the three gates of the North depot were kept for later use."
)
_SOUTH = (
    "Grandmother baked her South bread in a stone oven behind the house. The dough rested"
    " overnight under "
    "a linen cloth. Rye from the mill made it dark and heavy. Children carried the loaves to"
    " their neighbours. "
    "Salt was dear in those years. Later the oven cracked during a hard frost and was never mended."
)


def fading(life: Life) -> None:
    """One page is compressed, then archived; another is compressed; a pinned one stays."""
    life.call("decay")  # no wiki yet
    life.call("init")
    life.call("decay")
    settings = (life.wiki / ".companion/companion.yaml").read_text()
    limits = "vitality: {decaying: 0.5, archived: 0.45}\n"
    life.commit(".companion/companion.yaml", settings + limits, "settings")
    life.call("ingest", "--title", "North", _NORTH)
    life.call(
        "ingest",
        "--title",
        "Lighthouse",
        "The lighthouse was built of granite. See [[Harbour]].",
    )
    life.at("2026-03-02")
    life.call("consolidate")
    life.call("pin", "Lighthouse")
    life.call("myself")
    life.call("myself", "Lighthouse")
    life.call("myself")
    life.call("myself", "Lighthouse", "--no-longer")
    life.call("recall", "North")
    _diary(life, "2026-03")
    life.at("2026-04-20")
    life.call("decay", "--dry-run")
    life.call("decay")
    life.call("show", "North")
    life.call("why", "North")
    life.call("search", "depot")
    life.call("search", "depot", "--state", "decaying")
    life.call("recall", "North", "--agent", "claude")
    life.at("2026-05-01")
    life.call("ingest", "--title", "South", _SOUTH)
    life.call("consolidate")
    _diary(life, "2026-05")
    life.at("2026-07-20")
    life.call("decay")
    _diary(life, "2026-09")
    life.at("2026-12-20")
    life.call("decay", "--dry-run")
    decayed = life.call("decay")
    life.call("status")
    life.call("show", "North")
    life.call("show", "Lighthouse")
    life.call("search", "depot", "--state", "archived")
    life.call("why", "North")
    life.call("recall", "North")
    life.call("restore", "South", "--dry-run")
    life.call("recall", "South", "--restore")
    restored = life.call("recall", "North", "--restore")
    life.call("recall", "Diary")
    life.call("recall", "Nobody at all")
    life.call("show", "North")
    life.at("2026-12-21")
    life.call("undo", restored["run"])
    life.call("undo", decayed["run"])
    life.call("show", "South")
    life.call("rebuild")
    life.call("log")
    life.call("doctor")
    life.call("models")
    life.call("models", "use", "light", "--dry-run")
    life.call("models", "use", "light")
    life.call("models", "use", "llm")
    life.call("models", "use", "wizard")
    life.call("models", "--max-calls", "3")
    life.call("models", "choose", "light")


def _diary(life: Life, month: str) -> None:
    """Use the wiki on ten days, on which other things are told: only then does time count."""
    for day in range(10, 20):
        life.at(f"{month}-{day}")
        life.call(
            "ingest",
            "--title",
            "Diary",
            f"All was quiet on {month}-{day}.",
            record=day == 10,
        )


# -- auditing ------------------------------------------------------------------------------------

_TOPICS = (
    "koran",
    "koril",
    "korov",
    "melan",
    "melek",
    "melil",
    "turan",
    "turek",
    "turil",
)


def auditing(life: Life) -> None:
    """Nine questions lead to a page that much rests on and that is no help: an audit finds it
    out.
    """
    life.call("init")
    life.call("audit")
    life.call("settle")
    life.call(
        "ingest",
        "--title",
        "Hub",
        " ".join(f"{topic} rules." for topic in _TOPICS),
    )
    text = "Of the {} rules there is much to say, at length. See [[Hub]]."
    notes = [
        {"title": f"The {topic}", "text": text.format(topic)}
        for topic in _TOPICS
    ]
    life.call("ingest", "--jsonl", "-", stdin=jsonl(notes))
    life.at("2026-03-02")
    life.call("consolidate")
    life.at("2026-03-03")
    life.call("decay")
    for day, topic in enumerate(_TOPICS, 4):
        life.at(f"2026-03-{day:02}")
        first = day == 4
        life.call("search", f"{topic} rules", record=first)
        life.call("show", "Hub", record=first)
        life.call("feedback", "bad", record=first)
    life.at("2026-03-20")
    listed = life.call("feedback")
    life.call("feedback", "useful", "The koran")
    life.call("feedback", "good", listed["queries"][0]["id"])
    life.at("2026-04-05")
    life.call("audit", "--dry-run", "--top", "2")
    life.call("audit", "--entry", "Hub", "--explain", "--dry-run")
    audited = life.call("audit")
    life.call("audit")
    life.call("audit", "--entry", "Nobody at all")
    life.call("audit", "--top", "0")
    life.call("show", "Hub")
    life.call("why", "Hub")
    life.call("status")
    life.at("2026-04-06")
    life.call("settle", "--dry-run")
    settled = life.call("settle")
    life.call("settle")
    life.call("show", "Hub")
    life.call("search", "koran rules")
    life.at("2026-06-20")
    life.call("ingest", "--title", "Diary", "All was quiet.")
    life.call("consolidate")
    life.call("settle")
    life.call("decay")
    life.call("recall", "Hub")
    life.call("audit", "--entry", "The koran")
    life.call("undo", settled["run"])
    life.call("undo", audited["run"])
    life.call("show", "Hub")
    life.call("log", "--limit", "5")
    life.call("doctor")


# -- the demo ------------------------------------------------------------------------------------


def demo(life: Life) -> None:
    """The demo's own document; a folder in use is refused."""
    life.call("demo", "--keep", "../story")
    life.call("demo", "--keep", "../story")
    life.at("2026-05-12")
    life.call("status", folder=life.root / "story")
    life.call("review", folder=life.root / "story")
    life.call("branches", folder=life.root / "story")
    life.call("search", "exactly-once delivery", folder=life.root / "story")
    (life.root / "kettle.html").write_text(
        "<html><title>Kettles</title><p>A kettle boils in four minutes.</p>"
    )
    life.call("ingest", "../kettle.html", folder=life.root / "story")
    life.call("contextualize", folder=life.root / "story")
    life.call("sources", folder=life.root / "story")


LIVES: dict[str, Callable[[Life], None]] = {
    "capturing": capturing,
    "daily": daily,
    "pages": pages,
    "knowing": knowing,
    "believing": believing,
    "fading": fading,
    "auditing": auditing,
    "demo": demo,
}
