"""The three anomalies of writing memory, provoked by real processes; each shows when its defence is
off (LED-8).
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import read_claims
from companion.storage.index import schema as index
from companion.storage.index.tables import claims
from tests.wiki import Wiki

JUDGE = """
import sys
from companion import workspace
from companion.judges.ask import ask_relations
from companion.values.relations import Relation, Statement
from companion.storage.journal.verdicts import Verdicts
from tests.scripted_judges import Scripted
root, label, defended = sys.argv[1:]
if defended == "False":
    Verdicts.find = lambda self, keys: {}
ws = workspace.open_workspace(root)
log = Verdicts(ws.journal(), None)
pair = (Statement("the door is open"), Statement("the door is shut"))
print("ready", flush=True)
sys.stdin.readline()
asked = ask_relations(log, Scripted(lambda a, b: Relation(label, 1.0, "r", opposition=1.0)), [pair], ws.now())
print(asked.answers[0].label)
"""

READER = """
import sys
from contextlib import contextmanager
from companion import workspace
from companion.answers import claims as facts
from companion.ledger import resolve as settling
from companion.storage.index import isolation
from companion.storage.index.isolation import View
root, defended = sys.argv[1:]
if defended == "False":
    @contextmanager
    def nothing(db):
        yield View(db, "serializable")
    isolation.reading = nothing
    View.require = lambda self, needed: None
book = settling.open_rule_book
def slowly(*about):
    print("ready", flush=True)
    sys.stdin.readline()
    return book(*about)
facts.open_rule_book = slowly
found = facts.read_claims(workspace.open_workspace(root), "Anna", None, as_of=None, known_at=None, history=False)
print(",".join(found["keys"][0]["values"]))
"""


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, text: str, **about: Any) -> None:
    wiki.ingest(text, **about)
    wiki.consolidate()


def started(code: str, *args: str) -> subprocess.Popen[str]:
    """Start a process, and wait until it stands where it is to be overtaken."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def said(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate("go\n", timeout=60)
    assert process.returncode == 0
    return out.strip()


@pytest.mark.parametrize("defended", [True, False])
def test_n1_two_processes_with_judges_of_two_minds_decide_alike(
    wiki: Wiki, defended: bool
) -> None:
    both = [
        started(JUDGE, str(wiki.root), label, str(defended))
        for label in ("contradicts", "supports")
    ]
    answers = {said(process) for process in both}
    assert len(answers) == (1 if defended else 2)


@pytest.mark.parametrize("defended", [True, False])
def test_n2_a_belief_read_while_it_is_revised_is_one_that_was_held(
    wiki: Wiki, defended: bool
) -> None:
    tell(wiki, "Anna works at Acme.", source="hr")
    tell(wiki, "Anna works at Beta.", source="badge")
    settings = "adopt: commit\nclaims: {works at: {prefer: [%s]}}\n"
    wiki.write(".companion/companion.yaml", settings % "badge")
    wiki.commit()
    reader = started(READER, str(wiki.root), str(defended))
    wiki.write(".companion/companion.yaml", settings % "hr")
    wiki.commit()
    tell(wiki, "Anna works at Gamma.", source="hr")
    assert (said(reader) in ("Beta", "Gamma")) is defended
    found = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=False
    )
    assert found["keys"][0]["values"] == ["Gamma"]


@pytest.mark.parametrize("defended", [True, False])
def test_n3_what_was_overwritten_is_still_there(
    wiki: Wiki, defended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not defended:
        one_row = index.TABLES.replace(
            "CREATE INDEX claims_key ON", "CREATE UNIQUE INDEX claims_key ON"
        )
        monkeypatch.setattr(index, "TABLES", one_row)
        overwrite = (
            "INSERT OR REPLACE INTO"
            + claims.INSERT.split("INTO")[1].split(" ON ")[0]
        )
        monkeypatch.setattr(claims, "INSERT", overwrite)
        index.remove_database(wiki.ws.place.index_db)
    tell(wiki, "Anna lives in Bern.")
    tell(wiki, "Anna lives in Rome.")
    (key,) = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=True
    )["keys"]
    lost = [
        each["object"] for night in key["resolved"] for each in night["lost"]
    ]
    assert key["values"] == ["Rome"] and (lost == ["Bern"]) is defended
    assert ("Bern" in str(key["history"])) is defended
