"""Web pages: their main text, what they say about themselves, and nothing that a script says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sources.document import Document, Unreadable
from companion.sources.documents.html import READER, read_html
from companion.sources.documents.markup import read_markup
from companion.sources.read import Readers
from tests.sources.originals import make
from tests.sources.samples import load

PAGE = """<!DOCTYPE html>
<html><head><meta charset="{charset}">
<title>Why the Holm kiln needs a new lining | Brick &amp; Fire</title>
<link rel="canonical" href="https://brick.example/holm-lining#top">
<meta property="og:site_name" content="Brick &amp; Fire">
<meta name="author" content="Ida Brandt">
<meta property="article:published_time" content="2026-02-14">
<script>document.write("<p>written by a script</p>")</script></head>
<body><nav><ul><li><a href="/">Home</a></li><li>Shop</li></ul></nav>
<article><h1>Why the Holm kiln needs a new lining</h1>
<p>The kiln at Holm was fired 14 times in 2025. It broke twice, and the second
repair took until 3 November.</p>
<h2>What broke</h2>
<ul><li>The burner door cracked on 9 June.</li><li>The thermocouple failed.</li></ul>
<p>No firing went above 1,280 degrees. M\u00fcller &amp; S\u00f8n said so.</p>
<blockquote><p>Do not fire it twice a week.</p></blockquote>
<pre><code>ramp 100 1240
hold 30</code></pre>
<table><tr><th>Month</th><th>Firings</th></tr><tr><td>March</td><td>4</td></tr></table>
<p>See <a href="https://example.org/lining">the offer</a> for details.</p></article>
<aside><p>Subscribe to our newsletter!</p></aside>
<footer><p>All rights reserved. Cookie settings.</p></footer></body></html>
"""


def _page(charset: str = "utf-8") -> bytes:
    return PAGE.replace("{charset}", charset).encode(charset)


def test_a_page_says_its_title_author_date_site_and_address():
    document = read_html(_page(), "x.html")

    assert document.title == "Why the Holm kiln needs a new lining"
    assert document.authors == ("Ida Brandt",)
    assert document.published_at == "2026-02-14T00:00:00.000000Z"
    assert document.site == "Brick & Fire"
    assert document.key == document.url == "https://brick.example/holm-lining"
    assert document.links == ("https://example.org/lining",)


def test_only_the_main_text_is_read_in_its_kinds():
    passages = read_html(_page(), "x.html").passages

    assert [passage.kind for passage in passages] == [
        *("heading", "paragraph", "heading", "list", "paragraph"),
        *("quote", "code", "table", "paragraph"),
    ]
    assert passages[3].text.splitlines() == [
        "- The burner door cracked on 9 June.",
        "- The thermocouple failed.",
    ]
    assert passages[6].text == "```\nramp 100 1240\nhold 30\n```"
    assert passages[7].text.splitlines()[2] == "| March | 4 |"
    assert passages[4].place == "paragraph 5"
    text = read_html(_page(), "x.html").text
    for words in ("Home", "newsletter", "Cookie", "written by a script"):
        assert words not in text


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "cp1252", "utf-16"])
def test_the_charset_is_the_one_that_the_page_names(charset):
    assert "M\u00fcller & S\u00f8n" in read_html(_page(charset), "x.html").text


NESTED = """<html><body><nav>Home</nav><article>
<h1>Tools of the kiln</h1><p>These are the tools that we use here every day of the year.</p>
<ul><li><h3>Tongs</h3><p>Hold <b>hot</b>ware.</p></li>
<li>Gauges<ul><li>for heat</li><li>for gas</li></ul></li></ul>
<blockquote><p>First.</p><p>Second.</p></blockquote>
<p>One line<br>and another.</p></article></body></html>"""


def test_words_of_neighbouring_blocks_stay_apart_and_are_said_once():
    text = read_html(NESTED.encode(), "x.html").text

    assert "- Tongs Hold hotware." in text
    assert "- Gauges\n  - for heat\n  - for gas" in text
    assert text.count("for heat") == 1
    assert "> First.\n> Second." in text
    assert "One line and another." in text


@pytest.mark.parametrize("name", ["chromium.html", "chromium.mhtml"])
def test_a_page_that_a_browser_saved_is_read_to_the_letter(name):
    document = read_html(load(name), name)

    assert document.key == "https://brick.example/holm-lining"
    assert document.title == "Why the Holm kiln needs a new lining"
    assert 'Müller said: "never again".' in document.text
    assert "- The burner door cracked on 9 June." in document.text
    assert "newsletter" not in document.text


def test_a_page_without_menus_is_read_whole():
    document = read_html(load("pandoc.html"), "pandoc.html")
    headings = [
        item.text for item in document.passages if item.kind == "heading"
    ]

    assert headings[-4:] == ["Summary", "Firings", "What broke", "Decision"]
    assert "- The burner door cracked on 9 June." in document.text
    assert "| March | 4 | 310 |" in document.text


def test_a_saved_page_knows_where_it_was_saved_from():
    saved = b"<!-- saved from url=(0027)https://brick.example/saved -->\n"
    content = (
        b"<!DOCTYPE html>\n" + saved + b"<html><body><p>words</p></body></html>"
    )

    assert read_html(content, "x.html").key == "https://brick.example/saved"


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ('<base href="https://a.example/">', None),
        ('<link rel="canonical" href="/tea">', None),
        (
            '<meta property="og:url" content="https://a.example/t">',
            "https://a.example/t",
        ),
        (
            '<link href="https://a.example/c" rel="canonical">',
            "https://a.example/c",
        ),
    ],
)
def test_a_page_is_known_by_the_address_that_it_calls_its_own(head, key):
    page = (
        f"<html><head>{head}</head><body><p>words of a page</p></body></html>"
    )

    assert read_html(page.encode(), "x.html").key == key


def _archive() -> bytes:
    head = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://brick.example/arc\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n'
        "\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    return (
        head.encode()
        + b"<html><body><p>Gr=C3=BCn tea</p></body></html>\r\n--b--\r\n"
    )


def test_an_archive_of_a_page_is_read_like_the_page():
    assert READER.recognises(_archive(), "x.mhtml")

    document = read_html(_archive(), "x.mhtml")

    assert document.text == "Gr\u00fcn tea"
    assert document.key == "https://brick.example/arc"


def test_a_page_that_a_script_fills_is_empty():
    page = (
        b"<html><body><div id=app></div><script>show()</script></body></html>"
    )
    with pytest.raises(Unreadable) as caught:
        read_html(page, "x.html")

    assert caught.value.code == "empty"


@pytest.mark.parametrize(
    ("head", "name", "known"),
    [
        (b"<!DOCTYPE html><p>x", "x", True),
        (b"\xef\xbb\xbf \n<HTML>", "x.pdf", True),
        (b'<?xml version="1.0"?><html xmlns="x">', "x", True),
        (b"<p>a part</p>", "x.html", True),
        (b"<p>a part</p>", "x.md", False),
        (b"plain words about <html>", "x.txt", False),
        (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>", "bookmarks.html", False),
        (b"%PDF-1.7 <html>", "x.html", False),
    ],
)
def test_pages_are_told_by_their_first_bytes(head, name, known):
    assert READER.recognises(head, name) is known


@pytest.mark.parametrize(
    "content",
    [
        b"<html><body>" + b"<div>" * 100_000 + b"<p>deep words</p>",
        b"<html><body>" + b"<ul><li>" * 20_000 + b"deep words",
        b"<html><body>" + b"<b>" * 100_000 + b"deep words",
        b"<html><body>" + b"<table><tr><td>" * 5_000 + b"deep words",
        b"<html><body><p>deep words" + b"&amp;" * 50_000,
        b"<html><body><p>\xff\xfe\x00 deep words",
    ],
)
def test_no_nesting_breaks_a_night(content):
    with Readers() as readers:
        document = readers.read(content, make(content, "x.html")).document

    assert "deep words" in document.text


def test_xml_entities_do_not_explode():
    bomb = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha">'
    for number in range(9):
        bomb += f'<!ENTITY b{number} "{"&a;" * 50}">'
    page = bomb.encode() + b"]><html><body><p>calm &b8; words</p></body></html>"

    assert "words" in read_html(page, "x.html").text


def test_an_empty_cell_keeps_its_column():
    text = (
        "<table><tr><th>Month</th><th></th><th>Gas</th></tr>"
        "<tr><td></td><td>4</td><td>310</td></tr><tr><td>June<td><td>9</table>end"
    )

    assert [passage.text for passage in read_markup(text).passages] == [
        "| Month |  | Gas |\n| --- | --- | --- |\n|  | 4 | 310 |\n| June |  | 9 |",
        "end",
    ]


def test_a_page_may_leave_out_the_ends_of_its_elements():
    text = (
        "<html><head><title>T</title><meta charset=utf-8><p>One<p>Two<li>three"
    )

    assert [passage.text for passage in read_markup(text).passages] == [
        "One",
        "Two",
        "- three",
    ]


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text):
    read_markup(text)


WORDS = st.lists(
    st.sampled_from(["tea", "leaf", "pan"]), min_size=1, max_size=5
)
TAGS = st.sampled_from(
    ["p", "div", "li", "blockquote", "h2", "b", "pre", "td", "th"]
)


@given(st.lists(st.tuples(TAGS, WORDS), max_size=8))
def test_every_word_outside_scripts_is_kept(blocks):
    text = "".join(f"<{tag}>{' '.join(words)}</{tag}>" for tag, words in blocks)
    said = [word for _, words in blocks for word in words]
    read = " ".join(passage.text for passage in read_markup(text).passages)

    for word in ("tea", "leaf", "pan"):
        assert read.count(word) == said.count(word)


def test_a_page_in_a_process_of_its_own_is_the_same():
    with Readers() as readers:
        document: Document = readers.read(
            _page(), make(_page(), "x.html")
        ).document

    assert document == read_html(_page(), "x.html")
