"""companion.yaml: validated once, where its bytes come in."""

import re
from dataclasses import asdict

import pytest

from companion.config import Config, parse, set_values
from companion.config_checks import BadConfig
from companion.values.claims import Way
from companion.values.decay.decay_policy import Policy


def test_nothing_and_an_empty_file_are_the_defaults() -> None:
    assert parse(None) == parse(b"") == parse(b"# only a comment\n") == Config()


@pytest.mark.parametrize(
    "folder", ["notes", "my notes/2026", "a.b/c-d", "träume/"]
)
def test_a_folder_inside_the_wiki_may_hold_the_pages(folder: str) -> None:
    assert parse(f"entries: {folder}".encode()).entries == folder.rstrip("/")


@pytest.mark.parametrize(
    "folder",
    [
        "../x",
        "/abs",
        "a/.git",
        ".hidden",
        "a/../b",
        "a//b",
        "''",
        "[a]",
        "a/.b/c",
        "12",
    ],
)
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
    assert Config().compile_exclusions()(path) is aside


def test_settings_have_a_name_of_their_own_in_a_run() -> None:
    assert Config().hash != Config(entries="notes").hash


@pytest.mark.parametrize(
    "text",
    [
        "reasoner: gpt",
        "reasoner: [light]",
        "model: 7",
        'model: "a\\nb"',
        "max_calls: -1",
        "max_calls: many",
        "max_calls: true",
        "max_tokens: 1.5",
    ],
)
def test_a_reasoner_is_one_of_three_and_caps_are_numbers(text: str) -> None:
    with pytest.raises(BadConfig, match=text.split(":")[0]):
        parse(text.encode())


def test_predicates_have_their_strategies_however_they_are_spelt() -> None:
    found = parse(
        b"claims: {Price: evidence, works  at: {strategy: policy, prefer: [hr, badge]}, a:"
        b" {prefer: [x]}}"
    )
    assert found.claims == (
        ("a", Way("policy", ("x",))),
        ("price", Way("evidence")),
        ("works at", Way("policy", ("hr", "badge"))),
    )
    assert found.hash != Config().hash


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("evidence", "map predicates"),
        ("{price: newest}", "latest, evidence, await, policy, not 'newest'"),
        (
            "{price: {strategie: await}}",
            'unknown key "strategie" (did you mean "strategy"?)',
        ),
        ("{price: [await]}", "strategy"),
        ("{price: policy}", "whom to prefer"),
        ("{price: {strategy: await, prefer: [x]}}", "only policy takes"),
        ("{price: {prefer: hr}}", "list"),
        ("{price: {prefer: [1]}}", "list"),
        ("{1: await}", "map predicates"),
        ("{Price: await, price: latest}", "twice"),
        ("{'  ': await}", "map predicates"),
    ],
)
def test_a_strategy_that_is_none_is_named(value: str, word: str) -> None:
    with pytest.raises(BadConfig, match=f"claims.*{re.escape(word)}"):
        parse(f"claims: {value}".encode())


def test_who_is_trusted_has_a_class_or_a_weight() -> None:
    found = parse(
        b'trust: {Journal/*: high, gossip: low, "https://example.org": 0.7, x: 2}'
    )
    assert found.trust == (
        ("gossip", 0.5),
        ("https://example.org", 0.7),
        ("journal/*", 1.5),
        ("x", 2.0),
    )
    assert found.hash != Config().hash


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("high", "map sources"),
        ("[a]", "map sources"),
        ("{1: high}", "map sources"),
        ("{' ': high}", "map sources"),
        (
            "{a: highest}",
            "low, ordinary, high or a number from 0.1 to 2.0, not 'highest'",
        ),
        ("{a: 0}", "not 0"),
        ("{a: 2.5}", "not 2.5"),
        ("{a: -1}", "not -1"),
        ("{a: .nan}", "not nan"),
        ("{a: true}", "not True"),
        ("{a: [1]}", "not "),
        ("{A: high, a: low}", "twice"),
    ],
)
def test_a_weight_that_is_none_is_named(value: str, word: str) -> None:
    with pytest.raises(BadConfig, match=f"trust.*{re.escape(word)}"):
        parse(f"trust: {value}".encode())


def test_sources_and_topics_have_depths_and_the_person_a_role() -> None:
    found = parse(
        b'depth: {Papers/*: detailed, "https://example.org": linkout}\n'
        b"role: product owner"
    )
    assert found.depth == (
        ("https://example.org", "linkout"),
        ("papers/*", "detailed"),
    )
    assert found.role == "product owner"
    assert found.hash != Config().hash


def test_settings_that_came_later_leave_the_input_of_older_runs_alone() -> None:
    assert parse(b"depth: {}\nrole: ''").hash == Config().hash
    assert Config().hash == "29fe5d21c5c1fb8f"


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ("depth: detailed", "map sources"),
        ("depth: {' ': brief}", "map sources"),
        ("depth: {a: deep}", "linkout, brief, key points, detailed, full text"),
        ("depth: {a: [1]}", "not "),
        ("depth: {A: brief, a: brief}", "twice"),
        ("role: [a]", "one line"),
        ('role: "a\\nb"', "one line"),
    ],
)
def test_a_depth_or_a_role_that_is_none_is_named(
    setting: str, word: str
) -> None:
    with pytest.raises(BadConfig, match=f"{setting[:4]}.*{re.escape(word)}"):
        parse(setting.encode())


def test_every_unknown_key_is_named_with_the_nearest_known_one() -> None:
    with pytest.raises(BadConfig) as refused:
        parse(b"resoner: light\nzzz: 1\nadopt: ask")

    assert str(refused.value) == (
        "Settings error in .companion/companion.yaml: "
        'unknown key "resoner" (did you mean "reasoner"?), '
        f'unknown key "zzz" (known keys: {", ".join(asdict(Config()))})'
    )
    assert (
        refused.value.hint
        == "docs/reference/settings.md lists every key and its default."
    )


def test_setting_values_keeps_every_other_byte() -> None:
    old = b"# mine\nadopt: ask  # why\nreasoner: light\nexclude:\n  - x.md"
    new = set_values(old, {"reasoner": "llm", "model": "a: b"})

    assert (
        new
        == b'# mine\nadopt: ask  # why\nexclude:\n  - x.md\nreasoner: llm\nmodel: "a: b"\n'
    )
    assert parse(new) == Config(
        adopt="ask", exclude=("x.md",), reasoner="llm", model="a: b"
    )
    assert (
        parse(set_values(new, {"reasoner": "light", "model": ""})).model == ""
    )
    assert (
        parse(set_values(None, {"reasoner": "llm", "model": "no"})).model
        == "no"
    )
    assert set_values(None, {"reasoner": "semantic"}) == b"reasoner: semantic\n"


def test_the_weights_of_vitality_can_be_tuned_and_none_eliminated() -> None:
    """DEC-1."""
    found = parse(b"vitality: {gravity: 2, decaying: 0.2}").vitality
    assert found == Policy(gravity=2.0, decaying=0.2)
    assert parse(b"vitality: {}").vitality == Policy()


@pytest.mark.parametrize("name", Policy._fields)
@pytest.mark.parametrize(
    "value",
    ["0", "-1", ".nan", ".inf", "true", "'1'", "1e-9", "[1]", "null", "1001"],
)
def test_a_term_that_would_be_eliminated_is_named(
    name: str, value: str
) -> None:
    with pytest.raises(
        BadConfig,
        match=f"vitality: {name} must be a number from 0.0001 to 1000",
    ):
        parse(f"vitality: {{{name}: {value}}}".encode())


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("3", "map terms"),
        ("{speed: 1}", 'unknown key "speed"'),
        ("{archived: 0.5}", "must not lie above decaying"),
    ],
)
def test_a_vitality_that_is_none_is_named(value: str, word: str) -> None:
    with pytest.raises(BadConfig, match=f"vitality.*{word}"):
        parse(f"vitality: {value}".encode())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("without: gravity", ("gravity",)),
        ("without: [promotion, gravity]", ("gravity", "promotion")),
        ("without: []", ()),
    ],
)
def test_an_experiment_names_what_it_goes_without(
    text: str, parts: tuple[str, ...]
) -> None:
    found = parse(text.encode())

    assert found.without == parts
    assert (found.hash == Config().hash) == (not parts)


@pytest.mark.parametrize("value", ["audit", "[gravity, all]", "no", "1"])
def test_an_experiment_goes_without_nothing_else(value: str) -> None:
    with pytest.raises(BadConfig, match="gravity or promotion"):
        parse(f"without: {value}".encode())
