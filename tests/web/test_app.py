"""The web page shows what the commands show, changes nothing but answers, and obeys no note."""

import re
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from companion.judges import configured
from companion.judges.configured import Judges
from companion.reading import review
from companion.storage.journal.reads import count_reads
from companion.usage.record_read import collect_reads
from tests.scripted_judges import Scripted, opposed
from tests.web.asking import Browser
from tests.wiki import Wiki, like

HOSTILE = (
    '# <script>alert("t")</script>\n\n<img src=x onerror=alert(1)> '
    "![far](http://evil.example/p.png) [click](javascript:alert(2)) [[House|<b>x]]"
)


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A wiki whose page Door was begun, linked to, contradicted, and edited by hand."""
    judge = Scripted(opposed(0.95))
    monkeypatch.setattr(
        configured,
        "open_judges",
        lambda config, allowance=None: Judges(None, judge, None, None),
    )
    return like("tests.web", tmp_path / "wiki", _make)


def _make(root: Path) -> Wiki:
    wiki = Wiki.made(root)
    wiki.ingest("# Door\n\nThe door to the cellar is open.", source="Ines")
    wiki.ingest("# House\n\nMind the [[Door]]. See [[Nowhere]].")
    wiki.ingest(HOSTILE)
    wiki.consolidate()
    wiki.ingest("# Door\n\nThe door to the cellar is shut.", source="Lena")
    wiki.consolidate()
    path = wiki.show("House")["links"]["out"][0]["path"]
    wiki.write(path, wiki.read(path) + "\nIts key hangs beside it.\n")
    wiki.adopt()
    return wiki


def door(wiki: Wiki) -> str:
    """Return the id of the page to which House links: a second one has its title."""
    return str(wiki.show("House")["links"]["out"][0]["id"])


def test_search_page_history_and_what_rests_on_it(wiki: Wiki) -> None:
    browser = Browser(wiki)
    found = browser.get("/?q=cellar").text
    assert f'href="/page/{door(wiki)}"' in found
    assert "House" in browser.get("/").text

    page = browser.get(f"/page/{door(wiki)}").text
    assert "Its key hangs beside it." in page
    rests = page.partition("What rests on it")[2].partition("History")[0]
    assert ">House</a>" in rests
    assert " begun" in page and " edited" in page

    house = browser.get(f"/page/{wiki.show('House')['id']}").text
    # as the index resolves it, although two pages have that title
    assert f'the <a href="/page/{door(wiki)}">Door</a>.' in house
    assert "See Nowhere." in house
    led = browser.get("/find?name=House")
    assert (led.status, led.headers["location"]) == (
        303,
        f"/page/{wiki.show('House')['id']}",
    )
    both = browser.get("/find?name=Door")
    assert both.status == 300
    assert both.text.count('<li><a href="/page/') == 2


def test_of_many_pages_that_link_here_all_can_be_seen(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    count = 230
    wiki.write("hub.md", "# Hub\n\nIn the middle.\n")
    for number in range(count):
        wiki.write(f"at {number:03}.md", f"# At {number:03}\n\nSee [[hub]].\n")
    wiki.git("add", "-A")
    wiki.git("commit", "-qm", "notes")
    browser = Browser(wiki)
    hub = wiki.show("Hub")["id"]

    page = browser.get(f"/page/{hub}").text
    assert ">At 049</a>" in page and ">At 050</a>" not in page
    assert (
        f'<a href="/links?page={hub}">all 230 pages that link here</a>' in page
    )

    first = browser.get(f"/links?page={hub}").text
    assert "1 to 200 of 230" in first and ">At 199</a>" in first
    assert "before" not in first
    (way,) = re.findall(r'href="(/links[^"]*)">the next part', first)
    rest = browser.get(way.replace("&amp;", "&")).text
    assert "201 to 230 of 230" in rest and ">At 229</a>" in rest
    assert "next" not in rest and "the part before" in rest

    assert browser.get("/links?page=none").status == 404
    assert browser.get(f"/links?page={hub}&after=x").status == 200
    assert browser.get(f"/links?page={hub}&after=900").status == 200


def test_the_slider_shows_the_page_as_it_was_known(wiki: Wiki) -> None:
    browser = Browser(wiki)
    address = f"/page/{door(wiki)}"
    now = browser.get(address).text
    last = int(re.search(r'name="v" min="1" max="(\d+)"', now)[1])
    assert last > 1
    then = browser.get(f"{address}?v=1").text
    assert f"version 1 of {last}" in then
    assert "Its key hangs" not in then
    assert "The door to the cellar is open." in then
    # a version that is none is the present one
    for version in ("99", "0", "-1", "x", "9" * 5000):
        assert browser.get(f"{address}?v={version}").text == now


def test_graph_is_drawn_with_the_same_as_a_list(wiki: Wiki) -> None:
    browser = Browser(wiki)
    id = wiki.show("House")["id"]
    around = browser.get(f"/graph?page={id}").text
    assert around.count("<circle ") == 3
    assert around.count("<line ") == 2
    assert browser.get(f"/graph?page={id}").text == around
    whole = browser.get("/graph")
    assert whole.status == 200
    assert "House" in whole.text and "Door" in whole.text


def test_a_page_whose_facts_are_past_says_so_only_of_a_day(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "past")
    wiki.ingest("# Boiler\n\nThe boiler was serviced on 2026-10-02 by Huber.")
    wiki.consolidate()
    browser, id = Browser(wiki), wiki.show("Boiler")["id"]

    assert "Nothing was so" not in browser.get(f"/page/{id}").text
    assert "Nothing was so" in browser.get(f"/page/{id}?as_of=2020-01-01").text


def test_an_answer_in_review_is_logged_and_nothing_else_changes(
    wiki: Wiki,
) -> None:
    browser = Browser(wiki)
    head, tree = wiki.head, wiki.files()
    [question] = review.list_review(wiki.ws)["items"]
    address = f"/review/{question['id']}"
    assert address in browser.get("/review").text
    shown = browser.get(address).text
    assert "is open" in shown and "is shut" in shown

    foreign = browser.post(
        address, "choice=merge", origin="http://evil.example"
    )
    assert foreign.status == 403
    assert browser.post(address, "choice=nonsense").status == 400
    assert browser.post(address, "x" * 10_000).status == 400
    assert review.show_question(wiki.ws, question["id"])["answer"] is None

    assert browser.post(address, "choice=prefer-old").status == 303
    answered = review.show_question(wiki.ws, question["id"])
    assert answered["answer"] == "prefer-old"
    assert answered["by"].startswith("person/")
    assert "Answered: prefer-old" in browser.get(address).text
    browser.post(address, "choice=undo")
    assert review.show_question(wiki.ws, question["id"])["answer"] is None
    assert (wiki.head, wiki.files()) == (head, tree)


def test_no_note_becomes_part_of_the_page(wiki: Wiki) -> None:
    browser = Browser(wiki)
    hostile = wiki.search("click")[0]["id"]
    for address in ("/", "/?q=click", f"/page/{hostile}", "/?q=<script>"):
        answer = browser.get(address)
        assert answer.status == 200
        scripts = re.findall(r"<script[^>]*>", answer.text)
        assert scripts == ['<script src="/static/htmx.min.js" defer="defer">']
        assert "<img" not in answer.text
        assert 'href="javascript:' not in answer.text
        assert "style=" not in answer.text
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy


def test_what_is_not_there_is_said_in_a_sentence(wiki: Wiki) -> None:
    browser = Browser(wiki)
    for address in (
        "/page/nothing-like-it",
        "/find?name=nothing+like+it",
        "/graph?page=nothing",
        "/branches/nothing",
        "/review/nothing",
    ):
        answer = browser.get(address)
        assert answer.status == 404, address
        assert "<h1>" in answer.text and "nothing" in answer.text
    assert browser.get("/elsewhere").status == 404
    assert browser.get("/static/../app.py").status == 404
    id = door(wiki)
    assert browser.get(f"/page/{id}?as_of=sometime").status == 400
    assert browser.post("/", "q=1").status == 405


def test_without_the_key_no_word_of_the_wiki_is_told(wiki: Wiki) -> None:
    stranger = Browser(wiki, has_key=False)
    for address in ("/", "/?q=cellar", "/static/style.css"):
        answer = stranger.get(address)
        assert answer.status == 401
        assert "cellar" not in answer.text


def test_a_page_that_was_opened_counts_as_read(wiki: Wiki) -> None:
    id = door(wiki)
    browser = Browser(wiki)
    browser.get(f"/page/{id}")
    browser.get(f"/page/{id}?v=1", hx_request="true")
    journal = wiki.journal()
    collect_reads(wiki.ws, journal)
    assert count_reads(journal) == 1
