"""The lines of ledger files: which events there are, which fields each must have, and what a field
may hold.

A ledger file may come from anybody's clone, so every field that the index relies on is checked.
"""

import re
from collections.abc import Callable, Mapping

from companion.storage.claim_lines import is_claim_line, is_range_of_lines
from companion.storage.index.tables.audits import RESULTS
from companion.storage.index.tables.pages.statements import (
    STATES,
    SUBJECT_KINDS,
)
from companion.storage.index.tables.resolutions import is_resolution_line
from companion.values.events import LedgerLine

# It becomes a folder and a ref: nothing that leads out of either, or that git refuses in a name.
_BRANCH = re.compile(
    r"[^\x00-\x20\x7f/.~^:?*\[\]\\@{}-][^\x00-\x20\x7f/.~^:?*\[\]\\@{}]{0,99}"
)

#: the fields that each event must have; every event also has a reason
_FIELDS: Mapping[str, str] = {
    "registered": "entry path blob",
    "edited": "entry path blob",
    "renamed": "entry from path blob",
    "deleted": "entry path",
    "created": "entry path blob bucket quarantined",
    "grown": "entry path blob",
    "consumed": "capture outcome entry sightings",
    "moved": "capture entry from",
    "merged": "entry into",
    "statement": "entry capture state",
    "belongs": "capture entry judge",
    "gathering": "captures",
    "contextualized": (
        "source original cold entry kind title media_type reader depth handed "
        "spans"
    ),
    "shifted": "entry source depth score interests",
    "unread": "original code reader hint",
    "locked": "original kinds reader",
    "released": "original choice",
    "claims": "capture entry telling claims",
    "sighted": "capture entry sightings",
    "waits": "capture",
    "rejected": "capture seen_at",
    "expired": "capture seen_at",
    "undone": "run outcome",
    "verdict": "key task judge answer",
    "resolved": "capture entry keys",
    "judged": "task judge neutral",
    "flagged": "flag kind entry",
    "requalified": "entry bucket quarantined",
    "reasoner": "reasoner model",
    "answered": "flag key judge choice",
    "erased": "mark hash",
    "protected": "entry gravity floor",
    "unprotected": "entry gravity floor",
    "branched": "branch entry",
    "joined": "branch capture entry path blob",
    "weighed": "branch pressure threshold",
    "promoted": "branch entry incumbent path blob bucket quarantined pages",
    "followed": "branch entry",
    "decaying": "entry",
    "compressed": "entry path blob cold original distortion",
    "archived": "entry",
    "restored": "entry",
    "queued": "entry row",
    "unqueued": "entry row",
    "diverges": "entry key term row",
    "converges": "entry key",
    "aliased": "entry key term",
    "reduced": "entry factor",
    "used": "entry accesses last",
    "asked": "query words at verb shown opened outcome agent",
    "rated": "query opened outcome",
    "auditing": "entry audit",
    "audited": "entry audit result outcome",
    "inconclusive": "entry",
    "settled": "entry audit outcome",
    "closed": "branch entry audit",
}

#: every event that this version can read, with the fields that must be there
EVENTS: Mapping[str, tuple[str, ...]] = {
    "run": ("operation", "now"),
    **{event: (*fields.split(), "reason") for event, fields in _FIELDS.items()},
}


def list_missing_fields(line: LedgerLine) -> list[str]:
    """Return the fields that *line* must have and has not."""
    return [field for field in EVENTS[line["e"]] if field not in line]


def list_wrong_fields(line: LedgerLine) -> list[str]:
    """Return the fields of *line* that hold something else than they may."""
    wrong: list[str] = []
    for field, value in line.items():
        if field in _CHECKS and not _CHECKS[field](value):
            wrong.append(field)
    return wrong


# -- what a field may hold -------------------------------------------------------------------------


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_integer(value: object) -> bool:
    return isinstance(value, int)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 2**53


def _is_flag(value: object) -> bool:
    return value in (0, 1)


def _is_row_of_matrix(value: object) -> bool:
    return isinstance(value, int) and 1 <= value <= 7


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) < 1e9


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _is_factor(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_branch(value: object) -> bool:
    return isinstance(value, str) and _BRANCH.fullmatch(value) is not None


def _is_result(value: object) -> bool:
    return value in RESULTS


def _is_telling(value: object) -> bool:
    return (
        isinstance(value, dict)
        and _is_text(value.get("seen_at"))
        and _is_text(value.get("event_time", ""))
        # True is an int to isinstance
        and type(value.get("utc_offset", 0)) is int
        and _is_text(value.get("device", ""))
    )


def _are_tellings(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_telling, value))


def _is_tie(value: object) -> bool:
    """Tell whether *value* is [other capture, support, rival, similarity]."""
    kinds = (str, int | float, int, int | float)
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(map(isinstance, value, kinds))
    )


def _are_ties(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_tie, value))


def _is_statement_state(value: object) -> bool:
    return value in STATES


def _is_subject(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.get("kind") in SUBJECT_KINDS
        and _is_text(value.get("key"))
    )


def _is_span(value: object) -> bool:
    """Tell whether *value* is [start, end, place] in the text of an original."""
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(map(_is_count, value[:2]))
        and _is_text(value[2])
    )


def _are_spans(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_span, value))


def _is_turn(value: object) -> bool:
    """Tell whether *value* is [role, speaker, time, place], of a turn of a conversation."""
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(map(_is_text, value))
    )


def _are_turns(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_turn, value))


def _is_dependent(value: object) -> bool:
    return (
        isinstance(value, dict)
        and _is_text(value.get("entry"))
        and _is_text(value.get("statement", ""))
        and _is_list_of_texts(value.get("path"))
    )


def _are_dependents(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_dependent, value))


def _is_credit(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_finite, value.values()))


def _are_claims(value: object) -> bool:
    return isinstance(value, list) and all(map(is_claim_line, value))


def _are_resolutions(value: object) -> bool:
    return isinstance(value, list) and all(map(is_resolution_line, value))


#: the fields that each check is for
_CHECKED: Mapping[Callable[[object], bool], str] = {
    _is_text: (
        "operation now entry path from blob bucket title capture outcome run "
        "reason key task judge flag kind choice mark hash incumbent by cold "
        "original restored_from term signal audit claim at last query words "
        "verb agent into rule statement source media_type reader depth code "
        "hint origin url previous published repeats seen_at"
    ),
    _is_list_of_texts: (
        "entries pages shown opened mentions handed kinds authors evidence interests"
    ),
    _is_integer: "poor neutral captures",
    _is_statement_state: "state",
    _is_subject: "subject",
    _is_count: "accesses count",
    _is_flag: "contradicts quarantined",
    _is_row_of_matrix: "row",
    _is_number: "gravity floor",
    _is_finite: "pressure threshold score",
    _is_share: "distortion",
    _is_factor: "factor",
    _is_object: "numbers answer",
    _is_branch: "branch",
    _is_result: "result",
    _is_telling: "telling",
    _are_tellings: "sightings",
    _are_ties: "ties",
    _are_dependents: "rests",
    _are_spans: "spans",
    _are_turns: "turns",
    _is_credit: "credit",
    _are_claims: "claims",
    is_range_of_lines: "counted",
    _are_resolutions: "keys",
}


def _list_checks() -> dict[str, Callable[[object], bool]]:
    checks: dict[str, Callable[[object], bool]] = {}
    for check, fields in _CHECKED.items():
        checks.update(dict.fromkeys(fields.split(), check))
    return checks


_CHECKS = _list_checks()
