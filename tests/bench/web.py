"""`python -m tests.bench web`: what each page of `companion web` costs at --notes entries."""

import statistics
import time
from pathlib import Path

from tests.bench import nights
from tests.web.asking import Browser
from tests.wiki import Wiki

_ASKED = 7  # times
_MOST = 100.0  # ms
_COMMON = 400  # links lead to a note of this number now and then


def web(work: Path, notes: int) -> dict[str, float]:
    """Print and return the median milliseconds of CPU of each page of a vault of *notes*."""
    root = work / "wiki"
    nights.make_vault(root, notes)
    made = Wiki(root)
    made.init()
    hub = made.show("note 0")["id"]
    common = made.show(f"note {min(_COMMON, notes - 1)}")["id"]
    addresses = {
        "what changed last": "/",
        "a search of one word": "/?q=w00003",
        "a search of three words": "/?q=w00003+w00124+note",
        "a page": f"/page/{common}",
        "a page as it was known": f"/page/{common}?v=1",
        "the page that most link to": f"/page/{hub}",
        "the graph around a page": f"/graph?page={common}",
        "the graph around the same": f"/graph?page={hub}",
        "branches": "/branches",
        "review": "/review",
    }
    browser = Browser(made)
    return {
        name: _measure(browser, name, address)
        for name, address in addresses.items()
    }


def _measure(browser: Browser, name: str, address: str) -> float:
    took = []
    for _ in range(_ASKED):
        began = time.process_time()
        answer = browser.get(address)
        took.append((time.process_time() - began) * 1000)
        assert answer.status == 200, (address, answer.status)
    # The first one loads what the server has loaded long ago.
    median = statistics.median(took[1:])
    verdict = "" if median <= _MOST else f"  OVER {_MOST:.0f}"
    print(f"  {name:28} {median:6.1f} ms of CPU{verdict}", flush=True)
    return median
