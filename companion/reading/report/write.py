"""`report`: write one self-contained HTML page about the wiki. It records no use."""

import os
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.reading.report.collect import collect_report
from companion.reading.report.page import write_page
from companion.reading.report.values import TITLES
from companion.storage.files import durable
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.report.results import ReportResult

NAME = "companion-report.html"


class NothingToReport(CompanionError):
    """There has been no run yet."""

    exit_code = 1
    hint = (
        "`companion consolidate` makes pages of notes; a report tells of pages."
    )


def write_report(ws: Workspace, path: str | None = None) -> "ReportResult":
    """Write the report to *path*, by default to `NAME` in the current folder.

    Raises NothingToReport, ReportNeedsMatplotlib or StorageError.
    """
    report = collect_report(ws)
    if report is None:
        raise NothingToReport
    style = os.path.join(os.path.dirname(__file__), "style.css")
    with open(style, encoding="utf-8") as file:
        page = write_page(report, file.read())
    content = page.encode("utf-8", "replace")
    target = os.path.abspath(os.path.expanduser(path or NAME))
    durable.replace(target, content)
    return {
        "path": target,
        "bytes": len(content),
        "as_of": report.as_of,
        "sections": list(TITLES),
    }
