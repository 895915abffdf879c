"""Other programs read back what an export in their form says."""

import csv
import json
import re
import sqlite3
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.maintenance.exports.bundle import write_bundle
from companion.maintenance.exports.export import CannotExport
from companion.maintenance.exports.gather import ExportedPage, gather_pages
from companion.maintenance.exports.run import export_as
from companion.maintenance.exports.wiki_links import write_plain_links
from companion.pages.frontmatter import read_front
from companion.storage.files.durable import StorageError
from companion.storage.index import schema
from tests.wiki import Wiki

HATED = 'A "page": <b>, |pipe\\ & [box] *? \u00e9\U0001f9e0'
FILES = {
    "Backups.md": "---\ntags: [infra/disk]\naliases: [The backups]\nowner: Ines\n---\n"
    "# Backups\n\nRestic, see [[Garden|the garden]] and [[Nowhere]]. <script>alert(1)</script>\n",
    "Garden.md": "# Garden\n\nPeas. ![[Backups]]\n\n```\n[[Backups]] stays\n```\n%%secret aside%%\n",
    "index.md": f"---\ntitle: '{HATED}'\n---\nSee [[The backups]].\n",
}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", FILES)
    wiki.ingest("The bakery closes at five.")
    wiki.ingest("Anna's phone is 555 0199.", scope="private")
    wiki.consolidate()
    return wiki


def index(wiki: Wiki) -> sqlite3.Connection:
    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return db


def known_edges(wiki: Wiki) -> set[tuple[str, str, str]]:
    return set(index(wiki).execute("SELECT source, target, type FROM edges"))


def known_titles(wiki: Wiki) -> dict[str, str]:
    return dict(index(wiki).execute("SELECT id, title FROM entries"))


def test_graphml_is_read_back(wiki: Wiki, tmp_path: Path) -> None:
    import networkx

    file = tmp_path / "out" / "wiki.graphml"

    done = export_as(wiki.ws, "graphml", str(file))

    graph = networkx.read_graphml(file, force_multigraph=True)
    assert dict(graph.nodes(data="title")) == known_titles(wiki)
    assert set(graph.edges(keys=True)) == known_edges(wiki)
    assert done["counts"] == {
        "pages": len(graph),
        "edges": graph.number_of_edges(),
    }


def test_json_is_read_back(wiki: Wiki, tmp_path: Path) -> None:
    import networkx

    file = tmp_path / "wiki.json"

    export_as(wiki.ws, "json", str(file))

    graph = networkx.node_link_graph(
        json.loads(file.read_text()), edges="edges"
    )
    assert set(graph.edges(keys=True)) == known_edges(wiki)


def test_dot_has_every_page_and_edge_quoted(wiki: Wiki, tmp_path: Path) -> None:
    file = tmp_path / "wiki.dot"

    export_as(wiki.ws, "dot", str(file))

    text = file.read_text()
    edges = re.findall(r'^  "(\w+)" -> "(\w+)" .*type="(\w+)"', text, re.M)
    assert set(edges) == known_edges(wiki)
    label = json.dumps(HATED, ensure_ascii=False)  # the same two escapes
    assert f"[label={label}," in text


@pytest.mark.parametrize("form", ["sqlite", "csv"])
def test_the_tables_are_those_of_the_index(
    wiki: Wiki, tmp_path: Path, form: str
) -> None:
    path = tmp_path / "tables"

    done = export_as(wiki.ws, form, str(path))  # type: ignore[arg-type]

    read = {}
    if form == "sqlite":
        db = sqlite3.connect(path)
        for table in ("entries", "edges", "claims", "audits"):
            rows = db.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            read[table] = [dict(zip(names, row, strict=True)) for row in rows]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    else:
        for table in ("entries", "edges", "claims", "audits"):
            with open(
                path / f"{table}.csv", encoding="utf-8", newline=""
            ) as file:
                read[table] = list(csv.DictReader(file))
    assert {row["id"]: row["title"] for row in read["entries"]} == known_titles(
        wiki
    )
    assert {
        (row["source"], row["target"], row["type"]) for row in read["edges"]
    } == known_edges(wiki)
    assert done["counts"] == {table: len(rows) for table, rows in read.items()}


def test_the_bundle_conforms_and_keeps_what_the_person_wrote(
    wiki: Wiki, tmp_path: Path
) -> None:
    folder = tmp_path / "bundle"

    export_as(wiki.ws, "okf", str(folder))

    files = {
        str(file.relative_to(folder)): file.read_text()
        for file in folder.rglob("*.md")
    }
    concepts = {
        path: read_front(text)
        for path, text in files.items()
        if not path.endswith(("index.md", "log.md")) or "-page" in path
    }
    assert all(front.meta.get("type") for front in concepts.values())
    assert all(front.problem is None for front in concepts.values())
    assert concepts["index-page.md"].meta["title"] == HATED
    backups = concepts["Backups.md"]
    assert backups.meta["owner"] == "Ines"
    assert backups.meta["tags"] == ["infra/disk"]
    assert "[the garden](/Garden.md) and Nowhere" in backups.body
    for text in (*files.values(), (folder / "llms.txt").read_text()):
        for address in re.findall(r"\]\((/[^)]+)\)", text):
            assert (folder / unquote(address[1:])).is_file(), address
    assert "index.md" in files and "log.md" in files


def test_the_site_is_whole_and_runs_nothing(wiki: Wiki, tmp_path: Path) -> None:
    folder = tmp_path / "site"

    export_as(wiki.ws, "html", str(folder))

    pages = list(folder.rglob("*.html"))
    assert len(pages) == len(known_titles(wiki)) + 2
    for file in pages:
        text = file.read_text()
        assert "<script" not in text and "default-src 'none'" in text
        assert "http://" not in text and "https://" not in text
        for address in re.findall(r'href="([^"#]+)', text):
            assert (file.parent / unquote(address)).is_file(), (file, address)
    garden = (folder / "pages" / "Garden.html").read_text()
    assert "[[Backups]] stays" in garden
    assert "secret aside" not in garden
    assert "<h2>Linked from</h2>" in garden


@pytest.mark.parametrize("form", ["graphml", "sqlite", "csv", "okf", "html"])
def test_nothing_private_leaves(wiki: Wiki, tmp_path: Path, form: str) -> None:
    target = tmp_path / "out"

    export_as(wiki.ws, form, str(target))  # type: ignore[arg-type]

    files = [target] if target.is_file() else target.rglob("*")
    assert not any(
        b"555 0199" in file.read_bytes() for file in files if file.is_file()
    )


def test_nothing_is_written_over_or_into_the_wiki(
    wiki: Wiki, tmp_path: Path
) -> None:
    file = tmp_path / "wiki.db"
    export_as(wiki.ws, "sqlite", str(file))
    before = file.read_bytes()

    with pytest.raises(StorageError, match="exists"):
        export_as(wiki.ws, "sqlite", str(file))
    with pytest.raises(CannotExport, match="inside the wiki"):
        export_as(wiki.ws, "html", str(wiki.root / "site"))
    with pytest.raises(CannotExport, match="not empty"):
        export_as(wiki.ws, "csv", str(tmp_path))

    assert file.read_bytes() == before


def test_links_in_code_and_unknown_ones_stay_words() -> None:
    written = write_plain_links(
        "`[[A]]` [[A]] [[A#Head|words]] [[B]] text ^ab12\n",
        {"A": "a.md"},
        lambda path, place: f"{path}#{place}",
    )

    assert written == "`[[A]]` [A](a.md#) [words](a.md#Head) B text\n"


def test_two_reserved_names_find_places_of_their_own() -> None:
    paths = ["index.md", "index-page.md", "sub/LOG.md"]
    pages = [
        ExportedPage(
            "i", "T", path, "note", "", "2026", (), (), "", "b", {}, (), {}
        )
        for path in paths
    ]

    written = [path for path, _ in write_bundle(pages, "w")]

    assert len(set(written)) == len(written)
    assert {"index-page.md", "index-page-2.md", "sub/LOG-page.md"} <= set(
        written
    )


def test_gathered_pages_know_their_backlinks(wiki: Wiki) -> None:
    pages = {page.path: page for page in gather_pages(wiki.ws, index(wiki))}

    assert pages["Backups.md"].linked_from == ("Garden.md", "index.md")
