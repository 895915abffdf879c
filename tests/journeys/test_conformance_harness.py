"""The conformance harness, held to a toy: a jar that keeps lines, and twins of it that break its
one law.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from conformance import chapter, transcript, world

HOUSE = Path(__file__).resolve().parents[2]
BOOK = HOUSE / "conformance"

JAR = """
import json, pathlib, sys
words = [word for word in sys.argv[1:] if word != "--json"]
if words[0] == "init":
    pathlib.Path(words[1]).mkdir()
    sys.exit()
jar = pathlib.Path("jar.txt")
lines = jar.read_text().splitlines() if jar.exists() else []
if words[0] == "put":
    if not words[1]:
        sys.exit("an empty line")
    print("again" if words[1] in lines else "put")
    jar.write_text("".join(line + "\\n" for line in dict.fromkeys([*lines, words[1]])))
if words[0] == "list":
    print(json.dumps({"lines": [{"text": line, "n": n} for n, line in enumerate(lines)]}))
"""

TWIN = """
import os, subprocess, sys
BREAKS = "JAR-1"
EXPECTS = r"- again\\n\\+ put|kept twice"
words = sys.argv[1:]
if words[0] == "put":
    words[1] += " " * len(os.listdir("."))
    if words[1].strip(): open(words[1].strip() + str(len(os.listdir("."))), "w").close()
sys.exit(subprocess.call([os.environ["CONFORMANCE_PROGRAM"], *words]))
"""

PAGE = """# A jar

## JAR-1: a line is kept once (MaM §7.5)

Prose with a fence that is no case:

```console
$ rm -rf /
```

```console id=JAR-1 name="a repeat is no second line" twin=spaces
$ companion put 'a stone'
put
$ companion put 'a stone'
again
$ companion --json list | pick lines[].text
a stone
$ companion put '' 2>&1
an [..] line
[exit 1]
```

```python id=JAR-1 name="however often it is put" twin=spaces
for _ in range(3):
    run("put", "a stone")
texts = [line["text"].strip() for line in companion("list")["lines"]]
assert texts == ["a stone"], "kept twice"
```
"""


class Told(NamedTuple):
    """What the harness said, and its last line."""

    exit: int
    out: str

    @property
    def last(self) -> str:
        return self.out.strip().splitlines()[-1]


class Toy:
    """A book of its own, and the jar that it is held against."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "twins").mkdir()
        self.write("jar.py", JAR)
        self.write("twins/spaces.py", TWIN)
        self.write("10-jar.md", PAGE)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        assert old in self.read(name)
        self.write(name, self.read(name).replace(old, new))

    def check(self, *options: str) -> Told:
        program = f"{sys.executable} {self.folder}/jar.py"
        command = [
            sys.executable,
            "-m",
            "conformance",
            "--book",
            str(self.folder),
            "--program",
            program,
            *options,
        ]
        done = subprocess.run(
            command, cwd=HOUSE, capture_output=True, text=True, check=False
        )
        return Told(done.returncode, done.stdout + done.stderr)


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def test_a_conforming_program_passes_and_its_twin_is_noticed(toy: Toy) -> None:
    told = toy.check()

    assert told.last == "4 passed, 0 failed", told.out
    assert told.exit == 0


def test_what_fails_only_beside_others_is_named_and_passes(toy: Toy) -> None:
    mark = toy.folder / "was here"
    toy.change(
        "jar.py",
        'if words[0] == "put":',
        f"mark = pathlib.Path({str(mark)!r})\n"
        'if words[0] == "list" and not mark.exists():\n'
        "    mark.touch()\n"
        '    sys.exit("busy")\n'
        'if words[0] == "put":',
    )

    told = toy.check("-k", "no second line", "--jobs", "1")

    assert told.exit == 0
    assert "unsteady, ok alone: 10-jar.md" in told.out
    assert told.last == "2 passed, 0 failed"


def test_a_wrong_answer_fails_with_the_difference(toy: Toy) -> None:
    toy.change("10-jar.md", "again\n", "refused\n")

    told = toy.check("-k", "no second line")

    assert told.exit == 1
    assert "$ companion put 'a stone'\n    - refused\n    + again" in told.out


def test_a_wrong_exit_code_fails(toy: Toy) -> None:
    toy.change("10-jar.md", "[exit 1]", "[exit 2]")

    assert "- [exit 2]\n    + [exit 1]" in toy.check("-k", "no second line").out


def test_a_false_assertion_shows_both_sides_and_the_chapters_line(
    toy: Toy,
) -> None:
    toy.change("10-jar.md", '== ["a stone"]', '== ["a pebble"]')

    told = toy.check("-k", "however")

    assert "10-jar.md:27 kept twice\n" in told.out
    assert "left: ['a stone']\n" in told.out
    assert "right: ['a pebble']" in told.out


def test_a_block_that_crashes_is_broken_not_failed(toy: Toy) -> None:
    toy.change("10-jar.md", "assert texts ==", "assert text ==")

    told = toy.check("-k", "however")

    assert "BROKEN" in told.out and "NameError" in told.out


def test_a_twin_that_nobody_notices_fails_the_run(toy: Toy) -> None:
    toy.change("twins/spaces.py", 'if words[0] == "put":', "if False:")

    told = toy.check()

    assert told.last == "2 passed, 2 failed"
    assert "the twin broke JAR-1 and the case did not notice" in told.out


def test_a_twin_that_crashes_proves_nothing(toy: Toy) -> None:
    toy.change(
        "twins/spaces.py",
        "words = sys.argv[1:]",
        "words = sys.argv[1:]\nif words[0] != 'init': 1 / 0",
    )

    told = toy.check()

    assert told.last == "2 passed, 2 failed"
    assert "the twin crashed, which proves nothing" in told.out
    assert "the case failed, but not with" in told.out


@pytest.mark.parametrize(
    ("old", "new", "gap"),
    [
        (" twin=spaces\nfor", "\nfor", "names no twin"),
        ("twin=spaces\nfor", "twin=unknown\nfor", "names an unknown twin"),
        ("## JAR-1: a", "## JAR-1, JAR-2: a", "JAR-2 has no case"),
        ("## JAR-1: a", "## A", "JAR-1 is proved but claimed by no heading"),
    ],
)
def test_a_gap_in_the_book_fails_the_run(
    toy: Toy, old: str, new: str, gap: str
) -> None:
    toy.change("10-jar.md", old, new)

    told = toy.check()

    assert told.exit == 1
    assert gap in told.out


def test_a_twin_that_no_case_names_is_a_gap(toy: Toy) -> None:
    toy.write("twins/forgotten.py", TWIN)

    assert (
        "twins/forgotten.py is named by no case" in toy.check("--coverage").out
    )


def test_a_twin_must_break_the_id_that_it_is_counted_for(toy: Toy) -> None:
    toy.change("twins/spaces.py", 'BREAKS = "JAR-1"', 'BREAKS = "JAR-7"')

    assert "JAR-1 has no twin" in toy.check().out


def test_update_rewrites_answers_and_keeps_what_still_matches(toy: Toy) -> None:
    toy.change("10-jar.md", "again\n", "refused\n")
    toy.change("10-jar.md", "a stone'\nput\n", "a stone'\n[..]\n")

    toy.check("--update", "-k", "no second line")

    assert toy.read("10-jar.md") == PAGE.replace(
        "a stone'\nput\n", "a stone'\n[..]\n"
    )


def test_export_lists_every_case_with_its_section_and_twins(toy: Toy) -> None:
    toy.check("--export", str(toy.folder / "book.json"))
    rows = json.loads(toy.read("book.json"))

    assert [row["name"] for row in rows] == [
        "a repeat is no second line",
        "however often it is put",
    ]
    assert {(row["section"], row["result"], row["line"]) for row in rows} == {
        ("MaM §7.5", "passed", 12),
        ("MaM §7.5", "passed", 24),
    }
    assert rows[0]["twins"] == [
        {"name": "spaces", "breaks": ["JAR-1"], "noticed": True}
    ]


@pytest.mark.parametrize(
    ("options", "count"),
    [("--only JAR-1", 4), ("jar", 4), ("10", 4), ("-k OFTEN", 2)],
)
def test_cases_can_be_chosen(toy: Toy, options: str, count: int) -> None:
    assert toy.check(*options.split()).last == f"{count} passed, 0 failed"


def test_a_sample_has_every_case_and_a_twin_for_each_law(toy: Toy) -> None:
    toy.write("twins/again.py", TWIN)
    toy.change("10-jar.md", "twin=spaces\nfor", "twin=spaces,again\nfor")

    told = toy.check("--sample")

    assert toy.check().last == "5 passed, 0 failed"
    assert told.last == "4 passed, 0 failed"
    assert "left out: 1 runs with a further twin" in told.out


def test_choosing_nothing_is_an_error(toy: Toy) -> None:
    told = toy.check("--only", "JAR-9")

    assert told.exit == 2
    assert "no case fits" in told.out


def test_the_environment_is_fixed(toy: Toy) -> None:
    block = """```python id=JAR-1 name="env" twin=spaces now=2026-03-02T09:00:00Z
import os
assert {key: os.environ.get(key) for key in ("COLUMNS", "NO_COLOR", "TERM", "TZ", "LC_ALL", "COMPANION_NOW")} == {
    "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC", "LC_ALL": "C.UTF-8",
    "COMPANION_NOW": "2026-03-02T09:00:00Z"}
assert Path.cwd() == Path(os.environ["HOME"]) / "wiki"
assert "PYTHONPATH" not in os.environ
assert git("config", "user.name") == "Ada Notes"
```
"""
    toy.write("10-jar.md", PAGE.split("```python")[0] + block)

    assert toy.check("-k", "env").out.startswith("ok   10-jar.md:24")


@pytest.mark.parametrize(
    "by", [pytest.param("strace", marks=pytest.mark.needs("strace")), "audit"]
)
def test_a_trace_sees_what_the_program_opens(toy: Toy, by: str) -> None:
    block = f"""```python id=JAR-1 name="trace" twin=spaces
run("put", "a stone")
wiki = Path.cwd()
paths = opened_paths("list", by="{by}")
assert str(wiki / "jar.txt") in paths
assert str(wiki / "lid.txt") not in paths
```
"""
    toy.write("10-jar.md", PAGE.split("```python")[0] + block)

    assert toy.check("-k", "trace").out.startswith("ok   10-jar.md:24")


def test_wildcards_stand_for_words_and_lines() -> None:
    step = transcript.steps("$ x\nfirst\n…\nthe [..] one\n")[0]

    assert transcript.matches(
        step, transcript.Answer("first\na\nb\nthe last one\n", "", 0)
    )
    assert transcript.matches(
        step, transcript.Answer("first\nthe very last one\n", "", 0)
    )
    assert not transcript.matches(
        step, transcript.Answer("first\nthe last two\n", "", 0)
    )
    assert not transcript.matches(
        step, transcript.Answer("first\nthe last one\n", "", 1)
    )


def test_a_command_may_run_over_several_lines() -> None:
    step = transcript.steps("$ cat <<E\n> one\n> E\none\n[exit 3]\n")[0]

    assert step == transcript.Step("cat <<E\none\nE", ("one",), 3)


@pytest.mark.parametrize("info", ['id=JAR-1 nmae="x"', "id=JAR-1", 'name="x"'])
def test_a_malformed_case_names_its_line(toy: Toy, info: str) -> None:
    toy.write(
        "10-jar.md", f"## JAR-1: it (§1)\n\n```console {info}\n$ true\n```\n"
    )

    told = toy.check()

    assert told.exit == 2
    assert "10-jar.md:3" in told.out


def test_the_suite_imports_nothing_of_the_program() -> None:
    sources = {
        path.name: path.read_text(encoding="utf-8")
        for path in BOOK.rglob("*.py")
    }
    for page in chapter.chapters(BOOK):
        sources |= {
            case.title: case.body
            for case in page.cases
            if case.language == "python"
        }

    assert len(sources) > 8
    assert [
        name for name, text in sources.items() if "companion" in _imported(text)
    ] == []


def _imported(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_the_suite_runs_where_the_program_cannot_be_imported(toy: Toy) -> None:
    # -S leaves site-packages out, and the copy of the suite stands where no `companion` is beside
    # it.
    copy = toy.folder / "elsewhere"
    shutil.copytree(BOOK, copy / "conformance")
    command = [
        sys.executable,
        "-S",
        "-m",
        "conformance",
        "--book",
        str(toy.folder),
        "-k",
        "however",
    ]
    program = ["--program", f"{sys.executable} {toy.folder}/jar.py"]
    done = subprocess.run(
        [*command, *program],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.endswith("2 passed, 0 failed\n"), (
        done.stdout + done.stderr
    )


def test_every_id_that_our_book_claims_has_a_case_and_a_twin() -> None:
    assert chapter.gaps(chapter.chapters(BOOK), chapter.twins(BOOK)) == []


def test_our_book_covers_the_contract_so_far() -> None:
    claimed = {id for page in chapter.chapters(BOOK) for id in page.claims}
    triage = {f"TRI-{n}" for n in range(1, 9)}

    rest = {
        "OBJ-1",
        "OBJ-2",
        "INV-1",
        "INV-3",
        "INV-6",
        "INV-7",
        "INV-8",
        "GEN-1",
        "GEN-3",
        "GEN-4",
        "PER-1",
        "LED-7",
    }
    assert claimed >= triage | rest


def test_the_readme_lists_every_chapter() -> None:
    readme = (BOOK / "README.md").read_text(encoding="utf-8")

    assert [
        page.path.name
        for page in chapter.chapters(BOOK)
        if f"({page.path.name})" not in readme
    ] == []


def test_every_twin_says_in_its_first_line_what_it_breaks() -> None:
    for twin in chapter.twins(BOOK).values():
        doc = (
            ast.get_docstring(ast.parse(twin.path.read_text(encoding="utf-8")))
            or ""
        )
        assert re.match(r"[A-Z]{3}-\d+ broken: ", doc), twin.name


def test_commands_are_made_and_started_side_by_side_without_one_being_found_busy(
    tmp_path: Path,
) -> None:
    def made_and_run(number: int) -> int:
        world._command(tmp_path / f"c{number}", ["true"])
        return world._call(
            [str(tmp_path / f"c{number}")], tmp_path, {"PATH": "/usr/bin:/bin"}
        ).exit

    # without the lock about one in thirty cannot be started: "text file busy"
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(made_and_run, range(300))) == {0}


def test_a_case_that_lacks_something_is_skipped_by_name(toy: Toy) -> None:
    block = """```python id=JAR-1 name="needs a lid" twin=spaces
raise Lacks("the jar has no lid")
```
"""
    toy.write("10-jar.md", PAGE.split("```python")[0] + block)

    told = toy.check("-k", "lid")

    assert told.exit == 0
    assert (
        "skip (the jar has no lid) 10-jar.md:24 JAR-1 'needs a lid'" in told.out
    )
    assert told.last == "0 passed, 0 failed"
