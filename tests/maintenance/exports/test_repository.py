"""Read on GitHub: every link between pages leads to a page, a heading or a block that is there."""

import html
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.maintenance.exports.repository import slug_of
from companion.maintenance.exports.run import export_as
from tests.wiki import Wiki

FILES = {
    "Home.md": "---\ntags: [home]\n---\n# Home\n\n[[Boiler#Pressure & valves?]], [[#Rest|below]], "
    "[[Boiler#^valve|the valve]], [[plans/Week]], [[Nowhere]], ![[Odd name (2)]]\n\n## Rest\n\nx\n",
    "Boiler.md": "# Boiler\n\n## Pressure & valves?\n\n- The *valve* drips. ^valve\n\n> Said Jo. ^jo\n",
    "plans/Week.md": "Up: [[Home]]. ![[Boiler#^jo]]\n\n```\n[[Home]] stays ^code\n```\n",
    "Odd name (2).md": "An odd [one]: [[Boiler|*the* boiler]]. %%an aside%%\n",
}
Render = Callable[[str], str]

_LINK = re.compile(r'<a href="([^"]+)">')
_HEADING = re.compile(r"<h[1-6]>(.*?)</h[1-6]>")
_ANCHOR = re.compile(r'<a id="([^"]+)">')


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wiki = Wiki.new(tmp_path_factory.mktemp("github") / "wiki", FILES)
    wiki.ingest("# Lena\n\nLena knows the [[Boiler]].", "Lena likes tea.")
    wiki.consolidate()
    wiki.tick(days=1)
    wiki.ingest("Call Lena about the [[Boiler#Pressure & valves?|boiler]].")
    wiki.ingest("My code word is heron.", scope="private")
    wiki.consolidate()
    to = wiki.root.parent / "out"
    export_as(wiki.ws, "github", str(to))
    return to


def dead_links(folder: Path, render: Render) -> tuple[list[str], int]:
    """Return the links that lead nowhere, and how many there are, as GitHub shows the files."""
    shown = {
        path.relative_to(folder).as_posix(): render(
            _without_front(path.read_text())
        )
        for path in folder.rglob("*.md")
    }
    anchors = {path: _anchors(text) for path, text in shown.items()}
    dead, count = [], 0
    for path, text in shown.items():
        for address in _LINK.findall(text):
            count += 1
            file, _, place = unquote(html.unescape(address)).partition("#")
            inside = posixpath.join(posixpath.dirname(path), file)
            target = posixpath.normpath(inside) if file else path
            if target not in anchors or (
                place and place not in anchors[target]
            ):
                dead.append(f"{path}: {address}")
    return dead, count


def _without_front(text: str) -> str:
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def _anchors(shown: str) -> set[str]:
    """Return the anchors of a page by the rule of GitHub's html-pipeline."""
    found = set(_ANCHOR.findall(shown))
    for heading in _HEADING.findall(shown):
        words = html.unescape(re.sub(r"<[^>]*>", "", heading)).lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def plain(text: str) -> str:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").render(text)


def github(text: str) -> str:
    import cmarkgfm
    from cmarkgfm.cmark import Options

    shown = cmarkgfm.github_flavored_markdown_to_html(
        text, options=Options.CMARK_OPT_UNSAFE
    )
    assert isinstance(shown, str)
    return shown


@pytest.mark.parametrize(
    "render",
    [plain, pytest.param(github, marks=pytest.mark.needs("cmarkgfm"))],
)
def test_no_link_is_dead(folder: Path, render: Render) -> None:
    dead, count = dead_links(folder, render)
    assert (dead, count > 12) == ([], True)

    # the test sees a dead one
    (folder / "Dead.md").write_text("[x](Boiler.md#no-such-place)\n")
    try:
        assert len(dead_links(folder, render)[0]) == 1
    finally:
        (folder / "Dead.md").unlink()


def test_pages_keep_their_places_and_words(folder: Path) -> None:
    home = (folder / "Home.md").read_text()
    assert "[Boiler#Pressure & valves?](Boiler.md#pressure--valves)" in home
    assert "[below](#rest)" in home and "Nowhere" in home
    assert "(Odd%20name%20%282%29.md)" in home
    week = (folder / "plans/Week.md").read_text()
    assert "[[Home]] stays ^code" in week and "../Boiler.md#block-jo" in week
    boiler = (folder / "Boiler.md").read_text()
    assert '- <a id="block-valve"></a>The *valve* drips.\n' in boiler
    assert "aside" not in (folder / "Odd name (2).md").read_text()
    everything = "".join(path.read_text() for path in folder.rglob("*.md"))
    assert "heron" not in everything
    assert "[Lena](" in (folder / "README.md").read_text()


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("2026-03-02 09:14", "2026-03-02-0914"),
        ("What is `it`: a/b?", "what-is-it-ab"),
        ("Über **uns** (2)", "über-uns-2"),
        ("snake_case & more", "snake_case--more"),
        ("[Link](x.md) here", "link-here"),
    ],
)
def test_headings_have_the_anchors_of_github(heading: str, anchor: str) -> None:
    assert slug_of(heading) == anchor
