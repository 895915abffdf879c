"""A secret that a person types into a page: it does not get into git's history by `adopt`."""

from pathlib import Path

import pytest

from tests.wiki import Wiki

TOKEN = "ghp_" + "wWzJ0aLr1XUtnFEMI7MDENGbPxRfiCYq1122"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"Plans.md": "# Plans\n\nnone\n"})


def test_a_page_with_a_new_secret_is_left_out_with_its_line(wiki: Wiki) -> None:
    wiki.write("Plans.md", f"# Plans\n\ndeploy with {TOKEN}\n")
    wiki.write("Other.md", "# Other\n\nfine\n")

    done = wiki.adopt()

    assert [page["path"] for page in done["new"]] == ["Other.md"]
    (left,) = done["left_out"]
    assert left["path"] == "Plans.md"
    assert "a secret in line 3 (GitHub token)" in left["reason"]
    assert TOKEN not in left["reason"]
    assert wiki.git("grep", "-c", TOKEN, "HEAD", check=False) == ""
    assert TOKEN in wiki.read("Plans.md"), "the page itself is the person's"


def test_what_git_has_already_stops_no_edit(wiki: Wiki) -> None:
    wiki.write("Plans.md", f"# Plans\n\ndeploy with {TOKEN}\n")
    wiki.commit()
    wiki.write("Plans.md", f"# Plans\n\ndeploy with {TOKEN}\n\nsoon\n")

    done = wiki.adopt()

    assert [page["path"] for page in done["edited"]] == ["Plans.md"]
