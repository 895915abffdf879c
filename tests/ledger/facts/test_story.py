"""The history of a page is the story of its subject."""

from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.wiki import Wiki

PEOPLE = ("Anna", "Paul", "Yusuf", "Ingrid", "Ruth")
PLACES = ("Graz", "Lyon", "Oslo", "Bern", "Turku")
FORMS = (
    "Lunch with {who}. The new job starts in {place}.",
    "{who} called about the dog.",
    "Coffee with {who}. The flat costs {n} euros.",
)
DAYS = 10


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    """Of five people, each has a new job and a flat; three notes a night."""
    root: Path = tmp_path_factory.mktemp("story")
    wiki = Wiki.new(root / "wiki")
    for day in range(DAYS):
        wiki.tick(days=1)
        wiki.ingest(
            *(
                FORMS[(day + n) % 3].format(
                    who=PEOPLE[(day + n) % 5],
                    place=PLACES[(2 * day + n) % 5],
                    n=700 + 3 * day + n,
                )
                for n in range(3)
            )
        )
        wiki.consolidate()
    return wiki


@pytest.mark.parametrize("who", PEOPLE)
def test_every_commit_of_a_page_is_about_its_subject(
    wiki: Wiki, who: str
) -> None:
    (path,) = wiki.root.glob(f"entries/**/{who}.md")
    log = wiki.git("log", "--format=%s", "--", str(path)).splitlines()
    assert log
    assert [subject for subject in log if who not in subject] == []


def test_a_page_says_of_nobody_elses_job(wiki: Wiki) -> None:
    for who in PEOPLE:
        (path,) = wiki.root.glob(f"entries/**/{who}.md")
        words, _, facts = path.read_text("utf-8").partition("## Facts")
        values = [
            line.partition("costs:")[2].strip(": ").split(" ")[0]
            for line in facts.splitlines()
            if "costs:" in line
        ]
        assert all(f"costs {value} " in words for value in values)


def test_whose_job_is_asked_for_is_told(wiki: Wiki) -> None:
    doc = ask(wiki.ws, "What does Anna's flat cost?", as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]][:1] == ["715 euros"]
