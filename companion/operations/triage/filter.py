"""TRIAGE (MaM §5.2): the shallow filter at the door.

Pure, and without a handle to anything: no wiki, no index, no score, no bucket (TRI-1, TRI-4, TRI-5,
TRI-7). It refuses obvious garbage, structurally invalid input and secrets, each with a reason and a
way through, and nothing else (TRI-6). The text itself is never normalised: line ends, a byte order
mark, trailing blanks and frontmatter are captured as they came; only fields *about* it are (blank
ones count as not given, the event time becomes canonical).
"""

import re

from companion.privacy import hidden_words, secret_formats
from companion.values.captures import RESERVED, Draft, has_controls
from companion.values.refusals import (
    LONGEST_AGENT,
    MAX_BYTES,
    Refusal,
    plain_name,
    too_large,
)
from companion.values.time import BadTime, find_utc_offset, parse_instant

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
_LISTED = 5  # secrets that a refusal names
_VISIBLE = rf"[^\s\x00-\x1f\x7f-\x9f{hidden_words.ZERO_WIDTH}]"


def judge(
    draft: Draft, *, store_anyway: bool = False, redact: bool = False
) -> Draft | Refusal:
    """Return *draft* with clean fields, ready for `capture`, or why it is refused (TRI-6).

    *redact* puts `[redacted: <kind>]` where a secret stood, *store_anyway* (which wins) keeps it.
    """
    checked = _refuse_text(draft) or _check_fields(draft)
    if isinstance(checked, Refusal) or store_anyway:
        return checked
    if redact:
        checked = _redact(checked)
    return _refuse_secrets(checked) or checked


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
        problem = _find_wrong_type(name, value)
        if problem is not None:
            return _refuse_field(origin, name, problem)
    if "event_time" in given:
        # the offset belongs to the time that it was given with
        defaults = defaults._replace(utc_offset=None)
    return defaults._replace(**given, origin=origin)


def _find_wrong_type(name: str, value: object) -> str | None:
    """Return why a JSON *value* cannot be the field *name*; None where it can."""
    if name == "priority":
        if _is_number(value):
            return None
        return f"must be a number, not {_json_type(value)}"
    if isinstance(value, str):
        return None
    return f"must be a string, not {_json_type(value)}"


def ignored_fields(record: object) -> frozenset[str]:
    """Return the keys of a JSON object that `from_record` leaves aside."""
    if not isinstance(record, dict):
        return frozenset()
    return frozenset(record) - RECORD_FIELDS


def _refuse_text(draft: Draft) -> Refusal | None:
    text, origin = draft.text, draft.origin
    if len(text) > MAX_BYTES:
        return too_large(origin)
    if not _can_be_seen(text):
        return Refusal(origin, "empty", _emptiness(text), "Give it some text.")
    if "\0" in text:
        place = _place(text, text.index("\0"))
        hint = (
            "Remove it, for example with `tr -d '\\000'`; "
            "companion keeps text, not binary files."
        )
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
    if size > MAX_BYTES:
        return too_large(origin)
    return None


def _can_be_seen(text: str) -> bool:
    # Nearly every text shows a letter at once and needs no pattern compiled.
    if any(char.isalnum() for char in text[:80]):
        return True
    return re.search(_VISIBLE, text) is not None


def _emptiness(text: str) -> str:
    if not text:
        return "empty"
    if text.isspace():
        return "nothing but white space"
    return "nothing but characters that cannot be seen"


def _check_fields(draft: Draft) -> Draft | Refusal:
    """Return *draft* with its fields in canonical form, or a refusal of the first bad field."""
    draft = _drop_blank_fields(draft)
    for name, limit in _LONGEST.items():
        problem = _find_problem(getattr(draft, name), limit)
        if problem is not None:
            return _refuse_field(draft.origin, name, problem)
    if not draft.channel:
        return _refuse_field(draft.origin, "channel", "is empty")
    if draft.channel.startswith(RESERVED):
        problem = f"begins with {RESERVED}, which is for what a night reads"
        return _refuse_field(draft.origin, "channel", problem)
    if draft.scope not in ("shared", "private"):
        problem = "must be `shared` or `private`"
        return _refuse_field(draft.origin, "scope", problem)
    if not _is_share(draft.priority):
        problem = "must be a number from 0 to 1"
        return _refuse_field(draft.origin, "priority", problem)
    return _parse_time(draft._replace(priority=float(draft.priority)))


def _drop_blank_fields(draft: Draft) -> Draft:
    """Return *draft* with plain names; a blank field counts as not given."""
    return draft._replace(
        title=(draft.title or "").strip() or None,
        source=draft.source or None,
        agent=plain_name(draft.agent or "") or None,
    )


def _find_problem(value: str | None, limit: int) -> str | None:
    """Return why *value* cannot be stored, None where it can."""
    if value is None:
        return None
    if len(value) > limit:
        return f"has {len(value)} characters, more than {limit}"
    if has_controls(value):
        return "has control characters"
    return None


def _is_share(value: object) -> bool:
    """Tell whether *value* is a number in [0, 1]; NaN fails every comparison."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 1


def _parse_time(draft: Draft) -> Draft | Refusal:
    if draft.event_time is None:
        return draft
    try:
        event_time = parse_instant(draft.event_time)
        # what was read before is in UTC by now, and its offset beside it
        offset = find_utc_offset(draft.event_time) or draft.utc_offset
        return draft._replace(event_time=event_time, utc_offset=offset)
    except BadTime as error:
        reason = str(error).rstrip(".")
        return Refusal(
            draft.origin,
            "field",
            f"`event_time`: {reason[0].lower()}{reason[1:]}",
            error.hint,
        )


def _redact(draft: Draft) -> Draft:
    return draft._replace(
        text=_redact_text(draft.text),
        title=_redact_text(draft.title or "") or None,
        source=_redact_text(draft.source or "") or None,
        channel=_redact_text(draft.channel),
        agent=_redact_text(draft.agent or "") or None,
    )


def _redact_text(value: str) -> str:
    return secret_formats.redact(value, secret_formats.find(value))


def _refuse_secrets(draft: Draft) -> Refusal | None:
    places = [
        f"{secret.kind} at {secret.line}:{secret.column}"
        for secret in secret_formats.find(draft.text)
    ]
    for name in ("title", "source", "channel", "agent"):
        value = getattr(draft, name)
        places += [
            f"{secret.kind} in the {name}"
            for secret in secret_formats.find(value or "")
        ]
    if not places:
        return None
    count = "1 secret" if len(places) == 1 else f"{len(places)} secrets"
    reason = f"{count}: {', '.join(places[:_LISTED])}"
    if len(places) > _LISTED:
        reason += f" and {len(places) - _LISTED} more"
    hint = (
        "Take it out, or capture again with --redact to blank it, "
        "or with --store-anyway to keep it."
    )
    return Refusal(draft.origin, "secret", reason, hint)


def _refuse_field(origin: str, name: str, problem: str) -> Refusal:
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
