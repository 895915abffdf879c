"""The names that a python case can use: to run the program, and to look into git and SQLite.

This file runs a case as a script, in a process of its own. A false `assert` prints both sides; it
is the only way in which a case fails. Any other error makes the case *broken*, so that a violating
twin does not count as noticed because it crashed.
"""

import ast
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

# asks a program that works inside a server for a process that may be stopped, killed or traced
OWN_PROCESS = {"CONFORMANCE_OWN_PROCESS": "1"}
FALSE = 3  # exit code: an assertion was false
LACKS = 4  # exit code: something that the case needs is not here; any other than 0 means broken


_started: list["subprocess.Popen[bytes]"] = []


class Broken(Exception):
    """The case could not be carried out, which says nothing about the law."""


class Lacks(Exception):
    """What this case needs is not here; it says nothing about the law."""


class Answer(NamedTuple):
    """The result of a command: exit code and output."""

    exit: int
    out: str
    err: str
    raw: bytes

    @property
    def json(self) -> Any:
        """Return the JSON document on standard output; Broken if it is not exactly one."""
        try:
            return json.loads(self.out)
        except ValueError:
            raise Broken(
                f"not one JSON document [exit {self.exit}]: {self.out!r} {self.err}"
            ) from None


def run(
    *args: str,
    stdin: str | bytes = b"",
    now: str | None = None,
    cwd: Any = None,
    timeout: float = 60,
) -> Answer:
    """Run `companion *args`. Raises TimeoutExpired after *timeout* seconds."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        ["companion", *args],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=_env(now),
        timeout=timeout,
        check=False,
    )
    out = done.stdout.decode("utf-8", "replace")
    err = done.stderr.decode("utf-8", "replace")
    return Answer(done.returncode, out, err, done.stdout)


def companion(*args: str, exit: int = 0, **options: Any) -> Any:
    """Run a command with --json and return its document; Broken if it does not exit with *exit*."""
    answer = run("--json", *args, **options)
    if answer.exit != exit:
        raise Broken(
            f"companion {' '.join(args)} [exit {answer.exit}]\n{answer.out}{answer.err}"
        )
    return answer.json


#: readings of a machine under which a night may run
GOOD_MACHINE = {
    "load": 0.1,
    "heat": 0.4,
    "on_mains": True,
    "battery": 0.9,
    "metered": False,
    "free": 1 << 36,
}


def set_machine(*readings: dict[str, Any]) -> None:
    """Let the program read these from its machine, one after another; the last ones stay."""
    bodies = [{**GOOD_MACHINE, **changes} for changes in readings or ({},)]
    os.environ["COMPANION_BODY"] = json.dumps(bodies)


def capture_and_consolidate(
    *notes: str | dict[str, Any], now: str | None = None
) -> Any:
    """Capture *notes*, run a night, and return its report.

    A note is its text, or the fields of a line of `ingest --jsonl`.
    """
    records = [
        note if isinstance(note, dict) else {"text": note} for note in notes
    ]
    lines = [json.dumps(record) for record in records]
    companion("ingest", "--jsonl", "-", stdin="\n".join(lines), now=now)
    return companion("consolidate", now=now)


def claim_key(
    subject: str, predicate: str, *args: str, now: str | None = None
) -> Any:
    """Return the one key of `claims --history` with *subject* and *predicate*; Broken if there are
    none or several.
    """
    keys = companion("claims", subject, predicate, "--history", *args, now=now)[
        "keys"
    ]
    if len(keys) != 1:
        raise Broken(f"{len(keys)} keys are called {subject}, {predicate}")
    return keys[0]


def start(
    *args: str, now: str | None = None, **options: Any
) -> "subprocess.Popen[bytes]":
    """Start the program in a process group of its own and return at once.

    What still runs at the end of the case is killed.
    """
    process = subprocess.Popen(
        ["companion", *args],
        env={**_env(now), **OWN_PROCESS},
        start_new_session=True,
        **options,
    )
    _started.append(process)
    return process


def await_lock(name: str, seconds: float = 20.0) -> None:
    """Wait until a run holds the lock file *name*, and a little longer, so that it is at work.

    On a busy machine a program takes long to start. One that writes no lock is waited for in vain.
    """
    until = time.monotonic() + seconds
    lock = store(name)
    while time.monotonic() < until:
        if lock.exists() and lock.stat().st_size:
            break
        time.sleep(0.02)
    time.sleep(0.3)


def _env(now: str | None) -> dict[str, str]:
    clock = {"COMPANION_NOW": now} if now else {}
    return {**os.environ, **clock}


def git(*args: str, stdin: bytes = b"") -> str:
    """Return what `git *args` prints, without its last newline; Broken if git fails."""
    done = subprocess.run(
        ["git", *args], input=stdin, capture_output=True, check=False
    )
    if done.returncode:
        raise Broken(
            f"git {' '.join(args)}: {done.stderr.decode('utf-8', 'replace')}"
        )
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def git_ok(*args: str) -> bool:
    """Tell whether `git *args` succeeds."""
    return (
        subprocess.run(
            ["git", *args], capture_output=True, check=False
        ).returncode
        == 0
    )


def store(name: str) -> Path:
    """Return the path of a file in the program's own folder inside the git folder."""
    return (
        Path(git("rev-parse", "--git-common-dir")).resolve()
        / "companion"
        / name
    )


def journal(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return rows of the journal, which holds what is not yet in git."""
    return database(store("journal.db"), sql, *values)


def index(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return rows of the index, which is computed from git and the journal."""
    return database(store("index.db"), sql, *values)


def database(path: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run *sql* on the SQLite file at *path*, commit, and return the rows."""
    with closing(sqlite3.connect(path, timeout=10)) as db, db:
        return db.execute(sql, values).fetchall()


def tables(path: Path) -> set[str]:
    """Return the names of the tables of a SQLite file."""
    return {
        row[0]
        for row in database(
            path, "SELECT name FROM sqlite_master WHERE type = 'table'"
        )
    }


def columns(path: Path, table: str) -> set[str]:
    """Return the names of the columns of *table*."""
    return {row[1] for row in database(path, f"PRAGMA table_info({table})")}


def sha256(data: bytes | str) -> str:
    """Return the SHA-256 of *data* in hex."""
    return hashlib.sha256(
        data.encode() if isinstance(data, str) else data
    ).hexdigest()


def files(folder: Any = ".") -> dict[str, bytes]:
    """Return every file of the work tree with its bytes, without those of `.git`."""
    root = Path(folder)
    contents = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            contents[path.relative_to(root).as_posix()] = path.read_bytes()
    return contents


def write_file(path: str, text: str) -> Path:
    """Write *text* to *path*, make its folders, and return the path."""
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


def make_foundation(title: str, text: str = "", dependents: int = 12) -> None:
    """Make a page with *text*, and pages that link to it, so that it is protected by its gravity.

    Without *text* the page exists already. Broken if the page is not protected afterwards.
    """
    if text:
        write_file(f"{title}.md", f"# {title}\n\n{text}\n")
    for n in range(dependents):
        write_file(
            f"Plans/{title} plan {n}.md",
            f"# {title} plan {n}\n\nRests on [[{title}]].\n",
        )
    companion("adopt", now="2026-03-01T09:00:00Z")
    companion("decay", now="2026-03-01T10:00:00Z")
    if not companion("show", title)["gravity_protected"]:
        raise Broken(
            f"{dependents} pages depend on {title}, and it is not protected"
        )


def make_gathering_page() -> Path:
    """Let the program gather two notes on the page Gateway, on which twelve others rest; return its
    path. Broken if they do not stand on one page.
    """
    for minute, words in (
        ("10", "The Harrow gateway stands in the cellar."),
        ("30", "The Harrow gateway listens on port 8080."),
    ):
        now = f"2026-03-01T08:{minute}:00Z"
        companion("ingest", "--title", "Gateway", words, now=now)
        companion("consolidate", now=now)
    make_foundation("Gateway")
    page = companion("show", "Gateway")
    if len(page["captures"]) != 2:
        raise Broken(f"two notes are not on one page: {page}")
    return Path(page["path"])


def gateway_statement(words: str) -> str:
    """Return the capture on the Gateway page whose words contain *words*; Broken if none has."""
    for capture in companion("show", "Gateway")["captures"]:
        if words in companion("show", capture)["text"]:
            return str(capture)
    raise Broken(f"no note on the page says {words!r}")


TOPICS = tuple(
    a + b
    for a in ("kor", "mel", "tur", "vas", "nib", "dop", "sel")
    for b in ("an", "ek", "il", "ov", "ush")
)


def make_hub(topics: int = 9) -> str:
    """Make a page that comes first in every search and to which a page of each topic links; return
    its id.
    """
    sentences = " ".join(f"{topic} rules." for topic in TOPICS)
    write_file("Hub.md", f"# Hub\n\n{sentences}\n")
    for topic in TOPICS[:topics]:
        write_file(
            f"{topic}.md",
            f"# The {topic}\n\nOf the {topic} rules there is much to say, at length. See [[Hub]].\n",
        )
    companion("adopt", now="2026-03-01T09:00:00Z")
    companion("decay", now="2026-03-01T10:00:00Z")
    # `companion show` would be recorded as a use of the page
    ((entry,),) = index("SELECT id FROM entries WHERE title = 'Hub'")
    return str(entry)


def make_gathering_hub() -> dict[str, str]:
    """Let the program gather two notes on the page Hub, on six topics each; return their captures
    by their first topics. Broken if they do not stand on one page.
    """
    captures = {}
    for first in (0, 6):
        topics = TOPICS[first : first + 6]
        words = " ".join(f"The {topic} rules are known." for topic in topics)
        now = f"2026-03-01T09:{first:02}:00Z"
        doc = companion("ingest", "--title", "Hub", words, now=now)
        captures[topics[0]] = doc["captures"][0]["id"]
        companion("consolidate", now=now)
    page = companion("show", "Hub", now="2026-03-01T10:00:00Z")
    if sorted(page["captures"]) != sorted(captures.values()):
        raise Broken(f"two notes are not on one page: {page}")
    return captures


def ask_each_topic(
    opened: str,
    said: str = "",
    *,
    topics: int = 9,
    first: int = 0,
    words: str = "rules",
    day: str = "02",
) -> None:
    """Search one question about each topic on a *day* of March 2026, and let the night record it.

    The topics are the *first* of all and those that follow it.

    After each search *opened* is shown; "{}" stands for the topic's own page. *said* is the
    feedback, "good" or "bad".
    """
    noon = f"2026-03-{day}T12:00:00Z"
    for minute, topic in enumerate(TOPICS[first : first + topics]):
        at = f"2026-03-{day}T09:{minute:02}"
        companion("search", f"{topic} {words}", now=f"{at}:00Z")
        companion("show", opened.format(f"The {topic}"), now=f"{at}:10Z")
        if said:
            companion("feedback", said, now=f"{at}:20Z")
    companion(
        "ingest", f"# Errand of day {day}\nWe walked along the shore.", now=noon
    )
    consolidate_on(day)


def audit_entry(title: str = "Hub", *, now: str) -> dict[str, Any]:
    """Audit the entry called *title*; return what was found, with the run."""
    doc = companion("audit", "--entry", title, now=now)
    (found,) = doc["audited"]
    return {**found, "run": doc["run"]}


def make_weak_page(title: str = "North", first: str = "") -> Path:
    """Let the program make a page on 1 March 2026 on which no other depends; return its path.

    *first* is the first sentence of its text.
    """
    opening = f"{first} " if first else ""
    text = (
        f"# {title}\n\n{opening}The {title} depot was closed in spring because its roof leaked "
        "badly. All of its stock went to [[Harbour]] on two trucks. A guard stayed on until autumn and wrote a log. "
        "Nobody has asked for that log so far. The fence around it was sold in the same year. "
        "Two of the three gates were kept for later use.\n\nkeeper:: Rosa\n"
    )
    companion("ingest", text, now="2026-03-01T08:00:00Z")
    return Path(
        companion("consolidate", now="2026-03-01T09:00:00Z")["integrated"][0][
            "path"
        ]
    )


def capture_daily(since: str, days: int = 8) -> str:
    """Capture a note on each of *days* days from *since*; return the evening of the last day.

    DECAY counts only days on which the wiki was used.
    """
    day = datetime.fromisoformat(since)
    for _ in range(days):
        date = f"{day:%Y-%m-%d}"
        note = f"On {date} all was quiet."
        companion("ingest", "--title", "Diary", note, now=f"{date}T09:00:00Z")
        day += timedelta(days=1)
    return f"{date}T23:00:00Z"


def capture_on(when: str, source: str, text: str) -> str:
    """Capture *text* from *source* on the day *when* of March 2026; return the capture's id."""
    options = ("--source", source) if source else ()
    done = companion("ingest", *options, text, now=f"2026-03-{when}T09:00:00Z")
    return str(done["captures"][0]["id"])


def consolidate_on(when: str) -> Any:
    """Run `companion consolidate` at 23:00 on the day *when* of March 2026; return its report."""
    return companion("consolidate", now=f"2026-03-{when}T23:00:00Z")


def minority_branches(*, state: str = "open") -> list[dict[str, Any]]:
    """Return the minority branches in one state."""
    found = companion("branches")["branches"]
    return [branch for branch in found if branch["state"] == state]


def overturn_gateway() -> dict[str, Any]:
    """Let three sources overturn a protected page over three nights; return their branch."""
    make_foundation("Gateway", "The Harrow gateway listens on port 8080.")
    return contradict_gateway()


def contradict_gateway() -> dict[str, Any]:
    """Capture three notes from three sources, a night after each, against the Gateway page; return
    their branch. Broken if it does not win.
    """
    for day, source, words in (
        ("02", "the runbook", "The Harrow gateway listens on port 9090."),
        (
            "06",
            "netstat",
            "Netstat shows that the Harrow gateway listens on port 9090.",
        ),
        (
            "11",
            "a probe",
            "Our probe found the Harrow gateway listens on port 9090.",
        ),
    ):
        capture_on(day, source, words)
        consolidate_on(day)
    won = minority_branches(state="promoted")
    if len(won) != 1:
        found = companion("branches")["branches"]
        raise Broken(f"three sources over three nights did not win: {found}")
    return won[0]


def serve_model(
    label: str = "contradicts", strength: float = 0.9, against: str = ""
) -> list[str]:
    """Serve a language model on this machine, called `llm:contrary`, and return the list to which
    each question is added as it is asked.

    The model answers *label* to every question, also where a prompt has several with numbers. Of two answers, A and B, it prefers the one in
    which *against* does not occur, and A if both are alike in that.
    """
    # only here: it takes as long to load as everything above
    import http.server

    said = {
        "label": label,
        "basis": "other",
        "confidence": 0.9,
        "opposition": strength,
        "update": 0.0,
    }
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    questions: list[str] = []

    def answer(question: str) -> dict[str, Any]:
        first = question.partition("Answer B")[0]
        better = "B" if against and against in first else "A"
        # a prompt may have many questions, each with its number
        numbers = map(int, re.findall(r"^(\d+)\. ", question, re.MULTILINE))
        told = {
            **said,
            "better": better,
            "answers": [{"question": number, **said} for number in numbers],
        }
        message = {"role": "assistant", "content": json.dumps(told)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }

    class Contrary(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(
                self.rfile.read(int(self.headers["Content-Length"]))
            )
            questions.append(
                "\n".join(str(each["content"]) for each in asked["messages"])
            )
            data = json.dumps(answer(questions[-1])).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Contrary)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = f"http://127.0.0.1:{server.server_address[1]}/v1"
    listed = f"- model_id: contrary\n  model_name: m\n  api_base: {where}\n"
    folder = (
        write_file("../models/extra-openai-models.yaml", listed)
        .resolve()
        .parent
    )
    os.environ.update(LLM_USER_PATH=str(folder), OPENAI_API_KEY="none")
    _need_language_models()
    return questions


def _need_language_models() -> None:
    """Raise Lacks where the program has no library that can speak to a language model."""
    with tempfile.TemporaryDirectory() as folder:
        made = run("init", folder)
        used = run("-C", folder, "models", "use", "llm:contrary")
    if made.exit == 0 and "not installed" in used.err:
        raise Lacks(used.err.strip().splitlines()[0])


def ledger() -> list[dict[str, Any]]:
    """Return every line of every ledger file in HEAD, run by run."""
    lines: list[str] = []
    for name in _ledger_files():
        lines += git("show", f"HEAD:{name}").splitlines()
    return [json.loads(line) for line in lines]


STATES = {
    "created": "active",
    "restored": "active",
    "decaying": "decaying",
    "archived": "archived",
}


def recorded_states(entry: str) -> list[tuple[str, str]]:
    """Return every state of *entry* that the ledger records, in order, each with the operation that
    recorded it. Fails if one has no reason.
    """
    found = []
    operation = ""
    for line in ledger():
        if line["e"] == "run":
            operation = line["operation"]
        elif line["e"] in STATES and line["entry"] == entry:
            found.append((STATES[line["e"]], operation))
            if not line["reason"]:
                raise AssertionError(f"{line['e']} without a reason")
    return found


def ledger_of_run(run: str) -> list[dict[str, Any]]:
    """Return every line of one run's ledger file in HEAD."""
    (name,) = [
        name for name in _ledger_files() if name.endswith(f"{run}.jsonl")
    ]
    return [
        json.loads(line) for line in git("show", f"HEAD:{name}").splitlines()
    ]


def _ledger_files() -> list[str]:
    listing = git(
        "ls-tree", "-r", "--name-only", "HEAD", "--", ".companion/ledger"
    )
    return [
        name for name in sorted(listing.splitlines()) if name.endswith(".jsonl")
    ]


def opened_paths(*args: str, stdin: bytes = b"", by: str = "") -> list[str]:
    """Return every path that `companion *args` and its children tried to open.

    strace records them where it works; otherwise Python's own audit events do, which need a
    program in Python. Broken if nothing at all was recorded.
    """
    by = by or ("strace" if _strace_works() else "audit")
    trace = {"strace": _strace, "audit": _audit}[by]
    with tempfile.TemporaryDirectory() as folder:
        paths = trace(Path(folder), args, stdin)
    if not paths:
        raise Broken("no opened file was recorded")
    return paths


def _strace_works() -> bool:
    if not shutil.which("strace"):
        return False
    command = ["strace", "-o", os.devnull, "true"]
    return (
        subprocess.run(command, capture_output=True, check=False).returncode
        == 0
    )


def _strace(folder: Path, args: tuple[str, ...], stdin: bytes) -> list[str]:
    log = folder / "trace"
    # With -y strace prints the folder that an openat() is relative to.
    command = [
        "strace",
        "-f",
        "-qq",
        "-y",
        "-e",
        "trace=open,openat,openat2,creat",
        "-o",
        str(log),
    ]
    done = subprocess.run(
        [*command, "companion", *args],
        input=stdin,
        env={**os.environ, **OWN_PROCESS},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise Broken(
            f"companion {' '.join(args)} under strace [exit {done.returncode}] {done.stderr!r}"
        )
    calls = re.findall(
        r'(?:open|creat|openat2?)\((?:[^,"]*<([^>]*)>, )?"([^"]*)"',
        log.read_text(errors="replace"),
    )
    return [os.path.join(base or os.getcwd(), path) for base, path in calls]


SPY = """\
import os, sys
_log = os.open({log!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_watched = {{"open", "os.listdir", "os.scandir", "sqlite3.connect", "subprocess.Popen", "os.exec"}}
def _hook(event, args):
    if event in _watched and args and isinstance(args[0], (str, bytes, os.PathLike)):
        os.write(_log, os.fsencode(os.path.abspath(os.fspath(args[0]))) + b"\\n")
sys.addaudithook(_hook)
"""


def _audit(folder: Path, args: tuple[str, ...], stdin: bytes) -> list[str]:
    log = folder / "trace"
    (folder / "sitecustomize.py").write_text(
        SPY.format(log=str(log)), encoding="utf-8"
    )
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        ["companion", *args],
        input=stdin,
        capture_output=True,
        env=env,
        check=False,
    )
    if done.returncode:
        raise Broken(
            f"companion {' '.join(args)} [exit {done.returncode}] {done.stderr!r}"
        )
    return (
        log.read_text(errors="surrogateescape").splitlines()
        if log.exists()
        else []
    )


class _Explain(ast.NodeTransformer):
    """Make a false `assert a == b` print what a and b were."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        test = node.test
        keep = []
        sides = []
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            keep = [
                _stored("_side0", test.left),
                _stored("_side1", test.comparators[0]),
            ]
            sides = [_loaded("_side0"), _loaded("_side1")]
            test = ast.Compare(sides[0], test.ops, [sides[1]])
        message = node.msg or ast.Constant("")
        arguments = [ast.Constant(ast.unparse(node.test)), message, *sides]
        check = ast.Assert(test, ast.Call(_loaded("_explained"), arguments, []))
        return [
            ast.copy_location(statement, node) for statement in (*keep, check)
        ]


def _stored(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _explained(source: str, message: object, *sides: object) -> str:
    lines = [str(message or source)]
    if message:
        lines.append(f"  assert {source}")
    for label, side in zip(("left", "right"), sides, strict=False):
        lines.append(f"  {label}: {_short(side)}")
    return "\n".join(lines)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 2000 else f"{text[:1000]} … {text[-900:]}"


def main() -> None:
    """Run the case that the command line names, with the line numbers of its chapter."""
    block, chapter, line = sys.argv[1:4]
    source = "\n" * (int(line) - 1) + Path(block).read_text(encoding="utf-8")
    tree = ast.fix_missing_locations(
        _Explain().visit(ast.parse(source, chapter))
    )
    code = compile(tree, chapter, "exec")
    try:
        exec(code, {**globals(), "__name__": "case"})
    except AssertionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = next(
            frame.lineno
            for frame in reversed(frames)
            if frame.filename == chapter
        )
        print(f"{chapter}:{where} {error}", file=sys.stderr)
        sys.exit(FALSE)
    except Lacks as error:
        print(error, file=sys.stderr)
        sys.exit(LACKS)
    finally:
        for process in _started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
