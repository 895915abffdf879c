"""Reads: pages and pending captures in one list, current, never waiting, and unharmed by any
query.
"""

import os
from pathlib import Path

import pytest

from companion.lookup.excerpts import cut_snippet
from companion.lookup.find import Ambiguous, NothingFound
from companion.lookup.search import search_wiki
from companion.pages.statement_edits import retire_statement
from companion.pages.statements import statement_id
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.storage.files import lock
from tests.wiki import Wiki

PAGES = {
    "Heron.md": "# Heron\n\nA bird. See [[Oat milk]] and [[Nowhere]].\n",
    "birds/Crane.md": (
        "---\naliases: [Grus grus]\ntags: [bird]\n---\nIt stands like a heron, the heron's"
        " cousin.\n"
    ),
    "Notes on everything.md": "heron " * 3 + "and other words " * 60,
    "東京.md": "明日は東京の天気がいい",
    "Café.md": "Crème brûlée on the Straße",
}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", PAGES)


def paths(wiki: Wiki, query: str, **options: object) -> list[str | None]:
    return [hit["path"] for hit in wiki.search(query, **options)]


def test_a_whole_title_or_alias_comes_first(wiki: Wiki) -> None:
    assert paths(wiki, "heron")[0] == "Heron.md"
    assert paths(wiki, "grus GRUS") == ["birds/Crane.md"]
    assert paths(wiki, "notes on everything")[0] == "Notes on everything.md"


def test_every_page_is_found_by_its_title(wiki: Wiki) -> None:
    for path in PAGES:
        assert paths(wiki, os.path.basename(path)[:-3])[0] == path


def test_words_are_found_without_their_accents_and_in_scripts_without_spaces(
    wiki: Wiki,
) -> None:
    assert paths(wiki, "creme BRULEE") == ["Café.md"]
    assert paths(wiki, "strasse") == paths(wiki, "STRAßE") == ["Café.md"]
    assert paths(wiki, "天気") == ["東京.md"]
    assert paths(wiki, "気天") == []
    assert paths(wiki, "hero") != [], (
        "a beginning, where nothing has the whole word"
    )


def test_a_pending_capture_is_found_at_once_among_the_pages_and_then_as_a_page(
    wiki: Wiki,
) -> None:
    captured = wiki.ingest("# Little egret\n\nA small white heron")[0]
    hit = next(hit for hit in wiki.search("heron") if hit["state"] == "pending")
    assert (hit["id"], hit["path"], hit["title"]) == (
        captured["id"],
        None,
        "Little egret",
    )
    assert wiki.search("egret")[0]["id"] == captured["id"]
    page = wiki.consolidate()["integrated"][0]["path"]
    assert paths(wiki, "egret") == [page]
    assert "pending" not in [hit["state"] for hit in wiki.search("heron")]


def test_pending_and_pages_are_scored_alike(wiki: Wiki) -> None:
    """The same words score about the same the evening before and the morning after."""
    wiki.ingest("# Little egret\n\nA small white heron")
    before = wiki.search("egret")[0]["score"]
    wiki.consolidate()
    assert wiki.search("egret")[0]["score"] >= before > 0


def test_the_state_filter_and_the_limit(wiki: Wiki) -> None:
    wiki.ingest("a heron, pending")
    assert [hit["state"] for hit in wiki.search("heron", state="pending")] == [
        "pending"
    ]
    assert {hit["state"] for hit in wiki.search("heron", state="active")} == {
        "active"
    }
    assert wiki.search("heron", state="archived") == []
    (wiki.root / "Heron.md").unlink()
    wiki.adopt()
    assert [hit["title"] for hit in wiki.search("heron", state="archived")] == [
        "Heron"
    ]
    assert len(wiki.search("heron", limit=1)) == 1


def test_a_capture_that_the_branch_consumed_elsewhere_is_not_pending_here(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.clone(tmp_path / "other")
    for each in (wiki, other):
        each.ingest("# Egret\n\nwhite")
    wiki.consolidate()
    other.git("pull", "-q", "--no-edit", str(wiki.root), "main")
    assert [hit["state"] for hit in other.search("egret")] == ["active"]


def test_a_persons_commit_is_found_without_a_night(wiki: Wiki) -> None:
    wiki.write("new.md", "albatross\n")
    assert paths(wiki, "albatross") == []
    wiki.commit()
    assert paths(wiki, "albatross") == ["new.md"]


def test_reads_do_not_wait_for_a_night(wiki: Wiki) -> None:
    """GEN-1: while another process holds the lock, what is known so far is answered."""
    wiki.write("new.md", "albatross\n")
    wiki.commit()
    with lock.lock_file(f"{wiki.ws.place.state}/sleep.lock", "a long night"):
        assert paths(wiki, "albatross") == []
        assert paths(wiki, "heron")[0] == "Heron.md"
        assert describe_wiki(wiki.ws)["entries"]["active"] == len(PAGES)
        wiki.ingest("captures do not wait either")
    assert paths(wiki, "albatross") == ["new.md"]


NASTY = [
    "", '"', "*", "a-b", "NEAR(", "x:y", "AND", "'; drop table entries; --", str(2**63), "nul\0nul", "[bold]",
    "\x1b[0m", "javascript:alert(1)", "\udcff\udc80",
    "(" * 3000, "漢" * 5000, " ".join(map(str, range(20_000))), "a" * 100_000,
    "../../etc/passwd", "%", "_", "\\", "\u202e", "-rf", "title:heron", "^heron", "heron +", "{", "{a b}: c",
]  # fmt: skip


@pytest.mark.parametrize("query", NASTY, ids=range(len(NASTY)))
def test_no_query_and_no_name_breaks_a_read(wiki: Wiki, query: str) -> None:
    wiki.ingest("a pending heron 漢字")
    search_wiki(wiki.ws, query)
    for read in (show_target, explain_target):
        with pytest.raises((NothingFound, Ambiguous)):
            read(wiki.ws, query + "\0" if query == "" else query)
    assert paths(wiki, "heron")[0] == "Heron.md"


def test_show_takes_an_id_its_beginning_a_path_a_slug_a_title_an_alias_and_a_capture(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    captured = wiki.ingest("# Little egret\n\nwhite")[0]
    shown = wiki.show("birds/Crane.md")
    for target in (
        shown["id"],
        shown["id"][:6],
        "birds/Crane",
        "crane",
        "Grus grus",
    ):
        assert wiki.show(target) == shown, target
    monkeypatch.chdir(wiki.root / "birds")
    assert wiki.show("Crane.md") == wiki.show("./Crane.md") == shown
    assert (
        wiki.show(captured["id"])["state"]
        == wiki.show(captured["id"][:10])["state"]
        == "pending"
    )
    assert wiki.show("Heron")["unresolved"] == ["Nowhere", "Oat milk"]
    with pytest.raises(NothingFound) as caught:
        wiki.show("no such thing")
    assert caught.value.exit_code == 1


def test_what_two_pages_share_is_ambiguous(wiki: Wiki) -> None:
    wiki.write("other/Heron.md", "x")
    wiki.commit()
    with pytest.raises(Ambiguous, match="2 pages") as caught:
        wiki.show("heron")
    assert caught.value.exit_code == 2
    assert wiki.show("other/Heron.md")["path"] == "other/Heron.md"


def test_show_gives_the_indexed_text_also_when_the_file_has_moved_on(
    wiki: Wiki,
) -> None:
    wiki.write("Heron.md", "changed, not adopted\n")
    assert wiki.show("Heron.md")["text"] == PAGES["Heron.md"]
    (wiki.root / "Heron.md").unlink()
    assert wiki.show("Heron.md")["text"] == PAGES["Heron.md"]


def test_why_tells_the_story_in_order_with_a_reason_each(wiki: Wiki) -> None:
    captured = wiki.ingest("# Little egret\n\nwhite")[0]
    done = wiki.consolidate()
    wiki.ingest("# Little egret\n\nand slender")
    wiki.consolidate()
    wiki.write(
        done["integrated"][0]["path"],
        wiki.read(done["integrated"][0]["path"]) + "mine\n",
    )
    wiki.adopt()
    story = explain_target(wiki.ws, "Little egret")["events"]
    assert [event["event"] for event in story] == [
        "created",
        "consumed",
        "grown",
        "consumed",
        "edited",
    ]
    assert [event["time"] for event in story] == sorted(
        event["time"] for event in story
    )
    assert all(event["reason"] for event in story)
    of_capture = explain_target(wiki.ws, captured["id"])["events"]
    assert [event["event"] for event in of_capture] == ["ingested", "consumed"]
    assert {
        event["run"] for event in explain_target(wiki.ws, done["run"])["events"]
    } == {done["run"]}


def test_log_names_the_commit_also_after_a_rebase(wiki: Wiki) -> None:
    wiki.ingest("oat milk")
    done = wiki.consolidate()
    wiki.git("commit", "-q", "--amend", "-m", "in my words")
    newest = list_runs(wiki.ws, limit=1)["runs"]
    assert [(run["run"], run["commit"]) for run in newest] == [
        (done["run"], wiki.head)
    ]
    wiki.git("checkout", "-q", "HEAD~1")
    assert (
        list_runs(wiki.ws)["runs"][0]["commit"]
        == wiki.git("rev-parse", "main").strip()
    )


def test_status_counts_what_is_there(wiki: Wiki) -> None:
    wiki.ingest("one", "two")
    wiki.ingest("one", source="again")
    wiki.ingest("hush", scope="private", agent="bot")
    told = describe_wiki(wiki.as_("bot"))
    assert (told["pending"], told["sightings"], told["entries"]["active"]) == (
        3,
        4,
        len(PAGES),
    )
    assert told["only_here"]["captures_not_in_git"] == 3
    told = describe_wiki(wiki.ws)
    # what the bot keeps to itself is not counted
    assert (told["pending"], told["sightings"]) == (2, 3)
    assert (
        told["only_here"]["captures_not_in_git"]
        == told["only_here"]["captures_on_no_remote"]
        == 2
    )
    wiki.consolidate()
    assert describe_wiki(wiki.ws)["only_here"]["refs"] == [
        "refs/companion/buffer"
    ]
    told = describe_wiki(wiki.as_("bot"))
    assert told["only_here"]["refs"] == [
        "refs/companion/buffer",
        "refs/companion/private",
    ]
    assert (told["pending"], told["waiting"], told["entries"]["active"]) == (
        1,
        1,
        len(PAGES) + 1,  # both shared notes stand on the page of their day
    )
    assert told["only_here"]["captures_not_in_git"] == 0
    assert (told["head"], told["branch"], told["leaves_machine"]) == (
        wiki.head,
        "main",
        [],
    )


def test_a_read_only_wiki_can_be_read(wiki: Wiki) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    for folder, _, _ in os.walk(wiki.root):
        os.chmod(folder, 0o555)
    try:
        assert paths(wiki, "heron")[0] == "Heron.md"
    finally:
        for folder, _, _ in os.walk(wiki.root):
            os.chmod(folder, 0o755)


# -- pages of many notes ---------------------------------------------------------------------------


def tell_a_day(wiki: Wiki) -> list[str]:
    """Tell three things that are about no page, and return the ids of their statements."""
    told = (
        "Bought bread and milk.",
        "A kestrel over the field.",
        "The kestrel took a vole, and a kestrel cried.",
    )
    ids = [wiki.ingest(words)[0]["id"] for words in told]
    wiki.consolidate()
    return [statement_id(id) for id in ids]


def test_a_hit_on_a_page_of_many_names_the_note_that_fits_best(
    wiki: Wiki,
) -> None:
    bread, _, vole = tell_a_day(wiki)
    hit = wiki.search("bread")[0]
    assert (hit["statement"], hit["snippet"]) == (
        bread,
        "Bought bread and milk.",
    )
    assert hit["when"] == "2026-11-01 08:01"
    assert hit["link"] == f"[[2026-11-01#^{bread}]]"
    assert not hit["lost"]
    assert wiki.search("kestrel")[0]["statement"] == vole
    assert wiki.search("voles")[0]["statement"] == vole, "of the same stem"
    assert wiki.search("kestr")[0]["statement"] == vole, "the beginning of one"


def test_a_page_of_one_note_names_no_statement(wiki: Wiki) -> None:
    hit = wiki.search("heron")[0]
    assert hit["path"] == "Heron.md"
    named = (hit["statement"], hit["when"], hit["link"], hit["lost"])
    assert named == (None, None, None, False)


def test_a_statement_that_lost_says_so_and_comes_after_one_that_holds(
    wiki: Wiki,
) -> None:
    _, kestrel, vole = tell_a_day(wiki)
    path = "journal/2026/2026-11-01.md"
    text = (wiki.root / path).read_text()
    lost = retire_statement(text, vole, "2026-11-02", "[[Heron]]", "it lost")
    wiki.write(path, lost)
    wiki.commit()
    assert wiki.search("kestrel")[0]["statement"] == kestrel
    hit = wiki.search("vole")[0]
    assert (hit["statement"], hit["lost"]) == (vole, True)


def test_the_date_of_a_day_page_weighs_no_more_than_its_notes(
    wiki: Wiki,
) -> None:
    tell_a_day(wiki)
    wiki.write("Report.md", "# Report\n\nWritten on 2026-11-01 about herons.\n")
    wiki.commit()
    assert paths(wiki, "2026-11-01 report herons")[0] == "Report.md"
    assert paths(wiki, "2026-11-01")[0] == "journal/2026/2026-11-01.md"


def test_a_title_made_of_first_words_weighs_no_more_than_words(
    tmp_path: Path,
) -> None:
    text = "---\nid: {}\ntitle: {}\n---\n{}\n"
    words = "Zebra crossing at school"
    given = text.format("a" * 16, "Zebra crossing", "Where children walk.")
    made_up = text.format("b" * 16, words, words)
    wiki = Wiki.new(
        tmp_path / "wiki", {"given.md": given, "made up.md": made_up}
    )
    assert paths(wiki, "zebra") == ["given.md", "made up.md"]


def test_a_snippet_has_no_marks_of_markdown_and_repeats_no_title() -> None:
    page = "# Shed\n\n## Plan\n\n- [ ] Build the **shed**\n> behind #house\n"

    snippet = cut_snippet(page, ["shed"], "Shed")

    assert snippet == "Plan [ ] Build the shed behind #house"
