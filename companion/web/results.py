"""The document of `web`."""

from typing import TypedDict


class WebResult(TypedDict):
    """Where the web page is."""

    address: str  # to open once: it holds the key
    host: str
    port: int
