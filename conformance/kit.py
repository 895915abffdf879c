"""What a python block can say: run the program, look into git and SQLite, watch which files are
opened.

A block is run by this file as a script, in a process of its own, and sees the public names below. A
false `assert` explains itself with both sides; it is the only way to fail. Everything else that
goes wrong is *broken*, so that a violating twin cannot pass for noticed because it crashed.
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
import traceback
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

FALSE = 3  # exit code: an assertion was false; any other than 0 means broken


_started: list["subprocess.Popen[bytes]"] = []


class Broken(Exception):
    """The case could not be carried out; says nothing about the law."""


class Answer(NamedTuple):
    """What a command said."""

    exit: int
    out: str
    err: str
    raw: bytes

    @property
    def json(self) -> Any:
        """The one document on standard output."""
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
    """Run `companion *args`; raises TimeoutExpired past *timeout* seconds."""
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
    text = [part.decode("utf-8", "replace") for part in (done.stdout, done.stderr)]
    return Answer(done.returncode, text[0], text[1], done.stdout)


def companion(*args: str, exit: int = 0, **options: Any) -> Any:
    """Run with --json and return the document; any other exit code than *exit* is Broken."""
    answer = run("--json", *args, **options)
    if answer.exit != exit:
        raise Broken(f"companion {' '.join(args)} [exit {answer.exit}]\n{answer.out}{answer.err}")
    return answer.json


def capture_and_consolidate(*notes: str | dict[str, Any], now: str | None = None) -> Any:
    """Capture *notes*, texts or lines of `ingest --jsonl`, let a night go by, and return what it
    says.
    """
    lines = [json.dumps(note if isinstance(note, dict) else {"text": note}) for note in notes]
    companion("ingest", "--jsonl", "-", stdin="\n".join(lines), now=now)
    return companion("consolidate", now=now)


def claim_key(subject: str, predicate: str, *args: str, now: str | None = None) -> Any:
    """What `claims --history` says of the one matter that *predicate* is of *subject*; two of them
    are Broken.
    """
    keys = companion("claims", subject, predicate, "--history", *args, now=now)["keys"]
    if len(keys) != 1:
        raise Broken(f"{len(keys)} matters are called {subject}, {predicate}")
    return keys[0]


def start(*args: str, now: str | None = None, **options: Any) -> "subprocess.Popen[bytes]":
    """Start the program in a process group of its own and return at once; what still runs at the
    end is killed.
    """
    process = subprocess.Popen(
        ["companion", *args], env=_env(now), start_new_session=True, **options
    )
    _started.append(process)
    return process


def _env(now: str | None) -> dict[str, str]:
    return {**os.environ, **({"COMPANION_NOW": now} if now else {})}


def git(*args: str, stdin: bytes = b"") -> str:
    """What `git *args` prints, without its last newline; a failing git is Broken."""
    done = subprocess.run(["git", *args], input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise Broken(f"git {' '.join(args)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def git_ok(*args: str) -> bool:
    """Does `git *args` succeed?"""
    return subprocess.run(["git", *args], capture_output=True, check=False).returncode == 0


def store(name: str) -> Path:
    """A file of the program's own folder beside the repository."""
    return Path(git("rev-parse", "--git-common-dir")).resolve() / "companion" / name


def journal(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of the journal: what is not yet in git."""
    return database(store("journal.db"), sql, *values)


def index(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of the index: what everything adds up to."""
    return database(store("index.db"), sql, *values)


def database(path: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run *sql* on the SQLite file at *path*, commit, and return the rows."""
    with closing(sqlite3.connect(path, timeout=10)) as db, db:
        return db.execute(sql, values).fetchall()


def tables(path: Path) -> set[str]:
    """The tables of a SQLite file."""
    return {row[0] for row in database(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}


def columns(path: Path, table: str) -> set[str]:
    """The columns of *table*."""
    return {row[1] for row in database(path, f"PRAGMA table_info({table})")}


def sha256(data: bytes | str) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def files(folder: Any = ".") -> dict[str, bytes]:
    """Every file of the work tree (never `.git`) with its bytes."""
    root = Path(folder)
    found = (
        path for path in sorted(root.rglob("*")) if path.is_file() and ".git" not in path.parts
    )
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def write_file(path: str, text: str) -> Path:
    """Write *text* to *path*, folders included, and return it."""
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


def make_foundation(title: str, text: str = "", dependents: int = 12) -> None:
    """Make a page on which so many others rest, let the program take them in and weigh them; no
    *text*: it is there.
    """
    if text:
        write_file(f"{title}.md", f"# {title}\n\n{text}\n")
    for n in range(dependents):
        write_file(f"Plans/{title} plan {n}.md", f"# {title} plan {n}\n\nRests on [[{title}]].\n")
    companion("adopt", now="2026-03-01T09:00:00Z")
    companion("decay", now="2026-03-01T10:00:00Z")
    if not companion("show", title)["gravity_protected"]:
        raise Broken(f"{dependents} pages rest on {title}, and it is not protected")


TOPICS = tuple(
    a + b
    for a in ("kor", "mel", "tur", "vas", "nib", "dop", "sel")
    for b in ("an", "ek", "il", "ov", "ush")
)


def make_hub(topics: int = 9) -> str:
    """Make a page that leads every search and on which a page of each topic rests; return its
    id.
    """
    write_file("Hub.md", "# Hub\n\n" + " ".join(f"{topic} rules." for topic in TOPICS) + "\n")
    for topic in TOPICS[:topics]:
        write_file(
            f"{topic}.md",
            f"# The {topic}\n\nOf the {topic} rules there is much to say, at length. See [[Hub]].\n",
        )
    companion("adopt", now="2026-03-01T09:00:00Z")
    companion("decay", now="2026-03-01T10:00:00Z")
    # to show it would be a reading of it
    return str(index("SELECT id FROM entries WHERE title = 'Hub'")[0][0])


def ask_each_topic(
    opened: str, said: str = "", *, topics: int = 9, words: str = "rules", day: str = "02"
) -> None:
    """Ask one question of each topic on a day of March 2026, open *opened* (or each topic's own
    page, with "{}") and say *said* of it; the night takes it on record.
    """
    at = f"2026-03-{day}T12:00:00Z"
    for n, topic in enumerate(TOPICS[:topics]):
        companion("search", f"{topic} {words}", now=f"2026-03-{day}T09:{n:02}:00Z")
        companion("show", opened.format(f"The {topic}"), now=f"2026-03-{day}T09:{n:02}:10Z")
        if said:
            companion("feedback", said, now=f"2026-03-{day}T09:{n:02}:20Z")
    companion("ingest", f"# Errand of day {day}\nWe walked along the shore.", now=at)
    consolidate_on(day)


def audit_entry(title: str = "Hub", *, now: str) -> dict[str, Any]:
    """Audit one entry; what was found, and in which run."""
    doc = companion("audit", "--entry", title, now=now)
    (found,) = doc["audited"]
    return {**found, "run": doc["run"]}


def make_weak_page(title: str = "North", first: str = "") -> Path:
    """Let the program make a page, on 1 March 2026, on which nothing rests, with *first* before
    all; return it.
    """
    text = (
        f"# {title}\n\n{first}{' ' * bool(first)}The {title} depot was closed in spring because its roof leaked badly. "
        "All of its stock went to [[Harbour]] on two trucks. A guard stayed on until autumn and wrote a log. "
        "Nobody has asked for that log so far. The fence around it was sold in the same year. "
        "Two of the three gates were kept for later use.\n\nkeeper:: Rosa\n"
    )
    companion("ingest", text, now="2026-03-01T08:00:00Z")
    return Path(companion("consolidate", now="2026-03-01T09:00:00Z")["integrated"][0]["path"])


def capture_daily(since: str, days: int = 8) -> str:
    """Tell something on each of so many days from *since*; return the evening of the last: fading
    waits for use.
    """
    first = datetime.fromisoformat(since)
    for day in (first + timedelta(days=n) for n in range(days)):
        companion(
            "ingest",
            "--title",
            "Diary",
            f"On {day:%Y-%m-%d} all was quiet.",
            now=f"{day:%Y-%m-%d}T09:00:00Z",
        )
    return f"{first + timedelta(days=days - 1):%Y-%m-%d}T23:00:00Z"


def capture_on(when: str, source: str, text: str) -> str:
    """Tell *text* as of *source*, on the day *when* of March 2026, and return the capture's id."""
    given = ("--source", source) if source else ()
    return str(
        companion("ingest", *given, text, now=f"2026-03-{when}T09:00:00Z")["captures"][0]["id"]
    )


def consolidate_on(when: str) -> Any:
    """Consolidate in the night after the day *when* of March 2026."""
    return companion("consolidate", now=f"2026-03-{when}T23:00:00Z")


def minority_branches(*, state: str = "open") -> list[dict[str, Any]]:
    """The minority branches in one state."""
    return [each for each in companion("branches")["branches"] if each["state"] == state]


def overturn_gateway() -> dict[str, Any]:
    """Let three voices overturn a protected belief over three cycles; return the branch that
    won.
    """
    make_foundation("Gateway", "The Harrow gateway listens on port 8080.")
    return contradict_gateway()


def contradict_gateway() -> dict[str, Any]:
    """Let three voices in three cycles say 9090 against a protected page of the Harrow gateway;
    return their branch.
    """
    for day, source, words in (
        ("02", "the runbook", "The Harrow gateway listens on port 9090."),
        ("06", "netstat", "Netstat shows that the Harrow gateway listens on port 9090."),
        ("11", "a probe", "Our probe found the Harrow gateway listens on port 9090."),
    ):
        capture_on(day, source, words)
        consolidate_on(day)
    won = minority_branches(state="promoted")
    if len(won) != 1:
        raise Broken(
            f"three voices over three cycles have not won: {companion('branches')['branches']}"
        )
    return won[0]


def serve_model(label: str = "contradicts", strength: float = 0.9, against: str = "") -> list[str]:
    """Serve a language model on this machine, called `llm:contrary`, that says *label* to whatever
    it is shown.

    Of two answers, A and B, it prefers that in which *against* does not stand; the first, where
    both are alike to it. Returns the list in which the questions gather as they are asked.
    """
    import http.server  # here alone: it takes as long to load as everything above

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
        message = {"role": "assistant", "content": json.dumps({**said, "better": better})}
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
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            questions.append("\n".join(str(each["content"]) for each in asked["messages"]))
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
    folder = write_file("../models/extra-openai-models.yaml", listed).resolve().parent
    os.environ.update(LLM_USER_PATH=str(folder), OPENAI_API_KEY="none")
    return questions


def ledger() -> list[dict[str, Any]]:
    """Every line of every ledger file in HEAD, run by run."""
    names = [
        name
        for name in git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
        if _is_ledger(name)
    ]
    texts = [git("show", f"HEAD:{name}") for name in sorted(names)]
    return [json.loads(line) for text in texts for line in text.splitlines()]


STATES = {"created": "active", "restored": "active", "decaying": "decaying", "archived": "archived"}


def recorded_states(entry: str) -> list[tuple[str, str]]:
    """Every state that the ledger lets *entry* take, in order, each with the operation of the run
    that says so.
    """
    found, operation = [], ""
    for line in ledger():
        operation = line["operation"] if line["e"] == "run" else operation
        if line["e"] in STATES and line["entry"] == entry:
            found.append((STATES[line["e"]], operation))
            if not line["reason"]:
                raise AssertionError(f"{line['e']} without a reason")
    return found


def ledger_of_run(run: str) -> list[dict[str, Any]]:
    """Every line of one run's ledger file in HEAD."""
    (name,) = [
        name
        for name in git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
        if name.endswith(f"{run}.jsonl")
    ]
    return [json.loads(line) for line in git("show", f"HEAD:{name}").splitlines()]


def _is_ledger(name: str) -> bool:
    return name.startswith(".companion/ledger/") and name.endswith(".jsonl")


def opened_paths(*args: str, stdin: bytes = b"", by: str = "") -> list[str]:
    """Every path that `companion *args` and its children tried to open.

    Traced by strace where it works, else by Python's own audit events (which need a Python
    program). A trace that saw nothing is Broken, not clean.
    """
    trace = {"strace": _strace, "audit": _audit}[by or ("strace" if _strace_works() else "audit")]
    with tempfile.TemporaryDirectory() as folder:
        paths = trace(Path(folder), args, stdin)
    if not paths:
        raise Broken("the trace saw nothing at all")
    return paths


def _strace_works() -> bool:
    if not shutil.which("strace"):
        return False
    return (
        subprocess.run(
            ["strace", "-o", os.devnull, "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


def _strace(folder: Path, args: tuple[str, ...], stdin: bytes) -> list[str]:
    log = folder / "trace"
    # -y prints the folder that an openat() is relative to.
    command = ["strace", "-f", "-qq", "-y", "-e", "trace=open,openat,openat2,creat", "-o", str(log)]
    done = subprocess.run(
        [*command, "companion", *args], input=stdin, capture_output=True, check=False
    )
    if done.returncode:
        raise Broken(
            f"companion {' '.join(args)} under strace [exit {done.returncode}] {done.stderr!r}"
        )
    calls = re.findall(
        r'(?:open|creat|openat2?)\((?:[^,"]*<([^>]*)>, )?"([^"]*)"', log.read_text(errors="replace")
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
    (folder / "sitecustomize.py").write_text(SPY.format(log=str(log)), encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        ["companion", *args], input=stdin, capture_output=True, env=env, check=False
    )
    if done.returncode:
        raise Broken(f"companion {' '.join(args)} [exit {done.returncode}] {done.stderr!r}")
    return log.read_text(errors="surrogateescape").splitlines() if log.exists() else []


class _Explain(ast.NodeTransformer):
    """Let a false `assert a == b` say what a and b were."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        test, keep, sides = node.test, [], []
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            keep = [
                _stored(f"_side{n}", side) for n, side in enumerate([test.left, *test.comparators])
            ]
            sides = [_loaded("_side0"), _loaded("_side1")]
            test = ast.Compare(sides[0], test.ops, [sides[1]])
        told = [ast.Constant(ast.unparse(node.test)), node.msg or ast.Constant(""), *sides]
        check = ast.Assert(test, ast.Call(_loaded("_explained"), told, []))
        return [ast.copy_location(statement, node) for statement in (*keep, check)]


def _stored(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _explained(source: str, message: object, *sides: object) -> str:
    shown = [
        f"  {label}: {_short(side)}" for label, side in zip(("left", "right"), sides, strict=False)
    ]
    return "\n".join([str(message or source), *([f"  assert {source}"] if message else []), *shown])


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 2000 else f"{text[:1000]} … {text[-900:]}"


def main() -> None:
    """Run the block named on the command line so that its lines count as the chapter's."""
    block, chapter, line = sys.argv[1:4]
    source = "\n" * (int(line) - 1) + Path(block).read_text(encoding="utf-8")
    tree = ast.fix_missing_locations(_Explain().visit(ast.parse(source, chapter)))
    code = compile(tree, chapter, "exec")
    try:
        exec(code, {**globals(), "__name__": "case"})
    except AssertionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = next(frame.lineno for frame in reversed(frames) if frame.filename == chapter)
        print(f"{chapter}:{where} {error}", file=sys.stderr)
        sys.exit(FALSE)
    finally:
        for process in _started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
