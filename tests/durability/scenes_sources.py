"""Wikis in which sources are about to be taken in, or read."""

import subprocess
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from tests.living import Living

FERRY = (
    b"<html><title>Ferries</title><body><article><h1>Ferries</h1>"
    b"<p>The ferry leaves at seven in the morning from pier 3.</p>"
    b"</article></body></html>\r\n"
)
MAIL = b"From: a@example.org\nSubject: Keys\n\nThe keys are with Anna.\n"


def sources_waiting(root: Path) -> Living:
    """A folder beside the wiki has a page and a zip with a mail in it."""
    wiki = Living(root)
    folder = root.parent / "in"
    folder.mkdir(parents=True)
    (folder / "ferry.html").write_bytes(FERRY)
    with ZipFile(folder / "mails.zip", "w") as out:
        out.writestr("keys.eml", MAIL)
    wiki.write("Garden.md", "# Garden\n\nTomatoes want sun.\n")
    wiki.doc("init", ".")
    return wiki


def sources_kept(root: Path) -> Living:
    """The same sources have been taken in."""
    wiki = sources_waiting(root)
    wiki.doc("ingest", "../in")
    return wiki


def originals_are_whole(wiki: Living) -> None:
    """Each source is here once, to the byte, and the zip can be given back."""
    zipped = (wiki.root.parent / "in/mails.zip").read_bytes()
    for content in (FERRY, MAIL, zipped):
        assert _recall(wiki, sha256(content).hexdigest()) == content
    wiki.git("gc", "--quiet", "--prune=now")
    assert _recall(wiki, sha256(FERRY).hexdigest()) == FERRY


def sources_are_cold(wiki: Living) -> None:
    """What was handed over has its original in cold memory, and stands on one page once.

    A night that was killed may leave an object that nothing names: none ever goes.
    """
    originals_are_whole(wiki)
    wiki.doc("consolidate")
    given = _recall(wiki, "Ferries")
    assert given == FERRY, given
    held = wiki.git("ls-tree", "-r", "refs/companion/cold").splitlines()
    blobs = {line.split()[2] for line in held if ".json" not in line}
    # the page, the mail, and the list of the zip's parts
    assert len(blobs) == 3
    assert wiki.text().count("from pier 3") == 1


def _recall(wiki: Living, target: str) -> bytes:
    done: subprocess.CompletedProcess[bytes] = wiki.run(
        "recall", target, "-o", "-"
    )
    assert done.returncode == 0, (target, done.stdout, done.stderr)
    return done.stdout
