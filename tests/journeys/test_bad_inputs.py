"""Whatever is thrown at the program: a clear message, a hint, the documented exit code, and nothing
is lost.
"""

import contextlib
import json
import os
import pty
import re
import shutil
import socket
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.living import Living, sound

CODES = {0, 1, 2, 10, 11, 65, 69, 74, 75}
GIGABYTE = 2**30


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Living:
    wiki = Living(tmp_path_factory.mktemp("made") / "wiki")
    wiki.root.mkdir()
    wiki.write("Garden.md", "# Garden\n\nTomatoes want sun.\n")
    wiki.doc("init", ".")
    wiki.ingest("The harbour opens at six.", title="Harbour")
    wiki.doc("consolidate")
    wiki.ingest("A thought that waits")
    return wiki


@pytest.fixture
def wiki(made: Living, tmp_path: Path) -> Living:
    return made.copy(tmp_path / "wiki")


def refused(
    wiki: Living, *argv: str, code: int, **more: object
) -> dict[str, str]:
    """Run a call that must fail cleanly, in both voices; return the error. Nothing may have
    changed.
    """
    before, captures = wiki.files(), wiki.captures()
    spoken = wiki.run(*argv, **more)
    error = wiki.doc(*argv, code=code, **more)["error"]
    assert spoken.returncode == code == error["exit_code"]
    assert (
        spoken.stderr.startswith(b"error: ")
        and b"Traceback" not in spoken.stderr
    )
    assert error["message"] and error["hint"] and error["kind"]
    assert error["hint"].encode() in spoken.stderr
    assert (wiki.files(), wiki.captures()) == (before, captures)
    return dict(error)


# --- the place
# ----------------------------------------------------------------------------------------------


VERBS = [
    ["ingest", "a"],
    ["consolidate"],
    ["adopt"],
    ["search", "a"],
    ["show", "a"],
    ["log"],
    ["why", "a"],
]
VERBS += [["status"], ["doctor"], ["rebuild"]]


@pytest.mark.parametrize("argv", VERBS, ids=lambda argv: argv[0])
def test_where_there_is_no_wiki_every_verb_says_so(
    tmp_path: Path, argv: list[str]
) -> None:
    nowhere = Living(tmp_path / "nowhere")
    nowhere.root.mkdir()
    for place in (
        [],
        ["--wiki", str(tmp_path / "missing")],
        ["--wiki", os.devnull],
    ):
        done = nowhere.run("--json", *place, *argv)
        error = json.loads(done.stdout)["error"]
        assert (done.returncode, error["exit_code"], error["kind"]) == (
            10,
            10,
            "not-a-wiki",
        ), done
        assert "companion init" in error["hint"]
    assert os.listdir(nowhere.root) == []


def test_repositories_that_will_not_do(tmp_path: Path) -> None:
    for name, prepare in {
        "bare": ["git", "init", "-q", "--bare", "."],
        "sha256": ["git", "init", "-q", "--object-format=sha256", "."],
        "sparse": [
            "sh",
            "-c",
            "git init -q . && git config core.sparseCheckout true",
        ],
        "signed": [
            "sh",
            "-c",
            "git init -q . && git config commit.gpgSign true",
        ],
        "broken": ["sh", "-c", "git init -q . && printf '[core' > .git/config"],
    }.items():
        place = Living(tmp_path / name)
        place.root.mkdir()
        subprocess.run(
            prepare,
            cwd=place.root,
            env=place.env,
            check=True,
            capture_output=True,
        )
        done = place.run("--json", "init", ".")
        error = json.loads(done.stdout)["error"]
        assert done.returncode == error["exit_code"] == 11, (name, done)
        assert error["message"] and error["hint"], name
        assert not (place.root / ".companion").exists(), name


def test_init_where_a_file_stands(tmp_path: Path) -> None:
    place = Living(tmp_path)
    place.write("file", "mine")
    assert refused(place, "init", "file", code=74)
    assert refused(place, "init", "file/inside", code=74)


def test_another_branch_a_merge_and_a_detached_head_are_left_alone(
    wiki: Living,
) -> None:
    wiki.git("checkout", "-qb", "elsewhere")
    for verb in ("consolidate", "adopt"):
        assert (
            "elsewhere is checked out"
            in refused(wiki, verb, code=75)["message"]
        )
    wiki.ingest("Captured on another branch")
    assert wiki.doc("search", "captured", "branch")["results"]
    wiki.git("checkout", "-q", "--detach")
    assert "detached" in refused(wiki, "consolidate", code=75)["message"]
    wiki.git("checkout", "-q", "main")
    (wiki.root / ".git/MERGE_HEAD").write_text(
        wiki.git("rev-parse", "HEAD") + "\n"
    )
    assert "merge" in refused(wiki, "consolidate", code=75)["message"]
    (wiki.root / ".git/MERGE_HEAD").unlink()
    assert len(wiki.doc("consolidate")["integrated"]) == 2
    sound(wiki)


@pytest.mark.parametrize(
    "clock", ["garbage", "99999-01-01T00:00:00Z", "\udcff"]
)
def test_a_clock_that_is_none(wiki: Living, clock: str) -> None:
    wiki.env["COMPANION_NOW"] = clock
    for argv in VERBS[:4]:
        error = wiki.doc(*argv, code=2)["error"]
        assert (
            error["kind"] == "bad-clock"
            and "COMPANION_NOW" in error["message"]
            and error["hint"]
        )


@pytest.mark.parametrize(
    "clock",
    [
        "9999-12-31T23:59:59.999999Z",
        "1969-12-31T23:59:59Z",
        pytest.param("0001-01-01", marks=pytest.mark.slow),
    ],
)
def test_a_clock_at_the_end_of_time_never_reorders_the_past(
    wiki: Living, clock: str
) -> None:
    for n in range(2):
        done = wiki.run(
            "--json", "ingest", f"at the end {n}", env={"COMPANION_NOW": clock}
        )
        assert done.returncode in (0, 2), done
        done = wiki.run("--json", "consolidate", env={"COMPANION_NOW": clock})
        assert done.returncode in (0, 2), done
    sound(wiki)


# --- files at the door
# --------------------------------------------------------------------------------------


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"x" * 10_000)
        file.truncate(GIGABYTE)


def _socket(path: Path) -> None:
    """Make a socket at `path`; bound by its name, for the whole path may be too long for one."""
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a binary file": (lambda p: p.write_bytes(b"\x7fELF\0\0\1"), "binary"),
    "an empty file": (lambda p: p.write_bytes(b""), "empty"),
    "white space": (lambda p: p.write_bytes(b" \n\t\r\n"), "empty"),
    "what cannot be seen": (
        lambda p: p.write_text("\u200b\u2060\ufeff"),
        "empty",
    ),
    "a gigabyte": (_sparse, "too-large"),
    "no UTF-8": (lambda p: p.write_bytes(b"caf\xe9 au lait"), "encoding"),
    "UTF-16": (lambda p: p.write_bytes("café".encode("utf-16")), "encoding"),
    "a late NUL": (
        lambda p: p.write_bytes(b"x" * 100_000 + b"\0"),
        "structure",
    ),
    "a surrogate": (
        lambda p: p.write_bytes(b"\xed\xa0\x80 half a pair"),
        "encoding",
    ),
    "a FIFO": (lambda p: os.mkfifo(p), "special-file"),
    "a socket": (_socket, "special-file"),
    "a device": (lambda p: p.symlink_to("/dev/zero"), "special-file"),
    "a key": (
        lambda p: p.write_text("aws_access_key_id = AKIAIOSFODNN7REALKEY\n"),
        "secret",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_taken_is_named_and_the_rest_goes_on(
    wiki: Living, name: str
) -> None:
    make, kind = FILES[name]
    make(wiki.root / "bad.txt")
    wiki.write("good.txt", f"A good note beside {name}")
    before = wiki.captures()

    doc = wiki.doc("ingest", "bad.txt", "good.txt", code=65)

    assert doc["counts"] == {
        "captured": 1,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 1,
    }
    (item,) = doc["refused"]
    assert (
        item["kind"] == kind
        and item["origin"] == "bad.txt"
        and item["reason"]
        and item["hint"]
    )
    assert "REALKEY" not in json.dumps(doc)
    assert len(wiki.captures()) == len(before) + 1
    spoken = wiki.run("ingest", "bad.txt")
    assert (spoken.returncode, b"hint: " in spoken.stderr) == (65, True)


def test_a_gigabyte_is_never_read(wiki: Living) -> None:
    _sparse(wiki.root / "big.txt")
    assert memory(wiki, "ingest", "big.txt") < 40
    os.truncate(wiki.root / "big.txt", GIGABYTE // 4)
    for argv in (
        ["ingest", "--lines", "big.txt"],
        ["ingest", "--jsonl", "big.txt"],
    ):
        assert memory(wiki, *argv) < 160, argv
    with (wiki.root / "big.txt").open("rb") as stream:
        done = subprocess.run(
            [*Living_program(), "ingest", "-"],
            stdin=stream,
            cwd=wiki.root,
            env=wiki.env,
        )
    assert done.returncode == 65


def Living_program() -> list[str]:
    return [sys.executable, "-m", "companion"]


def memory(wiki: Living, *argv: str) -> float:
    """Return the largest resident size of a call, in MiB."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'companion', *sys.argv[1:]],"
        " stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *argv],
        cwd=wiki.root,
        env=wiki.env,
        capture_output=True,
    )
    return (
        int(done.stdout)
        / (1 if sys.platform == "darwin" else 1024)
        / (1024 if sys.platform == "darwin" else 1)
    )


def test_a_folder_of_links_cycles_and_special_files(
    wiki: Living, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "note.md").write_text("a note in the folder")
    (folder / "inner/other.md").write_text("another one")
    (folder / "inner/up").symlink_to("..")
    (folder / "self").symlink_to("self")
    (folder / "out").symlink_to("/etc")
    (folder / "passwd.md").symlink_to("/etc/passwd")
    (folder / "broken.md").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.md")
    (folder / "\u202egnp.md").write_text("a name that runs backwards")
    os.mkdir(os.fsencode(folder) + b"/\xff\xfe")
    (folder / ".git").mkdir()
    (folder / ".git/config.md").write_text("git's own")

    doc = wiki.doc("ingest", str(folder), code=65)

    assert doc["counts"]["captured"] == 3
    assert sorted({item["kind"] for item in doc["refused"]}) == [
        "special-file",
        "symlink",
    ]
    assert {item["kind"] for item in doc["passed_over"]} == {"duplicate"}
    assert all(item["reason"] and item["hint"] for item in doc["refused"])


def test_what_may_not_even_be_looked_at_is_refused(wiki: Living) -> None:
    done = wiki.run(
        "--json", "ingest", "/proc/self/task", "/proc/1/cwd", "/proc/self/fd"
    )
    json.loads(done.stdout)
    assert done.returncode in (0, 65)


def test_arguments_that_are_no_files(wiki: Living) -> None:
    for argv in (
        ["nowhere/notes.md"],
        ["--lines", "nowhere.txt"],
        ["--jsonl", "nowhere.jsonl"],
        ["x" * 300 + ".md"],
    ):
        assert refused(wiki, "ingest", *argv, code=2)["kind"] == "no-such-file"
    for argv in (["--lines", "."], ["--jsonl", "."]):
        assert (
            "directory"
            in refused(wiki, "ingest", *argv, code=74)["message"].lower()
        )
    assert refused(wiki, "ingest", "--jsonl", "-", "--lines", code=2)


def test_lines_of_json_that_are_none(wiki: Living) -> None:
    bad = [
        "{",
        "[]",
        "null",
        "7",
        '{"text": 7}',
        '{"text": ""}',
        '{"title": "x"}',
        "[" * 100_000,
        '{"text": NaN}',
    ]
    bad += [
        '{"text": "x", "event_time": "yesterday"}',
        '{"text": "x", "priority": 1e400}',
        '{"text": "\\ud800"}',
    ]
    bad += [
        '{"text": "a\\u0000b"}',
        "9" * 5000,
        '{"text": "x", "scope": "public"}',
        '{"text": "x", "channel": "\\u001b"}',
    ]
    data = (
        "\n".join([*bad, '{"text": "the one good line"}']).encode()
        + b'\n{"text": "\xff"}\n'
    )
    doc = wiki.doc("ingest", "--jsonl", "-", stdin=data, code=65)
    assert doc["counts"] == {
        "captured": 1,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": len(bad) + 1,
    }
    assert all(
        item["origin"].startswith("stdin line ")
        and item["reason"]
        and item["hint"]
        for item in doc["refused"]
    )


# --- texts and pages
# ----------------------------------------------------------------------------------------


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n"
    for n in range(8)
)
YAML = {
    "bomb": BOMB,
    "tag": "x: !!python/object/apply:os.system ['touch PWNED']\n",
    "brackets": "x: " + "[" * 100_000 + "\n",
    "itself": "x: &x [*x]\n",
    "types": "a: no\nb: 012\nc: 12:30:45\nd: 9999-99-99\ne: "
    + "9" * 5000
    + "\n",
    "twice": "title: one\ntitle: two\n",
    "list": "- a\n- b\n",
    "long": "x: " + "y" * 2**20 + "\n",
    "colon": "title: a: b: c\n",
    "tab": "\tx: 1\n",
    "controls": "title: \x1b]52;c;cm0gLXJm\x07 \u202e\n",
    "id": "id: aaaaaaaaaaaaaaaa\ncompanion: managed\n",
    "null id": "id: ~\ntitle: ~\naliases: ~\ntags: {a: [b]}\n",
}
PAGES = {
    name: f"---\n{front}---\nThe words of {name} survive.\n"
    for name, front in YAML.items()
}
PAGES |= {
    "unclosed": "---\ntitle: x\nThe words of unclosed survive.\n",
    "only front": "---\n---\n",
    "bom": "\ufeff---\ntitle: b\n---\nThe words of bom survive.\n",
    "crlf": "---\r\ntitle: c\r\n---\r\nThe words of crlf survive.\r\n",
    "escape": "# \x1b[2J\x1b]0;owned\x07\n\nThe words of escape survive.\n",
    "links": "# Links\n"
    + "[[Cycle]] " * 500
    + "[[../../../etc/passwd]] [x](javascript:alert(1)) [[con]]\nwords of links survive\n",
    "deep": "> " * 5000 + "words of deep survive\n" + "[" * 5000 + "](" * 5000,
}
TITLES = [
    "../../outside",
    "/absolute",
    ".git/config",
    ".GIT",
    "git~1",
    "con",
    "aux.md",
    "nul",
    "a:b",
    "a\\b",
    "-rf",
]
TITLES += [
    "x" * 400,
    "é",
    "e\u0301",
    "A",
    "a",
    "ß",
    "SS",
    "trailing ",
    "dot.",
    "\u202egpj.exe",
    ".g\u200bit",
    "%2e%2e%2f",
    "~",
]
TITLES += [
    "README",
    "AGENTS",
    "AGENTS.md",
    "😀" * 60,
    "\u0301",
    "???",
    "line\u2028separator"[:4],
    "`$(touch PWNED)`",
    "{{x}}",
    "[bold]",
]


def test_captures_with_hostile_titles_and_frontmatter_become_pages_and_stay_inside(
    wiki: Living,
) -> None:
    records = [
        {"text": f"Words under the title number {n}", "title": title}
        for n, title in enumerate(TITLES)
    ]
    records += [{"text": text} for text in PAGES.values() if "\0" not in text]
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    doc = wiki.run("--json", "ingest", "--jsonl", "-", stdin=data)
    told = json.loads(doc.stdout)
    assert told["counts"]["captured"] + told["counts"]["refused"] == len(
        records
    )
    assert told["counts"]["refused"] <= 2, told["refused"]
    outside = set(os.listdir(wiki.root.parent))

    night = wiki.doc("consolidate")

    assert (
        night["waiting"] == []
        and len(night["integrated"]) == told["counts"]["captured"] + 1
    )
    paths = {item["path"] for item in night["integrated"]}
    assert all(
        path.startswith(("entries/", "journal/"))
        and path.endswith(".md")
        and (wiki.root / path).is_file()
        for path in paths
    )
    names = [
        unicodedata.normalize("NFC", Path(path).name).casefold()
        for path in paths
    ]
    assert len(set(names)) == len(names)
    assert max(len(Path(path).name.encode()) for path in paths) <= 83
    assert set(os.listdir(wiki.root.parent)) == outside and not list(
        wiki.root.rglob("PWNED")
    )
    for n in range(len(TITLES)):
        assert f"Words under the title number {n}" in wiki.text()
    for name in PAGES:
        assert (
            f"words of {name} survive" in wiki.text().lower()
            or name == "only front"
        )
    sound(wiki, [capture["id"] for capture in told["captures"]])


NAMES = [
    "Ä.md",
    "A\u0308.md",
    "case.md",
    "CASE.md",
    "sp ace .md",
    "-rf.md",
    "a:b.md",
    "con.md",
    "new\nline.md",
    "\u202eevil.md",
]
NAMES += [
    "x" * 252 + ".md",
    'quote".md',
    "back\\slash.md",
    "dot..md",
    ".hidden.md",
    "deep/" * 60 + "page.md",
    "#.md",
    "[x].md",
    "%41.md",
]


def test_a_vault_of_horrors_is_adopted_in_place_to_the_byte(
    tmp_path: Path,
) -> None:
    vault = Living(tmp_path / "vault")
    for name, text in PAGES.items():
        vault.write(f"pages/{name}.md", text.encode("utf-8", "surrogatepass"))
    for name in NAMES:
        vault.write(f"names/{name}", f"The page called {name!r}\n")
    vault.write("latin.md", b"caf\xe9 \xff\xfe")
    vault.write("nul.md", b"a\0b")
    vault.write("empty.md", b"")
    vault.write("cycle/one.md", "[[two]]")
    vault.write("cycle/two.md", "[[one]] [[two]]")
    with open(os.fsencode(vault.root) + b"/bytes-\xff.md", "w") as file:
        file.write("a name that is no UTF-8\n")
    (vault.root / "outward").symlink_to("/etc")
    (vault.root / "passwd.md").symlink_to("/etc/passwd")
    (vault.root / "loop").symlink_to("loop")
    os.mkfifo(vault.root / "pipe.md")
    before = vault.files()

    doc = vault.doc("init", ".")

    assert doc["pages"] >= len(PAGES) + 15
    after = vault.files()
    assert {path: after.get(path) for path in before} == before
    assert all(
        path.startswith(".companion/") for path in set(after) - set(before)
    )
    assert vault.doc("adopt")["run"] is None
    vault.ingest("A thought for the vault")
    vault.doc("consolidate")
    assert {path: vault.files().get(path) for path in before} == before
    assert vault.doc("search", "words", "of", "brackets", "survive")["results"]
    assert vault.doc("show", "pages/bomb.md")["text"] == PAGES["bomb"]
    assert not list(vault.root.rglob("PWNED"))
    sound(vault)


EVERYDAY = ("bomb", "not utf-8", "a folder")
RARER = [
    name for name in (*YAML, "unknown key", "huge") if name not in EVERYDAY
]


@pytest.mark.parametrize(
    "name",
    [
        *EVERYDAY,
        *(pytest.param(name, marks=pytest.mark.slow) for name in RARER),
    ],
)
def test_a_companion_yaml_that_cannot_be_used_is_named_and_captures_go_on(
    wiki: Living, name: str
) -> None:
    odd: dict[str, bytes] = {
        "not utf-8": b"adopt: \xff\xfe",
        "unknown key": b"adpot: ask\n",
        "bad value": b"entries: ../x\n",
    }
    odd["huge"] = b"# " + b"x" * 2**20
    path = wiki.root / ".companion/companion.yaml"
    if name == "a folder":
        path.unlink()
        wiki.write(".companion/companion.yaml/inside", "x")
    else:
        path.write_bytes(odd.get(name, YAML.get(name, "").encode()))
    wiki.git("add", "-A")
    wiki.git("commit", "-qm", "my settings")

    error = refused(wiki, "consolidate", code=65)
    assert "companion.yaml" in error["message"]
    (captured,) = wiki.ingest("captured all the same")
    assert not list(wiki.root.rglob("PWNED"))
    wiki.git("revert", "--no-edit", "HEAD")
    wiki.doc("consolidate")
    sound(wiki, [captured])


# --- queries and terminals
# ----------------------------------------------------------------------------------


QUERIES = [
    '"',
    "*",
    "a-b",
    "NEAR(",
    "x:y",
    "AND",
    "OR NOT",
    "'; drop table entries; --",
    str(2**63),
    "(" * 500,
    "title:harbour",
]
QUERIES += [
    "-x",
    "^harbour",
    "harbour*",
    "{a b}",
    "\\",
    "%",
    "_",
    "\ud7ff",
    "\x1b[2J",
    "[bold]",
    "[/x]",
    "e\u0301",
    "\u202e",
    "",
    " ",
]
QUERIES += [
    "a" * 100_000,
    "NEAR(a b, 99999999999)",
    '"unclosed phrase',
    "harbour + six",
    "日本語",
    "😀",
    "\udcff",
]


@pytest.mark.parametrize("state", [None, "pending", "active"])
def test_no_query_is_an_error(wiki: Living, state: str | None) -> None:
    for query in QUERIES if state is None else QUERIES[::4]:
        options = ["--state", state] if state else []
        done = wiki.run("--json", "search", *options, "--", query)
        doc = json.loads(done.stdout)
        assert done.returncode in (0, 1, 2), (query[:40], done)
        assert ("error" in doc) == (done.returncode == 2), doc
    assert wiki.doc("search", "NEAR(", "harbour", "AND", "*")["results"]


def test_twenty_thousand_terms(wiki: Living) -> None:
    begun = time.monotonic()
    done = wiki.run(
        "--json",
        "search",
        "harbour",
        *(f"w{n}" for n in range(20_000)),
        timeout=60,
    )
    assert done.returncode == 0 and json.loads(done.stdout)["results"], (
        done.stderr
    )
    assert time.monotonic() - begun < 20


def test_names_of_nothing(wiki: Living) -> None:
    for verb in ("show", "why"):
        for target in (
            "../../etc/passwd",
            "/etc/passwd",
            "nothing",
            "'",
            "x" * 5000,
            "%",
            "\udcff",
            "0" * 64,
            "-",
        ):
            error = refused(wiki, verb, "--", target, code=1)
            assert error["kind"] == "nothing-found"
    assert wiki.run(
        "--json", "search", "-n", str(2**63), "harbour"
    ).returncode in (0, 2)
    assert wiki.run("--json", "log", "-n", str(2**64)).returncode in (0, 2)


def on_a_terminal(wiki: Living, *argv: str) -> bytes:
    """Return what a call prints when its output is a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*Living_program(), *argv],
        cwd=wiki.root,
        env=wiki.env,
        stdout=follower,
        stderr=follower,
    ):
        os.close(follower)
        said = b""
        try:
            while chunk := os.read(leader, 65536):
                said += chunk
        except OSError:
            pass  # the other end is closed
    os.close(leader)
    return said


def test_texts_never_command_the_terminal(wiki: Living) -> None:
    evil = (
        "Evil \x1b]52;c;cm0gLXJm\x07 \x1b[2J \x1b[41m \x9b31m \u202eback"
        " [bold]x[/bold] [/x]"
    )
    doc = wiki.doc(
        "ingest", "--jsonl", "-", stdin=json.dumps({"text": evil}).encode()
    )
    (captured,) = (capture["id"] for capture in doc["captures"])
    assert wiki.doc("show", captured)["text"] == evil
    wiki.doc("consolidate")
    for argv in (
        ["search", "evil"],
        ["show", captured],
        ["show", "--raw", captured],
        ["why", captured],
        ["log"],
        ["status"],
    ):
        drawn = on_a_terminal(wiki, *argv)
        assert b"\x1b[41m" not in drawn, (argv, drawn)
        # what is left are companion's own colours
        said = re.sub(rb"\x1b\[[0-9;]*m", b"", drawn)
        text = said.decode("utf-8", "replace")
        assert not any(c in text for c in "\x1b\x07\x9b\u202e"), (argv, said)
        assert (
            argv[0] not in ("search", "show") or "[bold]x[/bold] [/x]" in text
        )


# --- programs of a stranger
# ---------------------------------------------------------------------------------


def test_nothing_that_a_cloned_wiki_brings_is_ever_run(
    wiki: Living, tmp_path: Path
) -> None:
    marker = tmp_path / "RAN"
    program = tmp_path / "evil"
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {marker}\ncat\n')
    program.chmod(0o755)
    for hook in (
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
        "pre-auto-gc",
    ):
        shutil.copy(program, wiki.root / ".git/hooks" / hook)
    settings = {
        "core.fsmonitor": program,
        "filter.evil.clean": program,
        "filter.evil.smudge": program,
    }
    settings |= {
        "filter.evil.process": program,
        "filter.evil.required": "true",
        "filter.a=b.clean": program,
    }
    settings |= {
        "diff.external": program,
        "core.pager": program,
        "core.editor": program,
        "log.showSignature": "true",
    }
    settings |= {
        "gpg.program": program,
        "core.sshCommand": program,
        "diff.evil.textconv": program,
        "core.alternateRefsCommand": program,
    }
    settings |= {
        "core.hooksPath": wiki.root / ".git/hooks",
        "core.untrackedCache": "true",
        "interactive.diffFilter": program,
    }
    for key, value in settings.items():
        wiki.git("config", key, str(value))
    wiki.write(
        ".gitattributes", "*.md filter=evil diff=evil\nb.md filter=a=b\n"
    )
    wiki.append("Garden.md", "An edit under a filter.")
    wiki.write("new.md", "# New\n")
    wiki.ingest("a thought for the harbour", title="Harbour")
    wiki.ingest("a quiet thought")

    left = wiki.doc("adopt")["left_out"]
    for argv in (
        ["consolidate"],
        ["search", "thought"],
        ["show", "Harbour"],
        ["why", "Harbour"],
        ["log"],
        ["status"],
    ):
        wiki.doc(*argv)
    wiki.doc("doctor")
    wiki.doc("rebuild")

    assert not marker.exists(), marker.read_text()
    assert "Garden.md" in [item["path"] for item in left]
    assert b"An edit under a filter." in wiki.files()["Garden.md"]


def test_the_callers_git_variables_lead_nowhere_else(
    wiki: Living, tmp_path: Path
) -> None:
    other = Living(tmp_path / "other")
    other.root.mkdir()
    other.git("init", "-q", ".")
    other.write("theirs.md", "theirs")
    other.git("add", ".")
    other.git("commit", "-qm", "theirs")
    before = (
        other.files(),
        other.git("rev-parse", "HEAD"),
        (other.root / ".git/index").read_bytes(),
    )
    wiki.env |= {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "objects"),
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_EXTERNAL_DIFF": "false",
    }
    wiki.append("Garden.md", "An edit.")
    wiki.ingest("a thought")
    for argv in (
        ["adopt"],
        ["consolidate"],
        ["search", "thought"],
        ["status"],
        ["rebuild"],
        ["doctor"],
    ):
        wiki.doc(*argv)
    for name in [
        name
        for name in wiki.env
        if name.startswith("GIT_")
        and name.split("_")[1] not in ("AUTHOR", "COMMITTER", "CONFIG")
    ]:
        del wiki.env[name]
    assert (
        other.files(),
        other.git("rev-parse", "HEAD"),
        (other.root / ".git/index").read_bytes(),
    ) == before
    assert not (tmp_path / "objects").exists()
    sound(wiki)


# --- the disk
# -----------------------------------------------------------------------------------------------


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Return a function that mounts something at a new folder, where the system permits it."""
    points: list[Path] = []

    def mount(*args: str) -> Path:
        point = tmp_path / f"mount{len(points)}"
        point.mkdir()
        done = subprocess.run(["mount", *args, str(point)], capture_output=True)
        if done.returncode != 0:
            pytest.skip(
                f"no permission to mount: {done.stderr.decode().strip()}"
            )
        points.append(point)
        return point

    yield mount
    for point in reversed(points):
        subprocess.run(["umount", "-l", str(point)], check=True)


def test_a_read_only_wiki_is_read_and_says_that_it_cannot_be_written(
    made: Living, mounted: Callable[..., Path]
) -> None:
    fresh = made.files()
    place = mounted("--bind", "-o", "ro", str(made.root))
    wiki = Living(place)
    for argv in (
        ["ingest", "a thought"],
        ["consolidate"],
        ["adopt"],
        ["rebuild"],
    ):
        done = wiki.run("--json", *argv)
        error = json.loads(done.stdout)["error"]
        assert (done.returncode, error["exit_code"]) == (74, 74), done
        assert error["message"] and error["hint"]
    assert wiki.doc("search", "harbour")["results"]
    assert wiki.doc("show", "Harbour")["text"]
    assert made.files() == fresh


def test_a_full_disk_loses_nothing_and_says_so(
    tmp_path: Path, mounted: Callable[..., Path]
) -> None:
    place = mounted("-t", "tmpfs", "-o", "size=3m", "tmpfs")
    wiki = Living(place / "wiki")
    wiki.root.mkdir()
    wiki.doc("init", ".")
    first = wiki.ingest("A thought before the flood")
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass  # full
    before = wiki.files()
    for argv in (
        ["ingest", "x" * 60_000],
        ["consolidate"],
        ["init", str(place / "new")],
    ):
        done = wiki.run("--json", *argv)
        error = json.loads(done.stdout)["error"]
        assert done.returncode == error["exit_code"] == 74, (argv, done)
        assert error["hint"], error
    assert wiki.files() == before
    filler.unlink()
    wiki.doc("consolidate")
    assert "before the flood" in wiki.text()
    sound(wiki, first)


# --- volume
# -------------------------------------------------------------------------------------------------


def timed(wiki: Living, *argv: str, stdin: bytes = b"") -> str:
    begun = time.monotonic()
    done = wiki.run(*argv, stdin=stdin, timeout=900)
    assert done.returncode in (0, 1), done.stderr[-500:]
    return f"{' '.join(argv)[:40]}: {time.monotonic() - begun:.1f} s"


def test_ten_thousand_identical_lines_are_one_capture(wiki: Living) -> None:
    doc = wiki.doc("ingest", "--lines", "-", stdin=b"the very same\n" * 10_000)
    assert doc["counts"] == {
        "captured": 1,
        "seen": 9_999,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 0,
    }
    assert wiki.journal("SELECT count(*) FROM captures") == [(2 + 1,)]


@pytest.mark.parametrize(
    "count", [500, pytest.param(100_000, marks=pytest.mark.slow)]
)
def test_many_small_captures(wiki: Living, count: int) -> None:
    data = "".join(f"small thought {n:06d}\n" for n in range(count)).encode()
    said = [
        timed(wiki, "ingest", "--lines", "-", stdin=data),
        timed(wiki, "consolidate"),
        timed(wiki, "consolidate"),
    ]
    said.append(timed(wiki, "search", f"{count - 1:06d}"))
    print(f"\n{count:,} captures of 20 bytes: " + ", ".join(said))
    assert (
        len(wiki.captures()) == count + 2 and wiki.doc("status")["pending"] == 0
    )
    sound(wiki)


@pytest.mark.parametrize("size", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_one_large_capture(wiki: Living, size: int) -> None:
    text = "".join(f"lorem ipsum {n}\n" for n in range(size * 50_000))
    # a file as long is a document, and no note
    wiki.doc("ingest", "-", stdin=text.encode())
    print(
        f"consolidate {memory(wiki, 'consolidate'):.0f} MiB, search"
        f" {memory(wiki, 'search', 'lorem'):.0f} MiB"
    )
    page = max(wiki.root.rglob("*.md"), key=lambda path: path.stat().st_size)
    assert text.rstrip("\n") in page.read_text()
    sound(wiki)


@pytest.mark.parametrize(
    "count", [2_000, pytest.param(50_000, marks=pytest.mark.slow)]
)
def test_a_page_with_very_many_links_and_a_cycle_of_pages(
    wiki: Living, count: int
) -> None:
    wiki.write(
        "hub.md",
        "# Hub\n\n" + "".join(f"[[Target {n}]]\n" for n in range(count)),
    )
    for n in range(count // 50):
        wiki.write(
            f"cycle/c{n}.md", f"[[c{(n + 1) % (count // 50)}]] [[hub]]\n"
        )
    print(
        f"\n{count:,} links: {timed(wiki, 'adopt')}, {timed(wiki, 'consolidate')},"
        f" {timed(wiki, 'show', 'c1')}"
    )
    hub = wiki.doc("show", "hub")
    assert (
        len(hub["unresolved"]) == count
        and len(hub["links"]["in"]) == count // 50
    )
    assert len(wiki.doc("show", "c1")["links"]["out"]) == 2
    sound(wiki)
