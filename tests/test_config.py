"""companion.yaml: validated once, where its bytes come in."""

import pytest

from companion.config import BadConfig, Config, parse


def test_nothing_and_an_empty_file_are_the_defaults() -> None:
    assert parse(None) == parse(b"") == parse(b"# only a comment\n") == Config()


@pytest.mark.parametrize("folder", ["notes", "my notes/2026", "a.b/c-d", "träume/"])
def test_a_folder_inside_the_wiki_may_hold_the_pages(folder: str) -> None:
    assert parse(f"entries: {folder}".encode()).entries == folder.rstrip("/")


@pytest.mark.parametrize("folder", ["../x", "/abs", "a/.git", ".hidden", "a/../b", "a//b", "''", "[a]", "a/.b/c", "12"])
def test_no_other_folder_may(folder: str) -> None:
    with pytest.raises(BadConfig, match="entries"):
        parse(f"entries: {folder}".encode())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("adpot: ask", "adpot"),
        ("adopt: maybe", "maybe"),
        ("- a list", "mapping"),
        ("exclude: all", "exclude"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("entries: !!python/object:os.system x", "YAML"),
        ("a: [" * 2000, "deep"),
        ("entries: 'open", "YAML"),
    ],
)
def test_what_is_wrong_is_named(text: str, word: str) -> None:
    with pytest.raises(BadConfig, match=word):
        parse(text.encode())


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("README.md", True),
        ("deep/readme.md", True),
        ("Templates/Daily.md", True),
        ("a/templates/b/c.md", True),
        ("template.md", False),
        ("my README.md", False),
    ],
)
def test_templates_and_readmes_are_set_aside(path: str, aside: bool) -> None:
    assert Config().excluded()(path) is aside


def test_settings_have_a_name_of_their_own_in_a_run() -> None:
    assert Config().hash != Config(entries="notes").hash
