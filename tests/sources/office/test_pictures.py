"""Pictures of text: recognised where the system can, and said; otherwise refused by name."""

import os

import pytest

from companion.sources.document import Unreadable
from companion.sources.office import pdf, pictures, recognition
from companion.sources.read import Readers
from tests.sources.made import make_pdf
from tests.sources.originals import make
from tests.sources.samples import load


@pytest.mark.needs("tesseract")
@pytest.mark.parametrize("name", ["scan.png", "scan.pdf"])
def test_a_scan_is_recognised_and_that_is_said(name):
    content = load(name)
    with Readers() as readers:
        document = readers.read(content, make(content, name)).document

    assert "The kiln at Holm was fired 14 times in 2025." in document.text
    assert recognition.RECOGNISED in document.warnings


@pytest.mark.needs("tesseract")
def test_the_page_of_a_scan_is_known():
    assert pdf.read_pdf(load("scan.pdf"), "x").passages[0].place == "page 1"


@pytest.mark.needs("tesseract")
def test_no_word_is_kept_in_a_cache_of_the_library(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("scan.png", "scan.pdf", "writer.docx"):
        with Readers() as readers:
            readers.read(load(name), make(load(name), name))

    assert os.listdir(tmp_path) == []


@pytest.mark.needs("tesseract")
def test_a_long_scan_is_not_begun(monkeypatch):
    monkeypatch.setattr(pdf, "_MOST_PAGES", 2)
    with pytest.raises(Unreadable) as caught:
        pdf.read_pdf(make_pdf([""] * 3), "book.pdf")

    assert caught.value.code == "too-large"
    assert "ocrmypdf" in caught.value.hint


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (pictures.read_picture, load("scan.png")),
        (pdf.read_pdf, make_pdf([""])),
    ],
)
def test_without_language_data_the_refusal_names_what_is_needed(
    read, content, monkeypatch
):
    monkeypatch.setattr(recognition, "_FOLDERS", ())
    with pytest.raises(Unreadable) as caught:
        read(content, "scan")

    assert caught.value.code == "needs-ocr"
    assert "tesseract-ocr" in caught.value.hint


def test_noise_is_no_text():
    assert not recognition.holds_words("~ | 4 A AR? ii")
    assert recognition.holds_words("The kiln was fired.")


def test_the_newest_data_is_taken_and_its_languages_are_named(
    tmp_path, monkeypatch
):
    for version in ("4", "5"):
        folder = tmp_path / version / "tessdata"
        folder.mkdir(parents=True)
        for name in ("deu", "eng", "osd"):
            (folder / f"{name}.traineddata").touch()
    pattern = str(tmp_path / "*" / "tessdata")
    monkeypatch.setattr(recognition, "_FOLDERS", (pattern,))

    data = recognition.find_language_data()

    assert data == (str(tmp_path / "5" / "tessdata"), ("deu", "eng"))


def test_pictures_are_told_by_their_first_bytes():
    assert pictures.READER.recognises(load("scan.png"), "x")
    assert not pictures.READER.recognises(load("writer.pdf"), "x.png")
