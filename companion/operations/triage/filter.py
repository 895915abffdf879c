"""TRIAGE (MaM §5.2): the shallow filter at the door.

Pure, and without a handle to anything: no wiki, no index, no score, no bucket (TRI-1, TRI-4, TRI-5,
TRI-7). It refuses obvious garbage, structurally invalid input and secrets, each with a reason and a
way through, and nothing else (TRI-6). The text itself is never normalised: line ends, a byte order
mark, trailing blanks and frontmatter are captured as they came; only fields *about* it are (blank
ones count as not given, the event time becomes canonical).
"""

import re

from companion.privacy import secret_formats
from companion.values.captures import Draft, has_controls
from companion.values.refusals import (
    LONGEST_AGENT,
    MAX_BYTES,
    Refusal,
    plain_name,
    too_large,
)
from companion.values.time import BadTime, parse_instant

RECORD_FIELDS = frozenset(
    {
        "text",
        "title",
        "event_time",
        "channel",
        "source",
        "agent",
        "scope",
        "priority",
    }
)

# characters
_LONGEST = {
    "title": 500,
    "source": 4096,
    "channel": 200,
    "agent": LONGEST_AGENT,
}
_VISIBLE = rf"[^\s\x00-\x1f\x7f-\x9f{secret_formats.ZERO_WIDTH}]"


def judge(
    draft: Draft, *, store_anyway: bool = False, redact: bool = False
) -> Draft | Refusal:
    """Return *draft* with clean fields, ready for `capture`, or why it is refused (TRI-6).

    *redact* puts `[redacted: <kind>]` where a secret stood, *store_anyway* (which wins) keeps it.
    """
    cleaned = _refuse_text(draft) or _clean(draft)
    if isinstance(cleaned, Refusal) or store_anyway:
        return cleaned
    if redact:
        cleaned = _redacted(cleaned)
    return _refuse_secrets(cleaned) or cleaned


def from_record(
    record: object, *, origin: str, defaults: Draft
) -> Draft | Refusal:
    """Return the draft that a JSON value describes; what it does not say is taken from *defaults*.

    Fields are those of `RECORD_FIELDS`, `null` and "" count as not given, and only `text` is
    required. Other keys are ignored: `ignored_fields` names them, so that an import can say once
    what it left behind.
    """
    if not isinstance(record, dict):
        return Refusal(
            origin,
            "json",
            "not a JSON object",
            'Write one object per line: {"text": "…"}',
        )
    given = {
        key: value
        for key, value in record.items()
        if key in RECORD_FIELDS and value not in (None, "")
    }
    if "text" not in given:
        kind = "empty" if record.get("text") == "" else "field"
        return Refusal(
            origin,
            kind,
            "there is no `text`",
            'Every object needs one: {"text": "…"}',
        )
    for name, value in given.items():
        fits = (
            _is_number(value) if name == "priority" else isinstance(value, str)
        )
        if not fits:
            wanted = "a number" if name == "priority" else "a string"
            return _bad_field(
                origin, name, f"must be {wanted}, not {_json_type(value)}"
            )
    return defaults._replace(**given, origin=origin)


def ignored_fields(record: object) -> frozenset[str]:
    """Return the keys of a JSON object that `from_record` leaves aside."""
    return (
        frozenset(record) - RECORD_FIELDS
        if isinstance(record, dict)
        else frozenset()
    )


def _refuse_text(draft: Draft) -> Refusal | None:
    text, origin = draft.text, draft.origin
    if len(text) > MAX_BYTES:
        return too_large(origin)
    if not _can_be_seen(text):
        return Refusal(origin, "empty", _emptiness(text), "Give it some text.")
    if "\0" in text:
        place = _place(text, text.index("\0"))
        hint = "Remove it, for example with `tr -d '\\000'`; companion keeps text, not binary files."
        return Refusal(origin, "structure", f"a NUL character at {place}", hint)
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError as error:
        hint = "Write the character itself, or its complete pair of escapes."
        return Refusal(
            origin,
            "structure",
            f"half a surrogate pair at {_place(text, error.start)}",
            hint,
        )
    return too_large(origin) if size > MAX_BYTES else None


def _can_be_seen(text: str) -> bool:
    # Nearly every text shows a letter at once and needs no pattern compiled.
    return (
        any(c.isalnum() for c in text[:80])
        or re.search(_VISIBLE, text) is not None
    )


def _emptiness(text: str) -> str:
    if not text:
        return "empty"
    return (
        "nothing but white space"
        if text.isspace()
        else "nothing but characters that cannot be seen"
    )


def _clean(draft: Draft) -> Draft | Refusal:
    """Return *draft* with its fields checked and in canonical form, or the first that will not
    do.
    """
    draft = draft._replace(
        title=(draft.title or "").strip() or None,
        source=draft.source or None,
        agent=plain_name(draft.agent or "") or None,
    )
    for name, limit in _LONGEST.items():
        value = getattr(draft, name)
        if value is not None and (problem := _problem(value, limit)):
            return _bad_field(draft.origin, name, problem)
    if not draft.channel:
        return _bad_field(draft.origin, "channel", "is empty")
    if draft.scope not in ("shared", "private"):
        return _bad_field(
            draft.origin, "scope", "must be `shared` or `private`"
        )
    # NaN fails every comparison
    if not _is_number(draft.priority) or not 0 <= draft.priority <= 1:
        return _bad_field(
            draft.origin, "priority", "must be a number from 0 to 1"
        )
    return _with_time(draft._replace(priority=float(draft.priority)))


def _problem(value: str, limit: int) -> str | None:
    if len(value) > limit:
        return f"has {len(value)} characters, more than {limit}"
    return "has control characters" if has_controls(value) else None


def _with_time(draft: Draft) -> Draft | Refusal:
    if draft.event_time is None:
        return draft
    try:
        return draft._replace(event_time=parse_instant(draft.event_time))
    except BadTime as error:
        reason = str(error).rstrip(".")
        return Refusal(
            draft.origin,
            "field",
            f"`event_time`: {reason[0].lower()}{reason[1:]}",
            error.hint,
        )


def _redacted(draft: Draft) -> Draft:
    return draft._replace(
        text=_blanked(draft.text),
        title=_blanked(draft.title) if draft.title else None,
        source=_blanked(draft.source) if draft.source else None,
    )


def _blanked(value: str) -> str:
    return secret_formats.redact(value, secret_formats.find(value))


def _refuse_secrets(draft: Draft) -> Refusal | None:
    places = [
        f"{secret.kind} at {secret.line}:{secret.column}"
        for secret in secret_formats.find(draft.text)
    ]
    for name, value in (("title", draft.title), ("source", draft.source)):
        places += [
            f"{secret.kind} in the {name}"
            for secret in secret_formats.find(value or "")
        ]
    if not places:
        return None
    count = "1 secret" if len(places) == 1 else f"{len(places)} secrets"
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    hint = "Take it out, or capture again with --redact to blank it, or with --store-anyway to keep it."
    return Refusal(
        draft.origin, "secret", f"{count}: {', '.join(places[:5])}{more}", hint
    )


def _bad_field(origin: str, name: str, problem: str) -> Refusal:
    option = "--" + name.replace("_", "-")
    return Refusal(
        origin,
        "field",
        f"`{name}` {problem}",
        f"Give another {option} (the field `{name}` in JSON).",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _json_type(value: object) -> str:
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "a list",
    }
    return names.get(type(value), "an object")


def _place(text: str, position: int) -> str:
    return f"{text.count(chr(10), 0, position) + 1}:{position - text.rfind(chr(10), 0, position)}"
