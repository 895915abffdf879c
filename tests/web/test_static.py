"""The one script is htmx as its authors published it."""

import hashlib
from pathlib import Path

import companion.web

#: of dist/htmx.min.js in htmx.org 2.0.11 on npm
HTMX = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"


def test_htmx_is_the_published_one() -> None:
    folder = Path(companion.web.__file__).parent / "static"
    data = (folder / "htmx.min.js").read_bytes()
    assert hashlib.sha256(data).hexdigest() == HTMX
    assert b"Zero-Clause BSD" in (folder / "htmx.LICENSE").read_bytes()
