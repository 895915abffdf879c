"""One command line, two parsers: whatever the fast lane understands, Typer understands in the same
way.
"""

import inspect
from pkgutil import iter_modules

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import commands, typer_app
from companion.cli.fast_lane import Call, lift, parse, part_minus_words
from companion.cli.output import Ui
from companion.cli.spec import Option

VERBS = commands.load_all()


def typers(words: list[str]) -> Call:
    calls: list[Call] = []
    typer_app.program(calls.append).main(
        args=words, prog_name="companion", standalone_mode=False
    )
    assert len(calls) == 1
    return calls[0]


def value_of(option: Option) -> st.SearchStrategy[str]:
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    if option.kind == "count":
        return st.one_of(
            st.integers(1, 10**9).map(str),
            st.sampled_from(["007", "1_0", "+3", "0", "-2", "²", ""]),
        )
    if option.kind == "share":
        return st.one_of(
            st.floats(0, 1).map(str),
            st.sampled_from(["1", "0", ".5", "1.", "1e0", "nan", "2", "-0.1"]),
        )
    return st.sampled_from(["", "x", "a b", "--json", "-", "--", "é", "-n"])


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    name = draw(st.sampled_from(sorted(VERBS)))
    spec = VERBS[name].spec
    words = st.sampled_from(
        [
            "buy",
            "milk",
            "-",
            "--",
            "",
            "a=b",
            "two words",
            "-x",
            "--nope",
            "-- x",
        ]
    )
    parts: list[list[str]] = [
        [word] for word in draw(st.lists(words, max_size=3))
    ]
    for option in (
        draw(st.lists(st.sampled_from(spec.options), max_size=4))
        if spec.options
        else []
    ):
        flag = draw(st.sampled_from(option.flags))
        if option.kind == "flag":
            parts.append([flag])
            continue
        value = draw(value_of(option))
        glued = flag + ("=" if flag.startswith("--") else "") + value
        parts.append(draw(st.sampled_from([[flag, value], [glued], [flag]])))
    return [
        name,
        *(word for part in draw(st.permutations(parts)) for word in part),
    ]


@given(command_lines())
def test_what_the_fast_lane_understands_typer_understands_alike(
    words: list[str],
) -> None:
    call = parse(words)
    if call is not None:
        assert typers(words) == call


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "search a b",
            {
                "query": ["a", "b"],
                "limit": 10,
                "state": None,
                "explain": False,
                "agent": None,
                "fleet": None,
            },
        ),
        (
            "search a -n 3 --state pending",
            {
                "query": ["a"],
                "limit": 3,
                "state": "pending",
                "explain": False,
                "agent": None,
                "fleet": None,
            },
        ),
        (
            "search -n3 a",
            {
                "query": ["a"],
                "limit": 3,
                "state": None,
                "explain": False,
                "agent": None,
                "fleet": None,
            },
        ),
        (
            "search --limit=3 -- -a",
            {
                "query": ["-a"],
                "limit": 3,
                "state": None,
                "explain": False,
                "agent": None,
                "fleet": None,
            },
        ),
        (
            "log -n 1 -n 2",
            {"limit": 2, "page": [], "explain": False},
        ),
        ("init", {"directory": None, "dry_run": False}),
        ("init x --dry-run", {"directory": "x", "dry_run": True}),
        (
            "show a --raw",
            {"target": ["a"], "raw": True, "explain": False, "agent": None},
        ),
        ("status", {"explain": False, "agent": None}),
    ],
)
def test_the_fast_lane_takes_the_everyday_command_lines(
    line: str, expected: dict[str, object]
) -> None:
    call = parse(line.split())

    assert call is not None
    assert call.arguments == expected
    assert typers(line.split()) == call


@pytest.mark.parametrize(
    "line",
    [
        *(
            "",
            "serch x",
            "search",
            "search x -n 0",
            "search x -n",
            "search x --state lost",
            "show",
        ),
        *(
            "search --help",
            "--help",
            "search x --nope",
            "status x",
            "init a b",
            "ingest --lines=yes x",
        ),
        *(
            "ingest --priority 2 x",
            "ingest --priority nan x",
            "search x -n 9999999999",
        ),
    ],
)
def test_everything_unusual_is_left_to_typer(line: str) -> None:
    assert parse(line.split()) is None


@pytest.mark.parametrize("name", VERBS)
def test_a_command_says_what_its_function_takes(name: str) -> None:
    verb = VERBS[name]
    named = {option.name for option in verb.spec.options}
    if verb.spec.argument is not None:
        named.add(verb.spec.argument.name)

    inspect.signature(verb.run).bind(Ui(), **dict.fromkeys(named))
    parameters = inspect.signature(verb.run).parameters.values()
    taken = {
        each.name
        for each in parameters
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert taken <= named


def test_every_file_is_a_command_that_is_named() -> None:
    files = {found.name for found in iter_modules(commands.__path__)}

    assert files == {commands.file_of(name) for name in commands.NAMES}


@pytest.mark.parametrize(
    ("argv", "said", "rest"),
    [
        (["--json", "search", "x"], {"json": True}, ["search", "x"]),
        (["search", "x", "--json"], {"json": True}, ["search", "x"]),
        (
            ["search", "-C", "w", "x", "-q"],
            {"wiki": "w", "quiet": True},
            ["search", "x"],
        ),
        (["--wiki=w", "status"], {"wiki": "w"}, ["status"]),
        (["-Cw", "status"], {"wiki": "w"}, ["status"]),
        (["-C", "a", "status", "-C", "b"], {"wiki": "b"}, ["status"]),
        (["ingest", "--", "--json"], {}, ["ingest", "--", "--json"]),
        (
            ["ingest", "--title", "--json", "x"],
            {},
            ["ingest", "--title", "--json", "x"],
        ),
        (["search", "x", "-C"], {}, ["search", "x", "-C"]),
        (["search", "x", "--json=1"], {}, ["search", "x", "--json=1"]),
        (["ingest", "-", "--version"], {"version": True}, ["ingest", "-"]),
    ],
)
def test_global_options_stand_anywhere_before_a_double_dash(
    argv: list[str], said: dict[str, object], rest: list[str]
) -> None:
    values, words = lift(argv)

    assert words == rest
    assert (
        values
        == {"wiki": None, "json": False, "quiet": False, "version": False}
        | said
    )


@given(
    st.lists(
        st.sampled_from(
            [
                "--json",
                "-q",
                "-C",
                "w",
                "search",
                "x",
                "--",
                "--title",
                "-n",
                "3",
                "--quiet",
            ]
        )
    )
)
def test_lifting_drops_nothing_and_is_idempotent(argv: list[str]) -> None:
    _, rest = lift(argv)
    values, again = lift(rest)

    assert again == rest
    assert values == lift([])[0]
    assert [word for word in argv if word in ("search", "x", "3")] == [
        word for word in rest if word in ("search", "x", "3")
    ] or "-C" in argv


def test_help_fits_one_screen_and_names_every_command() -> None:
    lines = typer_app.describe_commands().splitlines()

    assert len(lines) <= 23  # and the next prompt
    assert max(map(len, lines)) <= 80
    words = set(" ".join(lines).replace(",", " ").split())
    assert words > set(commands.NAMES)
    assert len(commands.NAMES) == len(set(commands.NAMES))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("search gate -wood", ["gate", "-wood"]),
        ("search -wood gate -n 3", ["-wood", "gate"]),
        ("search gate -noise", ["gate", "-noise"]),
        ("search gate -n3", ["gate"]),
        ("search -- -n", ["-n"]),
    ],
)
def test_a_word_of_a_query_may_begin_with_a_minus(
    line: str, words: list[str]
) -> None:
    call = parse(part_minus_words(line.split()))

    assert call is not None and call.arguments["query"] == words


def test_an_unknown_option_stays_one() -> None:
    for line in ("search gate --wood", "search gate -x", "ingest -wood"):
        assert part_minus_words(line.split()) == line.split()
