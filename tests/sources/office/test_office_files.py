"""PDF and office documents as the real programs write them: every word, in its place."""

import io
import zipfile

import pytest

from companion.sources.document import Document, Unreadable
from companion.sources.office import extraction
from companion.sources.office.office_files import READER as OFFICE
from companion.sources.office.packages import find_format
from companion.sources.office.pdf import READER as PDF
from companion.sources.read import Readers
from companion.sources.reader import HEAD
from tests.sources.made import make_pdf, pack_document
from tests.sources.originals import make
from tests.sources.samples import load

REPORTS = {
    "writer.pdf": "page 1",
    "writer.docx": "paragraph 7",
    "pandoc.docx": "paragraph 7",
    "writer.odt": "paragraph 7",
    "pandoc.odt": "paragraph 7",
    "writer.rtf": "paragraph 7",
    "pandoc.pptx": "slide 3",
    "impress.odp": "slide 3",
    "pandoc.epub": 'chapter "Firings"',
    "writer.doc": "paragraph 7",
}
SENTENCES = (
    "The kiln at Holm was fired 14 times in 2025.",
    "No firing went above 1,280 °C, because the lining does not bear more.",
    "The burner door cracked on 9 June.",
    "from Müller & Søn for 8,400 euros, not from Keramo,",
    "https://example.org/lining",
)


@pytest.fixture(scope="module")
def readers():
    with Readers() as readers:
        yield readers


def _read(readers: Readers, content: bytes, name: str) -> Document:
    return readers.read(content, make(content, name)).document


@pytest.mark.parametrize("name", REPORTS)
def test_every_sentence_is_there_to_the_letter(readers, name):
    document = _read(readers, load(name), name)

    text = " ".join(document.text.split())
    for sentence in SENTENCES:
        assert sentence in text, name
    assert document.title == "The kiln at Holm, report for 2025"


@pytest.mark.parametrize("name", REPORTS)
def test_a_passage_keeps_its_place(readers, name):
    document = _read(readers, load(name), name)
    places = [
        passage.place
        for passage in document.passages
        if "mean temperature" in passage.text
    ]

    assert places == [REPORTS[name]]


@pytest.mark.parametrize(
    "name", ["writer.pdf", "writer.docx", "writer.odt", "pandoc.epub"]
)
def test_headings_lists_and_tables_are_known(readers, name):
    passages = _read(readers, load(name), name).passages
    found = {passage.kind: passage.text for passage in passages}

    assert found["heading"] == "Decision"
    assert found["list"].startswith("- The burner door cracked on 9 June.\n- ")
    assert found["table"].splitlines()[2] == "| March | 4 | 310 |"


@pytest.mark.parametrize("name", ["writer.pdf", "writer.docx", "writer.odt"])
def test_addresses_are_links(readers, name):
    assert _read(readers, load(name), name).links == (
        "https://example.org/lining",
    )


def test_authors_and_dates_are_those_of_the_file(readers):
    document = _read(readers, load("pandoc.epub"), "x.epub")

    assert document.authors == ("Ida Brandt",)
    assert document.published_at == "2026-02-14T00:00:00.000000Z"


@pytest.mark.parametrize("name", ["calc.xlsx", "calc.ods"])
def test_a_sheet_names_its_rows(readers, name):
    table = _read(readers, load(name), name).passages[-1]

    assert table.place == 'sheet "firings" rows 2-4'
    assert "| 2025-06-09 | Holm | 1190 | burner door cracked, stopped |" in (
        table.text
    )


def test_a_long_sheet_is_sampled_and_that_is_said(readers):
    rows = [b"row %d" % number for number in range(26_000)]
    content = pack_document(*rows, name="calc.xlsx")
    document = _read(readers, content, "long.xlsx")

    assert document.passages[-1].place.endswith("-26004")
    assert "26004" in document.warnings[0]


def test_the_bytes_decide_and_not_the_name(readers):
    assert _read(readers, load("writer.pdf"), "letter.docx").passages
    assert _read(readers, load("writer.docx"), "letter.pdf").passages
    assert _read(readers, load("calc.xlsx"), "letter").passages


@pytest.mark.parametrize(
    ("name", "kind"),
    [("writer-locked.pdf", "encrypted"), ("writer-locked.docx", "encrypted")],
)
def test_what_needs_a_password_says_so(readers, name, kind):
    with pytest.raises(Unreadable) as caught:
        _read(readers, load(name), name)

    assert caught.value.code == kind
    assert "password" in caught.value.hint


@pytest.mark.parametrize("name", ["writer.pdf", "writer.docx", "calc.xlsx"])
@pytest.mark.parametrize("part", [0.05, 0.5])
def test_what_was_cut_off_says_so(readers, name, part):
    content = load(name)
    cut = content[: int(len(content) * part)]
    with pytest.raises(Unreadable) as caught:
        _read(readers, cut, name)

    assert caught.value.code in ("truncated", "damaged")


def test_a_page_that_a_browser_printed_is_read_to_the_letter(readers):
    document = _read(readers, load("chromium.pdf"), "page.pdf")

    assert "No firing went above 1,280 degrees" in document.text
    assert 'Müller said: "never again".' in document.text


def test_a_pdf_that_was_mended_says_what_is_missing(readers):
    document = _read(readers, load("writer.pdf")[:-1500], "x.pdf")

    assert "14 times" in document.text
    assert document.warnings == ("its end is missing; what is there was read",)


def test_a_bomb_in_a_zip_is_refused(readers):
    with pytest.raises(Unreadable) as caught:
        _read(readers, pack_document(400_000_000 * b"a"), "bomb.docx")

    assert caught.value.code in ("too-large", "out-of-memory")


def test_pages_are_counted_from_one(readers):
    pages = [
        f"Page number {number} of this paper is here." for number in (1, 2, 3)
    ]
    document = _read(readers, make_pdf(pages), "three.pdf")

    assert [passage.place for passage in document.passages] == [
        "page 1",
        "page 2",
        "page 3",
    ]


@pytest.mark.slow
def test_ten_thousand_pages_are_read(readers):
    pages = [f"Page number {number} of this book." for number in range(10_000)]
    document = _read(readers, make_pdf(pages), "book.pdf")

    assert document.passages[-1].place == "page 10000"


def test_without_the_extra_the_refusal_names_the_command(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "xberg", None)
    with pytest.raises(Unreadable) as caught:
        PDF.read(load("writer.pdf"), "x.pdf")

    assert caught.value.code == "needs-documents"
    assert "pip install 'companion-wiki[documents]'" in caught.value.hint


@pytest.mark.parametrize(
    "name",
    [*REPORTS, "calc.xlsx", "calc.ods"],
)
def test_formats_are_told_by_their_first_bytes(name):
    assert find_format(load(name)[:HEAD], "") == name.rpartition(".")[2]


def test_a_plain_zip_is_no_document():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        package.writestr("notes/a.md", "words")

    assert not OFFICE.recognises(packed.getvalue(), "export.zip")
    assert not OFFICE.recognises(packed.getvalue(), "export.docx")


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("The kiln  at Holm", "The kiln at Holm"),
        ("Microsoft Word - The kiln at Holm", "The kiln at Holm"),
        ("Microsoft Word - kiln_v3 final.docx", ""),
        ("paper.dvi", ""),
        ("Untitled", ""),
        ("PowerPoint-Präsentation", ""),
        ("A document", "A document"),
    ],
)
def test_what_a_program_put_there_is_no_title(title, shown):
    assert extraction.clean_title(title) == shown


def test_without_a_title_a_document_is_called_after_its_first_heading(readers):
    content = load("writer.docx")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        source = zipfile.ZipFile(io.BytesIO(content))
        for name in source.namelist():
            part = source.read(name)
            if name == "docProps/core.xml":
                part = part.replace(
                    b"The kiln at Holm, report for 2025", b"x.docx"
                )
            package.writestr(name, part)

    assert _read(readers, packed.getvalue(), "b.docx").title == (
        "The kiln at Holm, report for 2025"
    )


def test_no_message_of_the_library_is_shown():
    error = extraction._explain("Parsing error: the words of the person")

    assert "person" not in str(error)


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        (
            ["Lund", "M.; ", "Osterloh", "H.-P."],
            ("Lund, M.", "Osterloh, H.-P."),
        ),
        (["K. Brandt", "surveyor"], ("K. Brandt", "surveyor")),
        (["openpyxl"], ()),
        (["python-docx", "Henrike Osterloh"], ("Henrike Osterloh",)),
        (["A."], ("A.",)),
    ],
)
def test_authors_are_persons_with_their_initials(names, authors):
    assert extraction.clean_authors(names) == authors
