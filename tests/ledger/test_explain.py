"""Reasons name pages by their titles, and pages of one title by the beginning of their ids, too."""

from pathlib import Path

from companion.ledger.explain import replace_ids
from companion.lookup.index import current_index
from tests.wiki import Wiki


def test_pages_of_one_title_are_told_apart(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    for path in ("a/Nuts.md", "b/Nuts.md", "Cake.md"):
        title = Path(path).stem
        wiki.write(path, f"# {title}\n\nWhat is told of it in {path}.\n")
    wiki.commit("notes")
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None
    rows = db.execute("SELECT path, id FROM entries")
    ids = dict(rows)
    nuts, other, cake = ids["a/Nuts.md"], ids["b/Nuts.md"], ids["Cake.md"]
    said = replace_ids(db, f"{nuts} was replaced by {other}.")
    assert said == f"“Nuts” ({nuts[:8]}) was replaced by “Nuts” ({other[:8]})."
    said = replace_ids(db, f"{nuts} was replaced by {cake}.")
    assert said == "“Nuts” was replaced by “Cake”."
    # one page that is named twice is no other
    said = replace_ids(db, f"{nuts} is {nuts}.")
    assert said == "“Nuts” is “Nuts”."
