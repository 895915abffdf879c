"""Find blocks of private keys: PEM, OpenSSH and PGP. `secret_formats` says when to look."""

import re
from collections.abc import Iterator

_PEM = r"-----BEGIN ((?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?)-----"
# a real line end, or \n as it stands in JSON and .env
_PEM_LINE = r"(?:\r?\n|\\{1,2}r?\\{0,2}n)"
# A block in prose (`-----BEGIN PRIVATE KEY-----` opens it) is no key: base64 must follow, on the
# next line after quote marks and `Name: value` headers, or in one long run.
_PEM_BODY = (
    rf"[ \t]{{0,9}}{_PEM_LINE}"
    rf"(?:[ \t>|]{{0,20}}(?:[A-Za-z-]{{1,40}}: [^\n\\]{{0,200}})?{_PEM_LINE}){{0,20}}"
    r"[ \t>|]{0,20}[A-Za-z0-9+/=]{4,}[ \t]*(?:[\r\n\\.…-]|\Z)|[ ][A-Za-z0-9+/=]{40}"
)


def find_private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of the private key blocks in *text*.

    A block goes through its END line, an unclosed one to the end of the text.
    """
    start = text.find("-----BEGIN ")
    while start >= 0:
        head = re.compile(_PEM).match(text, start)
        end = start + 11
        if head and re.compile(_PEM_BODY).match(text, head.end()):
            close = f"-----END {head[1]}-----"
            at = text.find(close, head.end())
            end = len(text)
            if at >= 0:
                end = at + len(close)
            yield start, end, "private key"
        start = text.find("-----BEGIN ", end)
