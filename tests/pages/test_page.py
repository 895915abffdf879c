"""Pages: titles, aliases, tags, links and ownership as Obsidian's users know them."""

import subprocess
import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.page import append_section, compose, parse
from companion.values.captures import Link

ID = "abcdefgh234567ab"


def links(body: str) -> list[str]:
    return [
        ("!" if link.kind == "embed" else "") + link.target
        for link in parse(body, "n.md").links
    ]


def tags(body: str) -> list[str]:
    return list(parse(body, "n.md").tags)


def front(text: str, body: str = "") -> str:
    return f"---\n{text}\n---\n{body}"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (front("title: Given", "# Heading"), "Given"),
        (front("title: 012", "# Heading"), "012"),
        (front("title: [a, b]", "# Heading"), "Heading"),
        (front("title:", "intro\n\n# Heading ##\n# Second"), "Heading"),
        ("## Not one\n#Nor this\n   # Yes", "Yes"),
        ("```\n# in code\n```\n# Out", "Out"),
        ("~~~~\n# in\n~~~\n# still in\n~~~~\n# Out", "Out"),
        ("<!--\n# hidden\n-->\n%%\n# hidden\n%%\n# Seen [[x]]", "Seen [[x]]"),
        ("# C#", "C#"),
        ("#\n# \n", "Name of it"),
        ("plain", "Name of it"),
        (front("title: a\n  b", ""), "a b"),
        ("a\r\n# CRLF\r\nb", "CRLF"),
    ],
)
def test_the_title_is_given_or_the_first_heading_or_the_file_name(
    text: str, title: str
) -> None:
    assert parse(text, "folder/Name of it.md").title == title


@pytest.mark.parametrize(
    ("written", "aliases"),
    [
        ("aliases: One, two", ("One, two",)),
        ("alias: one", ("one",)),
        ("aliases:\n  - one\n  - two\n  - one", ("one", "two")),
        ("aliases: []", ()),
        ("aliases:", ()),
        ("aliases: null", ()),
        ("Aliases: [no, 012]", ("no", "012")),
    ],
)
def test_aliases(written: str, aliases: tuple[str, ...]) -> None:
    assert parse(front(written), "n.md").aliases == aliases


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (front('tags: "a, b c #d"'), ["a", "b", "c", "d"]),
        (front('tags:\n  - a/b\n  - "#c"', "#d #A/B"), ["a/b", "c", "d"]),
        (front("tag: one"), ["one"]),
        ("#a/b #c-d_e,#no x#no #f. (#no) #é🌲", ["a/b", "c-d_e", "f", "é🌲"]),
        ("#1984 #y1984 #12/34 ## #\n# heading #in", ["y1984", "in"]),
        (
            "`#no` ```#no``` <!-- #no --> %% #no %% \\#no [t](u#no) [[n#no]]\n```\n#no\n```\n#yes",
            ["yes"],
        ),
        ("#start\n#line", ["start", "line"]),
    ],
)
def test_tags(text: str, found: list[str]) -> None:
    assert tags(text) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "[[a]] [[b|text]] [[c#heading]] [[d#^block]] [[e#h|t]] [[a]]",
            ["a", "b", "c", "d", "e"],
        ),
        ("| [[a\\|text]] | ![[b\\|100]] |", ["a", "!b"]),
        ("![[a]] [[a]] ![alt](i.png)", ["!a", "a", "!i.png"]),
        ("[[#heading]] [[^b]] [[]] [[ ]] [[a\nb]]", ["^b"]),
        (
            "[[ a ]] [[dir/a.md]] [[Node.js]] [[a|x [y] z]]",
            ["a", "dir/a.md", "Node.js"],
        ),
        (
            '[t](a.md) [t](<b c.md>) [t](d%20e.md) [t](f.md#h) [t](g.md "title")',
            ["a.md", "b c.md", "d e.md", "f.md", "g.md"],
        ),
        (
            "[t](a(b).md) [t](a\\(c.md) [](d.md) [t]( e.md 'x' )",
            ["a(b).md", "a(c.md", "d.md", "e.md"],
        ),
        (
            "[t](https://x.y/z.md) [t](//x.y) [t](mailto:a@b) [t](#h) [t]() [t](obsidian://open?x)",
            [],
        ),
        ("[t](%E9.md) [t](%C3%A9.md)", ["%E9.md", "é.md"]),
        (
            "[![img](i.png)](page.md) [`code`](b.md) [a\nb](c.md)",
            ["page.md", "b.md", "c.md"],
        ),
        ("[a\n\nb](c.md) [ ] ](x.md)", []),
        ("`[[no]]` ``a ` [[no]] `` `open [[yes]]", ["yes"]),
        ("```\n[[no]]\n```\n[[yes]]", ["yes"]),
        ("- ```js\n  [[no]]\n  ```\n- [[yes]]", ["yes"]),
        ("> ~~~\n> [[no]]\n> ~~~\n> [[yes]]", ["yes"]),
        ("````\n```\n[[no]]\n````\n[[yes]]", ["yes"]),
        ("[[yes]]\n```\n[[no]] never closed", ["yes"]),
        ("<!-- [[no]]\n```\n--> [[yes]] <!-- [[open]]", ["yes", "open"]),
        ("%% [[no]]\n\n %% [[yes]] 100%% [[also]]", ["yes", "also"]),
        ("\\[[no]] \\`[[yes]]\\`", ["yes"]),
        ("[[one]]\r\n```\r\n[[no]]\r\n```\r\n[[two]]", ["one", "two"]),
        ("[[1,2],[3,4]]", []),
        ("`code\n\n[[yes]]`", ["yes"]),
    ],
)
def test_links_are_those_obsidian_shows(body: str, found: list[str]) -> None:
    assert links(body) == found


def test_links_in_frontmatter_come_first() -> None:
    text = front(
        'up: "[[a|A]]"\nlist:\n  - "[[b#h]] and [[c]]"\nbare: [[d]]\nnested: {x: "![[e]]"}',
        "[[f]]",
    )

    assert parse(text, "n.md").links == (
        Link("a", "link"),
        Link("b", "link"),
        Link("c", "link"),
        Link("e", "embed"),
        Link("f", "link"),
    )


@pytest.mark.parametrize(
    ("written", "id_", "managed"),
    [
        (f"id: {ID}", ID, True),
        (f"id: {ID}\ncompanion: theirs", ID, False),
        ("companion: managed", None, True),
        ("id: 42", None, False),
        ("title: x", None, False),
        (f"id: {ID}\nid: {ID}", ID, True),
    ],
)
def test_who_owns_a_page(written: str, id_: str | None, managed: bool) -> None:
    page = parse(front(written), "n.md")

    assert (page.id, page.managed) == (id_, managed)


def test_status_is_the_first_text_given() -> None:
    assert parse(front("status: draft"), "n.md").status == "draft"
    assert (
        parse(front('status: ["[[Published]]"]'), "n.md").status
        == "[[Published]]"
    )
    assert parse(front("status:"), "n.md").status is None


def test_a_page_composed_is_the_page_parsed() -> None:
    text = compose(
        {
            "id": ID,
            "title": "no",
            "aliases": ["a: b"],
            "tags": ["x"],
            "status": "active",
        },
        "\nBody [[y]]\n",
    )

    assert parse(text, "n.md") == (
        ID,
        "no",
        ("a: b",),
        ("x",),
        (Link("y", "link"),),
        "active",
        True,
        "\nBody [[y]]\n",
        None,
        False,
        None,
        False,
    )


# fmt: off
PIECES = [
    "[[", "]]", "](", "[", "]", "(", ")", "`", "``", "```", "\n```\n", "~~~", "<!--", "-->", "%%", "#", "# ", "\n",
    "\n\n", "|", "\\", "!", "a", "b.md", " ", "<", ">", '"', "%20", "---\n", "---", "tags: [a", "\r\n", "\t", "> ",
    "- ", "\x00",
]
HOSTILE = [
    "[[a", "[", "[[a|", "[a](", "![", "`a``", "<!--", "%% ", "\n```\n", "#", "[a](<", "\\[", "[x[a]", "(", "[a](b (",
    "- ", "\n- - - ", "\n> ", "]", "[[a|[b]", '[a](b "', "<!-- `", "* ", "\n~~~", "[a](b(c",
]
# fmt: on


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_raises(text: str) -> None:
    page = parse(text, "n.md")

    assert page.title
    assert text.endswith(page.body)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    started = process_time()
    parse("#tag " + piece * (200_000 // len(piece)), "n.md")

    assert process_time() - started < 1.0


def test_fifty_thousand_links_on_a_page_are_all_found() -> None:
    assert (
        len(links(" ".join(f"[[page {n}]]" for n in range(50_000)))) == 50_000
    )


def test_a_plain_page_does_not_import_yaml() -> None:
    code = (
        "import sys; from companion.pages.page import parse; parse('---\\na: b\\n---\\n', 'n');"
        " print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert "companion.pages.page" in loaded
    assert not {
        "yaml",
        "json",
        "difflib",
        "dataclasses",
        "pathlib",
        "urllib",
    } & set(loaded)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a\n", "a\n\n## S\nx\n"),
        ("a", "a\n\n## S\nx\n"),
        ("a\n\n", "a\n\n## S\nx\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n\r\n## S\r\nx\r\n"),
        ("a\r\nb", "a\r\nb\r\n\r\n## S\r\nx\r\n"),
        ("", "## S\nx\n"),
    ],
)
def test_a_section_is_appended_after_a_blank_line_in_the_page_s_ending(
    text: str, after: str
) -> None:
    assert append_section(text, "\n## S\nx\n\n") == after
