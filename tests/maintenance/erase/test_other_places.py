"""Erased words and what the program keeps beside pages: verdicts, vectors, doctor's copies, a state
kept elsewhere.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.comparison.nearest import vectors_path
from companion.judges import configured
from companion.judges.configured import Judges
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.maintenance.doctor import repairs
from companion.maintenance.doctor import run as health
from companion.maintenance.erase import run as erase
from companion.operations.triage import capture
from companion.reading import review
from companion.storage import publish
from companion.storage.files.replaced import make_kept_name
from companion.values.captures import Draft
from companion.values.relations import Relation
from tests.maintenance.erase.test_run import FOUND, SECRET, erased, gone, sound
from tests.scripted_judges import Scripted
from tests.wiki import Wiki


@pytest.fixture(
    params=[pytest.param("inside", marks=pytest.mark.slow), "elsewhere"]
)
def wiki(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Wiki]:
    """A wiki with a verdict on the words, a question and its answer, vectors, and the copies of a
    repair.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    judge = Scripted(
        lambda a, b: Relation(
            "contradicts", 0.95, f"one says {SECRET}", opposition=0.95
        )
    )
    monkeypatch.setattr(
        configured,
        "open_judges",
        lambda config, allowance=None: Judges(
            StaticEmbedder(), judge, None, None
        ),
    )
    wiki = Wiki.new(
        tmp_path
        / ("Dropbox" if request.param == "elsewhere" else "plain")
        / "wiki"
    )
    wiki.ingest(f"# Door\n\nThe code of the cellar is {SECRET}.", source="Ines")
    wiki.ingest("# House\n\nMind the [[Door]].")
    wiki.consolidate()
    wiki.ingest(
        f"# Door\n\nThe code of the cellar is not {SECRET}.", source="Lena"
    )
    wiki.consolidate()
    review.answer_question(wiki.ws, question(wiki), "accept")
    repairs.reindex_journal(wiki.ws)
    repairs.rebuild_index(wiki.ws)
    yield wiki


def question(wiki: Wiki) -> str:
    return str(review.list_review(wiki.ws, all=True)["items"][0]["id"])


def everywhere(wiki: Wiki) -> list[str]:
    """Return every place with the words, in the wiki and in a state folder that is not in it."""
    left = gone(wiki)
    for folder, _, names in os.walk(wiki.ws.place.state):
        left += [
            path
            for path in (os.path.join(folder, name) for name in names)
            if FOUND.search(_bytes(path))
        ]
    return sorted(set(left))


def _bytes(path: str) -> bytes:
    return Path(path).read_bytes()


def test_not_a_byte_is_left_in_verdicts_copies_and_a_state_elsewhere(
    wiki: Wiki,
) -> None:
    copies = [path for path in everywhere(wiki) if "/aside/" in path]
    assert (
        copies
        and sqlite3.connect(vectors_path(wiki.ws))
        .execute("SELECT count(*) FROM packs")
        .fetchone()[0]
    )
    preview = erase.erase(wiki.ws, [SECRET])
    shown = {
        os.path.basename(item["what"])
        for item in preview["places"]
        if item["where"] == "copy"
    }
    assert shown == {os.path.basename(path) for path in copies}
    assert any(
        "database files that doctor kept" in note for note in preview["notes"]
    )

    done = erased(wiki, SECRET)

    assert done["remains"] == [] == everywhere(wiki)
    sound(wiki)


def test_what_was_judged_and_asked_stays_so_under_new_names(wiki: Wiki) -> None:
    before = review.show_question(wiki.ws, question(wiki))
    erased(wiki, SECRET)

    after = review.show_question(wiki.ws, question(wiki))
    assert (after["id"], after["answer"], len(after["sides"])) == (
        before["id"],
        "accept",
        2,
    )
    assert all("erased-" in side["text"] for side in after["sides"])
    named = {
        line[name]
        for line in [*wiki.events("verdict"), *wiki.events("flagged")]
        for name in ("capture", "other")
    }
    for id in named:
        assert wiki.show(id)["id"] == id
    wiki.consolidate()  # the answer weighs
    assert [line["choice"] for line in wiki.events("answered")] == ["accept"]
    assert [
        finding["kind"] for finding in health.doctor(wiki.ws)["findings"]
    ] == []
    sound(wiki)


def test_no_vector_of_the_words_is_left(wiki: Wiki) -> None:
    pages = [path for path, data in wiki.files().items() if FOUND.search(data)]
    # a page's facts came a night later
    raw = wiki.git("log", "--format=", "--raw", "--no-abbrev", "--", *pages)
    blobs = [line.split()[3].encode() for line in raw.splitlines()]
    assert any(blob in _bytes(vectors_path(wiki.ws)) for blob in blobs)
    erased(wiki, SECRET)

    path = vectors_path(wiki.ws)
    assert not os.path.exists(path) or not any(
        blob in _bytes(path) for blob in blobs
    )


def test_names_of_kept_files_lose_the_words(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    kept = publish.make_kept_folder(wiki.repo())
    name = make_kept_name(kept, 1, f"notes/{SECRET}.md", "1" * 40, None)
    Path(kept, name).write_text("nothing of it in here")
    longer = f"{'notes' * 60}/{SECRET}.md"
    long_name = make_kept_name(kept, 1, longer, "1" * 40, "2" * 40)
    Path(kept, long_name).write_text("nor here")

    done = erased(wiki, SECRET)

    assert done["remains"] == [] == everywhere(wiki)
    left = os.listdir(kept)
    assert len([one for one in left if "erased-" in one]) == 1
    for one in left:
        if ".@" in one:
            assert one.split(".")[-1] in left


@pytest.mark.parametrize("hidden", ["", "\u200b"])
def test_pages_in_utf_16_and_hidden_spellings_are_cleaned(
    tmp_path: Path, hidden: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    spelled = hidden.join(SECRET)
    path = Path(wiki.root, "wide.md")
    path.write_bytes(f"# Wide\r\n\r\nIt is {spelled}.\r\n".encode("utf-16"))
    wiki.ingest(f"# Shed\n\nThe code is {spelled}, ok")
    wiki.commit("by hand")
    wiki.consolidate()
    wiki.ingest(f"# Barn\n\nIts code is {spelled}, too")

    done = erased(wiki, SECRET)

    mark = done["words"][0]["mark"]
    assert done["remains"] == []
    assert path.read_bytes().decode("utf-16") == (
        f"# Wide\r\n\r\nIt is {mark}.\r\n"
    )
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        letters = re.compile(re.escape(spelled.encode(encoding)))
        assert gone(wiki, letters) == []
    refused = capture.ingest(wiki.ws, [Draft(f"again {spelled}")])["refused"]
    assert [item["kind"] for item in refused] == ["secret"]
    sound(wiki)
