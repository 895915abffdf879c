"""The document of `report`."""

from typing import TypedDict


class ReportResult(TypedDict):
    """A report that was written."""

    path: str
    bytes: int
    as_of: str | None  # the newest run that it tells of
    sections: list[str]
