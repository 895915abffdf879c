"""Documents made here, of any length: PDF by hand, office files from the samples."""

import io
import zipfile

from tests.sources.samples import load

_PARTS = {
    "writer.docx": (
        "word/document.xml",
        b"</w:body>",
        b"<w:p><w:r><w:t>%s</w:t></w:r></w:p>",
    ),
    "calc.xlsx": (
        "xl/worksheets/sheet1.xml",
        b"</sheetData>",
        b'<row><c t="inlineStr"><is><t>%s</t></is></c></row>',
    ),
}


def make_pdf(pages: list[str]) -> bytes:
    """Return a PDF by hand with one line a page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
        objects.append(
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
        )
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
    names = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (names, len(kids))
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    out += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def pack_document(*paragraphs: bytes, name: str = "writer.docx") -> bytes:
    """Return the sample *name* with *paragraphs*, or rows of one cell, at its end."""
    part, end, form = _PARTS[name]
    packed = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(load(name)))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for member in source.namelist():
            content = source.read(member)
            if member == part:
                more = b"".join(form % words for words in paragraphs)
                content = content.replace(end, more + end)
            package.writestr(member, content)
    return packed.getvalue()
