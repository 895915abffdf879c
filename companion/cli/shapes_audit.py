"""What --json prints of AUDIT."""

_RESULT = "'degraded' | 'unchanged' | 'improved' | null"
_OUTCOME = "'restored' | 'gravity-reduced' | 'archived' | null"
_NUMBERS = {"*": "float"}
_JUDGED = {
    "better": "'with' | 'without' | 'same'",
    "confidence": "float",
    "basis": "str",
}
_QUESTION = {
    "words": "str",
    "kind": "'recorded' | 'held out' | 'neighbouring' | 'challenge'",
    "group": "str",
    "place": "int | null",
    "change": "float",
    "tested": "bool",
    "missed": ["str"],
    "judged": {"one of": ["null", _JUDGED]},
}
_FOUND = {
    "entry": "str", "title": "str", "path": "str", "why": "str", "result": _RESULT, "outcome": _OUTCOME,
    "reason": "str", "follows": "str | null", "factor": "float | null", "numbers": _NUMBERS, "lighter": "int",
    "questions": [_QUESTION],
    "matters": [{"key": "str", "kind": "'same' | 'needed' | 'contradicted'", "voices": "int"}],
}  # fmt: skip

#: what asking a judge came to
TALLY = {
    "judge": "str",
    "questions": "int",
    "replayed": "int",
    "asked": "int",
    "unanswered": "int",
    "trouble": "str | null",
    "said": "str",
}
#: a past audit of an entry, as `show` gives it
RECORD = {
    "record": "str",
    "run": "str",
    "since": "str",
    "result": _RESULT,
    "outcome": _OUTCOME,
    "settled": "str | null",
    "undone": "bool",
    "judged": "int",
}
#: what `status` says
STATUS = {"last": "str | null", "entries": "int", "to_settle": "int"}
AUDIT = {
    "run": "str | null",
    "commit": "str | null",
    "audited": [_FOUND],
    "skipped": [
        {
            "entry": "str",
            "title": "str",
            "path": "str",
            "last": "str",
            "next": "str",
        }
    ],
    "judged": [TALLY],
    "notes": ["str"],
    "dry_run": "bool",
}
SETTLE = {
    "run": "str | null", "commit": "str | null",
    "settled": [
        {"subject": "str", "title": "str | null", "path": "str | null",
         "what": "'restored' | 'gravity-reduced' | 'decaying' | 'archived' | 'closed' | 'nothing'", "reason": "str"}
    ],
    "notes": ["str"], "dry_run": "bool",
}  # fmt: skip
