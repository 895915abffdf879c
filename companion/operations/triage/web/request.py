"""Make a parcel of what an address gives: one that was fetched before is asked for changes only."""

import os
from email.utils import parsedate_to_datetime
from urllib.parse import unquote, urlsplit

from companion.errors import CompanionError
from companion.operations.triage import media_types
from companion.operations.triage.parcels import Parcel, show_path
from companion.operations.triage.web.addresses import (
    BadAddress,
    ForbiddenAddress,
    Target,
    parse_address,
)
from companion.operations.triage.web.fetch import (
    BrokenOff,
    Condition,
    Later,
    Page,
    TooLarge,
    Unavailable,
    fetch,
)
from companion.privacy import secret_formats
from companion.storage.cold import originals
from companion.storage.cold.originals import Original
from companion.storage.git.repo import Repo
from companion.values.refusals import Refusal
from companion.values.time import format_instant

ALLOWED = "companion.allowHost"  # in git's settings: a clone brings none

_KINDS: dict[type[CompanionError], str] = {
    Unavailable: "unavailable",
    BrokenOff: "broken-off",
    Later: "later",
    TooLarge: "too-large",
    BadAddress: "address",
    ForbiddenAddress: "private-address",
}
_FAILURES = tuple(_KINDS)


class Web:
    """Fetches the addresses of one call, one after the other."""

    def __init__(self, repo: Repo, *, keeps_secrets: bool) -> None:
        self._repo = repo
        self._allowed = repo.config_values(ALLOWED)
        self._keeps_secrets = keeps_secrets
        self._patient: dict[str, Later] = {}  # hosts that asked for patience

    def take(self, parcel: Parcel) -> Parcel | Original | Refusal:
        """Return what the address of *parcel* gives; the original, where it did not change."""
        try:
            target = parse_address(parcel.origin)
            refusal = self._refuse_secret(target)
            if refusal is not None:
                return refusal
            return self._take(parcel, target)
        except _FAILURES as error:
            return Refusal(
                parcel.origin, _KINDS[type(error)], str(error), error.hint
            )

    def _take(
        self, parcel: Parcel, target: Target
    ) -> Parcel | Original | Refusal:
        source = parcel.source or target.url
        parcel = parcel._replace(source=source)
        if target.host in self._patient:
            raise self._patient[target.host]
        before = _find_last(self._repo, parcel)
        condition = None
        if before is not None:
            condition = Condition(before.etag, before.last_modified)
        try:
            page = fetch(target.url, allowed=self._allowed, condition=condition)
        except Later as error:
            self._patient[target.host] = error
            raise
        if page is None:
            assert before is not None
            return before
        return _make_parcel(parcel, page)

    def _refuse_secret(self, target: Target) -> Refusal | None:
        """Refuse an address that gives a secret away: it would be stored with the page."""
        found = secret_formats.find(target.url)
        if self._keeps_secrets or not found:
            return None
        hint = "Save the page, and ingest the file; or use --store-anyway."
        origin = secret_formats.redact(target.url, found)
        return Refusal(
            origin, "secret", f"{found[0].kind} in the address", hint
        )


def _find_last(repo: Repo, parcel: Parcel) -> Original | None:
    """Return the newest original of the source, where a server can be asked for changes of it."""
    found = [
        item
        for item in originals.read(repo)
        if item.source == parcel.source
        and (item.agent, item.scope) == (parcel.agent, parcel.scope)
        and (item.etag or item.last_modified)
    ]
    return max(found, key=lambda item: item.received_at, default=None)


def _make_parcel(parcel: Parcel, page: Page) -> Parcel | Refusal:
    if not page.content:
        hint = "Look at it in a browser, and save what you see."
        return Refusal(parcel.origin, "empty", "the answer is empty", hint)
    name = _name_of(page.answer.url)
    media_type = _media_type_of(page, name)
    readable = media_types.is_read(media_type)
    if not readable and not media_types.is_keepsake(media_type):
        reason = f"no reader reads {media_types.name_kind(media_type)}"
        hint = "Download it, and unpack or export it first."
        return Refusal(parcel.origin, "binary", reason, hint)
    return parcel._replace(
        name=name,
        media_type=media_type,
        content=page.content,
        modified_at=_time_of(page.answer.last_modified),
        answer=page.answer,
    )


def _name_of(url: str) -> str:
    parts = urlsplit(url)
    last = unquote(os.path.basename(parts.path.rstrip("/")))
    return show_path(last).replace("/", "_") or parts.netloc


def _media_type_of(page: Page, name: str) -> str:
    """Return what the bytes say they are, else what the server says, else what the name says."""
    head = page.content[:8192]
    seen = media_types.tell_media_type(head, "")
    if seen not in (media_types.PLAIN, media_types.BINARY):
        return media_types.tell_media_type(head, name)
    told = page.content_type
    if told in ("", media_types.PLAIN, media_types.BINARY):
        return media_types.tell_media_type(head, name)
    if told in ("application/x-ndjson", "application/x-jsonlines"):
        return media_types.READ[".jsonl"]
    return told


def _time_of(last_modified: str | None) -> str | None:
    if last_modified is None:
        return None
    try:
        return format_instant(parsedate_to_datetime(last_modified))
    # servers write all kinds of things there; the header keeps the words
    except (ValueError, TypeError, OverflowError):
        return None
