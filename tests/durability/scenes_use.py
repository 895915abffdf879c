"""Wikis that were used, and in which something fades: what the scenes of DECAY, AUDIT and use start
from.
"""

from pathlib import Path

from tests.living import Living

# of different matters, for what says nearly the same waits in quarantine and does not fade
_TEXTS = {
    "North": "The North depot was closed in spring because its roof leaked badly. All of its stock went to the quay "
    "on two trucks. A guard stayed on until autumn and wrote a log. Nobody has asked for that log so far. "
    "The fence was sold at once. Two of the three gates of the North depot were kept for later use.",
    "South": "Grandmother baked her South bread in a stone oven behind the house. The dough rested overnight under "
    "a linen cloth. Rye from the mill made it dark and heavy. Children carried the loaves to their neighbours. "
    "Salt was dear in those years. Later the oven cracked during a hard frost and was never mended.",
}


def _at(wiki: Living, when: str, *argv: str) -> None:
    wiki.doc(*argv, env={"COMPANION_NOW": f"{when}T08:00:00Z"})


def fading(root: Path) -> Living:
    """One page is compressed and will be archived, another will be compressed."""
    wiki = Living(root)
    root.mkdir(parents=True)
    _at(wiki, "2026-03-01", "init", ".")
    settings = (root / ".companion/companion.yaml").read_text()
    wiki.write(
        ".companion/companion.yaml",
        f"{settings}vitality: {{decaying: 0.5, archived: 0.45}}\n",
    )
    wiki.git("commit", "--quiet", "-am", "settings")
    for month, title in (("03", "North"), ("05", "South")):
        _at(wiki, f"2026-{month}-01", "ingest", _TEXTS[title], "--title", title)
        _at(wiki, f"2026-{month}-02", "consolidate")
        for day in range(10, 20):
            _at(
                wiki,
                f"2026-{month}-{day}",
                "ingest",
                f"All was quiet on {month}-{day}.",
                "--title",
                "Diary",
            )
        if month == "03":
            _at(wiki, "2026-04-20", "decay")
    return wiki


def nothing_is_lost(wiki: Living) -> None:
    """Both full texts come back from cold memory, and each entry is where its state says."""
    for title, state in (("North", "archived"), ("South", "decaying")):
        told = wiki.doc("recall", title)
        assert told["state"] == state and _TEXTS[title] in told["text"], told
    assert wiki.doc("doctor", code=None)["ok"]


_TOPICS = (
    "koran",
    "koril",
    "korov",
    "melan",
    "melek",
    "melil",
    "turan",
    "turek",
    "turil",
)


def used(root: Path) -> Living:
    """Nine questions led to one page that much rests on, and it was no help; none of it is on
    record yet.
    """
    wiki = Living(root)
    root.mkdir(parents=True)
    _at(wiki, "2026-03-01", "init", ".")
    _at(
        wiki,
        "2026-03-01",
        "ingest",
        " ".join(f"{topic} rules." for topic in _TOPICS),
        "--title",
        "Hub",
    )
    for topic in _TOPICS:
        text = f"Of the {topic} rules there is much to say, at length. See [[Hub]]."
        _at(wiki, "2026-03-01", "ingest", text, "--title", f"The {topic}")
    _at(wiki, "2026-03-02", "consolidate")
    _at(wiki, "2026-03-03", "decay")
    for n, topic in enumerate(_TOPICS, 4):
        _at(wiki, f"2026-03-{n:02}", "search", f"{topic} rules")
        _at(wiki, f"2026-03-{n:02}", "show", "Hub")
        _at(wiki, f"2026-03-{n:02}", "feedback", "bad")
    return wiki


def used_once(wiki: Living, *, more: int = 0) -> None:
    """Every read is on record, once: each question, each time the page was shown or opened, and
    each word on it.
    """
    wiki.ingest("Whatever rides along.")
    wiki.doc("consolidate")
    use = wiki.doc("show", "Hub")["usage"]
    assert use["accesses"] == 2 * len(_TOPICS) + more, use
    assert f"bad {len(_TOPICS)}:" in use["reason"], use
    assert wiki.doc("status")["usage"]["queries"] == len(_TOPICS)


def audited_once(wiki: Living) -> None:
    """What the audit found is on record, nothing is suspended, and every read counts once."""
    used_once(wiki)
    shown = wiki.doc("show", "Hub")
    assert (shown["state"], [each["result"] for each in shown["audits"]]) == (
        "active",
        ["improved"],
    ), shown
    assert "Hub" in [
        each["title"] for each in wiki.doc("search", "koran rules")["results"]
    ]


def condemned(root: Path) -> Living:
    """An audit found that answers are better without a page, and a settle set it decaying, long
    ago.
    """
    wiki = used(root)
    _at(wiki, "2026-04-05", "audit")
    _at(wiki, "2026-04-06", "settle")
    return wiki


def is_archived(wiki: Living) -> None:
    told = wiki.doc("recall", "Hub")
    assert told["state"] == "archived" and all(
        topic in told["text"] for topic in _TOPICS
    ), told
    assert list((wiki.root / "entries").rglob("Hub.md")) == []


def shortened(root: Path) -> Living:
    """One page is compressed."""
    wiki = fading(root)
    wiki.doc("decay")
    return wiki


def is_whole(wiki: Living, title: str) -> None:
    """There is one page of it, active, with its full text."""
    pages = [
        path.read_text()
        for path in (wiki.root / "entries").rglob(f"{title}*.md")
    ]
    assert len(pages) == 1 and _TEXTS[title] in pages[0], pages
    hits = wiki.doc("search", _TEXTS[title].split(".")[1])["results"]
    assert [
        hit["state"] for hit in hits if hit["title"] == title and hit["path"]
    ][:1] == ["active"], hits
