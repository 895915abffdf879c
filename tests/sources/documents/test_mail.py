"""Mails: text, quotes and attachments, and no mail that stops a night."""

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sources.document import Unreadable
from companion.sources.documents.mail import READER, read_mail
from tests.sources.samples import load


def _mail(**headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ida Brandt <ida@example.org>"
    message["Message-ID"] = "<a.1@example.org>"
    for name, value in headers.items():
        message[name] = value
    return message


def test_a_mail_says_who_when_what_and_its_own_id():
    document = read_mail(load("mail.eml"), "mail.eml")

    assert document.title == "Re: Lining of the kiln — Angebot"
    assert document.authors == ("Jörg Müller",)
    assert document.published_at == "2026-02-16T08:12:00.000000Z"
    assert document.key == "abc.1@example.org"
    assert document.links[0] == "https://example.org/offer"


def test_quoted_replies_are_quotes():
    passages = read_mail(load("mail.eml"), "mail.eml").passages
    quotes = [passage for passage in passages if passage.kind == "quote"]

    assert [passage.place for passage in quotes] == ["lines 6-7"]
    assert quotes[0].text.startswith("> What does the lining cost?")


def test_attachments_with_a_reader_are_read_and_others_are_named():
    document = read_mail(load("mail.eml"), "mail.eml")
    places = {passage.place for passage in document.passages}

    assert 'attachment "firings.csv" rows 2-4' in places
    assert any(
        'attachment "kiln.png" was not read' in w for w in document.warnings
    )


def test_headings_of_an_attachment_stand_below_its_name():
    message = _mail()
    message.set_content("See below.")
    message.add_attachment("# Tea\n\nGreen.\n", filename="tea.md")
    found = read_mail(message.as_bytes(), "x").passages[1:]

    assert [(item.text, item.level) for item in found] == [
        ("tea.md", 2),
        ("Tea", 3),
        ("Green.", 0),
    ]


def test_a_pdf_in_a_mail_keeps_its_pages():
    places = {
        passage.place for passage in read_mail(load("mail.eml"), "x").passages
    }

    assert 'attachment "report.pdf" page 1' in places


def test_the_text_of_both_forms_is_read_once():
    message = _mail()
    message.set_content("Green tea.")
    message.add_alternative("<p>Green tea.</p>", subtype="html")

    assert read_mail(message.as_bytes(), "x").text == "Green tea."


def test_a_mail_of_html_is_read_without_marks_and_scripts():
    message = _mail()
    page = "<p>Green <b>tea</b>.</p><script>bad()</script><blockquote>old</blockquote>"
    message.set_content(page, subtype="html")

    assert read_mail(message.as_bytes(), "x").text == "Green tea.\n\n> old"


def test_a_mail_within_a_mail_is_read_and_many_are_not():
    inner = _mail(Subject="inner")
    inner.set_content("Inner words.")
    for depth in range(6):
        outer = _mail(Subject=f"outer {depth}")
        outer.set_content(f"Outer words {depth}.")
        outer.add_attachment(inner)
        inner = outer
    document = read_mail(inner.as_bytes(), "x")

    assert "Outer words 5." in document.text
    assert "Outer words 2." in document.text
    assert "Inner words." not in document.text
    assert "too many mails" in document.warnings[-1]


def test_an_encrypted_mail_says_so():
    content = b'From: a@b\nTo: c@d\nContent-Type: multipart/encrypted; boundary="x"\n\n--x--\n'
    with pytest.raises(Unreadable) as caught:
        read_mail(content, "x.eml")

    assert caught.value.code == "encrypted"


@pytest.mark.parametrize(
    "header",
    [
        b"Subject: =?utf-8?b?broken?= tea",
        b"Subject: =?no-such-charset?q?tea?=",
        b"Subject: \xff\xfe tea",
        b"Subject: tea\nDate: the day after tomorrow",
        b"Subject: tea\nFrom: :;<>@",
        b'Subject: tea\nContent-Type: text/plain; charset="\xff"',
        b"Subject: tea\nContent-Type: multipart/mixed",
        b"Subject: tea\nContent-Transfer-Encoding: base64",
    ],
)
def test_broken_headers_cost_only_themselves(header):
    document = read_mail(
        b"From: a@b\n" + header + b"\n\nGreen tea words.\n", "x"
    )

    assert document.title
    assert document.passages


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b"From: a\nTo: b\nSubject: c\n\nwords", True),
        (b"From ida Mon Feb 16\nFrom: a\nTo: b\nDate: c\n\nx", True),
        (b"Received: by x\r\n\tfor y\r\nDate: z\r\nSubject: q\r\n\r\n", True),
        (b"To: remember\nSubject: tea\n\nA note of mine.", False),
        (b"Subject: tea\nwords and words\n", False),
        (b"---\ntitle: x\n---\n", False),
    ],
)
def test_mails_are_told_by_their_headers(head, known):
    assert READER.recognises(head, "x") is known


@given(st.binary(max_size=300))
def test_any_bytes_after_a_header_are_a_mail_or_a_named_error(rest):
    try:
        read_mail(b"From: a@b\nMIME-Version: 1.0\n" + rest, "x")
    except Unreadable:
        return
