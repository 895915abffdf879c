"""Links: those that no editor follows are listed with the reason."""

from pathlib import Path

from companion.pages.links import choose, is_page_target, key, title_key
from companion.reading.links import list_links
from tests.wiki import Wiki


def problems(wiki: Wiki) -> dict[str, str | None]:
    found = list_links(wiki.ws, broken=True)["links"]
    return {link["target"]: link["problem"] for link in found}


def test_each_broken_link_has_its_reason(tmp_path: Path) -> None:
    long = "a title as long as it may be " * 4
    wiki = Wiki.new(
        tmp_path / "wiki",
        {
            "Band.md": "---\ntitle: AC/DC\naliases: [The Band]\n---\nloud\n",
            "Long.md": f"---\ntitle: {long}\n---\nx\n",
            "One.md": "---\ntitle: Twin\n---\nx\n",
            "Two.md": "---\ntitle: Twin\n---\nx\n",
            "Mine.md": "[[AC/DC]] [[The Band]] [[Band]] [[Twin]] [[Nobody]]"
            f" [[{long.strip()}]]\n",
        },
    )

    assert problems(wiki) == {
        "AC/DC": "Band.md has this title, which no file name can hold",
        "The Band": "Band.md has this title or alias, and another file name",
        "Twin": "several pages have this title: One.md, Two.md",
        "Nobody": "no page has this name",
        long.strip(): "Long.md has this title, which is too long for a file"
        " name",
    }
    shown = list_links(wiki.ws)["links"]
    assert len(shown) == 6
    (whole,) = [link for link in shown if link["target"] == "Band"]
    assert (whole["path"], whole["problem"]) == ("Band.md", None)


def test_every_link_to_a_title_resolves_as_obsidian_does(
    tmp_path: Path,
) -> None:
    names = ["Anna Weber", "Message queue", "Don't panic", "v1.2 (final)"]
    wiki = Wiki.new(tmp_path / "wiki", {"Mine.md": "mine\n"})
    wiki.ingest(*[f"# {name}\n\nAbout {name}." for name in names])
    wiki.ingest("# Hub\n\n" + " ".join(f"[[{name}]]" for name in names))
    wiki.consolidate()

    paths = wiki.git("ls-files", "-z", "*.md").split("\0")
    shown = list_links(wiki.ws)["links"]
    assert len(shown) >= len(names)
    for link in shown:
        same = [path for path in paths if key(path) == key(link["target"])]
        chosen = choose(link["target"], link["page"], same)
        assert is_page_target(link["target"])
        assert chosen is not None and chosen == link["path"]
        assert title_key(link["target"]) == key(chosen)
    assert problems(wiki) == {}
