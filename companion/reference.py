"""The command reference, made from the program itself.

``python -m companion.reference --write README.md`` puts it between the two markers of that file;
``--check README.md`` exits 1 when what stands there is out of date.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from companion import CompanionError, shapes
from companion.cli import EXIT_CODES, NAME
from companion.commands import GLOBALS, VERBS, Option, Verb

BEGIN = "<!-- reference:begin -->"
END = "<!-- reference:end -->"
WIDTH = 100  # of a line of JSON

_LEFT_OUT = [{"path": "str", "reason": "str"}]
_CHANGES = [{"entry": "str", "path": "str", "from?": "str", "reason?": "str"}]

_TAKEN = {
    "id": "str",
    "blob": "str",
    "title": "str | null",
    "status": "'captured' | 'seen'",
    "source": "str | null",
    "ingested_at": "str",
}
_REFUSED = {"origin": "str", "kind": "str", "reason": "str", "hint": "str"}
_NEIGHBOURS = [{"id": "str", "title": "str", "path": "str", "type": "str", "weight": "float"}]
_WEIGHT = {
    "centrality": "float", "unsupported": "int", "orphaned": "int", "cut_off": "int", "factor": "float",
    "base": "float", "effective": "float", "days": "float", "floor": "float", "above": "bool", "flag": "bool",
    "reason": "str", "as_of": "str | null",
}  # fmt: skip
_FLAGGED = {
    "entry": "str", "path": "str | null", "title": "str | null", "gravity": "float", "effective": "float",
    "reason": "str",
}  # fmt: skip
_ENTRY = {
    "kind": "'entry'",
    "warning?": "str",
    "id": "str",
    "path": "str",
    "title": "str",
    "state": "'active' | 'decaying' | 'archived'",
    "commit_hash": "str | null",
    "blob": "str",
    "vitality": "float | null",
    "gravity": "float | null",
    "gravity_protected": "bool",
    "quarantined": "bool",
    "last_accessed": "str | null",
    "cohesion_bucket": "str | null",
    "tombstone": "bool",
    "managed": "bool",
    "since": "str | null",
    "weight": {"one of": ["null", _WEIGHT]},
    "superseded_by": "str | null",
    "shift": shapes.SHIFT,
    "rests_on": [{"flag": "str", "reason": "str", "path": ["str"]}],
    "captures": ["str"],
    "links": {"out": _NEIGHBOURS, "in": _NEIGHBOURS},
    "unresolved": ["str"],
    "text": "str",
}
_SIGHTING = {
    "capture": "str",
    "seen_at": "str",
    "event_time": "str",
    "explicit": "bool",
    "source": "str | null",
    "channel": "str",
    "agent": "str | null",
    "scope": "'shared' | 'private'",
}
_CAPTURE = {
    "kind": "'capture'",
    "warning?": "str",
    "id": "str",
    "title": "str | null",
    "path": "null",
    "state": "str",
    "blob": "str",
    "ingested_at": "str",
    "channel": "str",
    "priority": "float",
    "edges": ["str"],
    "branch": "str | null",
    "entry": "str | null",
    "sightings": [_SIGHTING],
    "text": "str",
}

_TALLY = {
    "judge": "str", "questions": "int", "replayed": "int", "asked": "int", "unanswered": "int", "trouble": "str | null",
    "said": "str",
}  # fmt: skip
_NAMED = {"id": "str", "title": "str | null", "path": "str | null"}
_QUESTION = {
    "id": "str",
    "kind": "'contradiction' | 'unsure' | 'model' | 'rests on' | 'disputed'",
    "reason": "str",
    "run": "str",
    "entry": _NAMED,
    "other": {"one of": ["null", _NAMED]},
    "capture": "str | null",
    "claims": [
        {"id": "str", "subject": "str", "predicate": "str", "object": "str", "source": "str | null", "capture": "str"}
    ],
    "answer": "str | null",
    "by": "str | null",
}
_SIDE = {
    "side": "'new' | 'old'", "kind": "str", "id": "str", "title": "str | null", "path": "str | null", "text": "str",
    "sources": ["str"], "dependents": [_NAMED],
}  # fmt: skip
_REASONER = {
    "name": "'light' | 'semantic' | 'llm'", "installed": "bool", "in_use": "bool", "trouble": "str | null",
    "model": "str", "weights": "str", "models": ["str"], "download": "str", "memory": "str", "time": "str",
    "calls": "str", "judges": {"*": "str"},
}  # fmt: skip

_CLAIM = {
    "id": "str", "status": "str", "reason": "str", "by": ["str"], "object": "str", "negated": "bool", "mood": "str",
    "valid_from": "str", "valid_to": "str | null", "precision": "str", "told_at": "str", "agent": "str | null",
    "source": "str | null", "scope": "'shared' | 'private'", "capture": "str", "entry": "str | null", "span": ["int"],
}  # fmt: skip
_SAID = {"id": "str", "object": "str | null"}
_RESOLVED = {
    "run": "str", "at": "str", "status": "str", "strategy": "str", "reason": "str",
    "won": [_SAID], "lost": [_SAID], "disputed": [_SAID],
}  # fmt: skip
_STEP = {
    "subject": "str", "predicate": "str", "object": "str",
    "sources": [{"id": "str", "capture": "str", "told_at": "str", "source": "str | null"}],
}  # fmt: skip
_REMOTE = {"remote": "str", "url": "str", "private": "bool"}
_EXCHANGED = {
    "tree": "str",
    "buffer": "str | null",
    "private": {"*": "str"},
    "counts": {"files": "int", "pages": "int", "runs": "int", "captures": "int", "tellings": "int"},
}

_WHY = {
    "warning?": "str",
    "target": "str",
    "kind": "'entry' | 'capture' | 'run' | 'branch'",
    "id": "str",
    "title": "str | null",
    "weight": {"one of": ["null", _WEIGHT]},
    "events": [
        {
            "time": "str",
            "run": "str | null",
            "operation": "str",
            "event": "str",
            "subject": "str",
            "entry": "str | null",
            "reason": "str",
            "detail": {"*": "any"},
        }
    ],
}
_NODE = {"kind": "'entry' | 'claim' | 'name'", "id": "str", "title": "str | null", "entry": "str | null"}
_DEPENDS = {
    "target": "str", **_NODE, "count": "int", "beyond": "bool",
    "rests": [{**_NODE, "path": [{**_NODE, "how": "str"}]}],
}  # fmt: skip
# What --json prints, verb by verb. A leaf names a type; `| null` where it may be missing; `a | b` for one
# of these words; a key `*` for any number of keys; a key that ends in `?` may be absent; `one of` lists shapes.
SHAPES: dict[str, Any] = {
    "init": {
        "wiki": "str",
        "branch": "str",
        "created": "bool",
        "pages": "int",
        "commit": "str | null",
        "run": "str | null",
        "left_out": _LEFT_OUT,
        "notes": ["str"],
    },
    "ingest": {
        "captures": [_TAKEN],
        "refused": [_REFUSED],
        "counts": {"captured": "int", "seen": "int", "refused": "int"},
    },
    "triage": {"one of": [_TAKEN, _REFUSED | {"status": "'refused'"}]},
    "consolidate": {
        "run": "str | null",
        "commit": "str | null",
        "integrated": [
            {
                "capture": "str",
                "entry": "str",
                "path": "str",
                "title": "str",
                "bucket": "str | null",
                "quarantined": "bool",
                "reason": "str",
            }
        ],
        "waiting": [{"capture": "str", "reason": "str"}],
        "branches": [shapes.DECISION],
        "left_out": _LEFT_OUT,
        "judged": [_TALLY],
        "counts": {"*": "int"},
        "notes": ["str"],
        "dry_run": "bool",
    },
    "decay": {
        "run": "str | null",
        "commit": "str | null",
        "entries": "int",
        "floor": {"value": "float", "rule": "str"},
        "above": "int",
        "protected": [_FLAGGED],
        "unprotected": [_FLAGGED],
        "notes": ["str"],
        "dry_run": "bool",
    },
    "adopt": {
        "run": "str | null",
        "commit": "str | null",
        "new": _CHANGES,
        "edited": _CHANGES,
        "renamed": _CHANGES,
        "deleted": _CHANGES,
        "left_out": _LEFT_OUT,
        "notes": ["str"],
        "dry_run": "bool",
    },
    "undo": {
        "run": "str | null",
        "commit": "str | null",
        "undone": "str",
        "restored": ["str"],
        "removed": ["str"],
        "left_out": _LEFT_OUT,
        "notes": ["str"],
        "dry_run": "bool",
    },
    "erase": {
        "words": [{"mark": "str", "characters": "int"}],
        "places": [{"where": "str", "what": "str", "count": "int"}],
        "beyond": ["str"],
        "notes": ["str"],
        "confirm": "str",
        "erased": "bool",
        "run": "str | null",
        "commit": "str | null",
        "remains": [{"where": "str", "what": "str"}],
    },
    "search": {
        "query": "str",
        "warning?": "str",
        "as_of": "str | null",
        "results": [
            {
                "id": "str",
                "title": "str",
                "path": "str | null",
                "state": "'pending' | 'active' | 'decaying' | 'archived' | 'minority'",
                "score": "float",
                "snippet": "str",
                "event_time": "str | null",
                "shift": shapes.SHIFT,
            }
        ],
    },
    "show": {"one of": [_ENTRY, _CAPTURE]},
    "log": {
        "warning?": "str",
        "runs": [
            {
                "run": "str",
                "operation": "str",
                "time": "str",
                "commit": "str | null",
                "counts": {"*": "int"},
                "summary": "str",
            }
        ],
    },
    "why": {"one of": [_WHY, _DEPENDS]},
    "status": {
        "wiki": "str",
        "branch": "str",
        "head": "str | null",
        "as_of": "str | null",
        "entries": {"*": "int"},
        "gravity": {
            "one of": [
                "null",
                {"floor": "float", "rule": "str", "entries": "int", "protected": "int", "as_of": "str | null"},
            ]
        },
        "pending": "int",
        "set_aside": "int",
        "waiting": "int",
        "sightings": "int",
        "held": [{"run": "str", "ref": "str", "captures": "int"}],
        "runs": "int",
        "last_run": {"one of": ["null", {"run": "str", "operation": "str", "time": "str"}]},
        "state": {"folder": "str", "why": "str"},
        "only_here": {
            "captures_not_in_git": "int",
            "captures_on_no_remote": "int",
            "commits_on_no_remote": {"one of": ["null", "int"]},
            "refs": ["str"],
        },
        "leaves_machine": ["str"],
        "reasoner": "str",
        "to_review": "int",
        "notes": ["str"],
    },
    "review": {"one of": [{"items": [_QUESTION], "open": "int"}, {**_QUESTION, "sides": [_SIDE]}]},
    "models": {
        "one of": [
            {
                "reasoner": "str",
                "model": "str",
                "max_calls": "int",
                "max_tokens": "int",
                "reasoners": [_REASONER],
            },
            {
                "run": "str | null",
                "commit": "str | null",
                "reasoner": "str",
                "model": "str",
                "judges": {"*": "str"},
                "embedded": "int",
                "flagged": [{"entry": "str", "reason": "str"}],
                "judged": [_TALLY],
                "notes": ["str"],
                "dry_run": "bool",
            },
        ]
    },
    "remote": {
        "one of": [
            _REMOTE,
            {
                **_REMOTE,
                "received": {"captures": "int", "tellings": "int"},
                "sent": {"captures": "int", "refs": ["str"]},
            },
        ]
    },
    "export": {"directory": "str", **_EXCHANGED},
    "import": {"wiki": "str", "branch": "str", "commit": "str", **_EXCHANGED},
    "doctor": {
        "ok": "bool",
        "findings": [{"kind": "str", "severity": "'damage' | 'warning' | 'note'", "what": "str", "hint": "str"}],
        "repaired": [{"kind": "str", "what": "str"}],
    },
    "rebuild": {"entries": "int", "edges": "int", "runs": "int"},
    "demo": {
        "wiki": "str | null",
        "notes": "int",
        "steps": [{"now": "str", "comment": "str", "command": "str", "code": "int", "output": "str"}],
        "next": ["str"],
    },
}

SHAPES |= {
    "claims": {
        "subject": "str", "predicate": "str | null", "as_of": "str", "known_at": "str | null",
        "keys": [
            {
                "subject": "str", "predicate": "str", "key": ["str"], "values": ["str"], "disputed": "bool",
                "strategy": "'latest' | 'evidence' | 'await' | 'policy'",
                "claims": [_CLAIM],
                "history": {"one of": ["null", [{"from": "str", "to": "str | null", "values": ["str"]}]]},
                "resolved": {"one of": ["null", [_RESOLVED]]},
            }
        ],
    },
    "ask": {
        "question": "str", "as_of": "str | null", "known": "bool",
        "left_out": "int", "tokens": "int", "budget": "int", "over_budget": "bool",
        "passages": [{"id": "str", "title": "str", "path": "str | null", "text": "str", "found_by": ["str"]}],
        "answers": [{"value": "str", "score": "float", "disputed": "bool", "path": [_STEP]}],
    },
}  # fmt: skip

SHAPES |= shapes.MINORITY

ERROR_SHAPE = {"error": {"kind": "str", "message": "str", "hint": "str", "exit_code": "int"}}


class OutOfDate(CompanionError):
    """The command reference is out of date."""

    exit_code = 1
    hint = "Run `python -m companion.reference --write README.md`."


class NoMarkers(CompanionError):
    """The markers of the command reference are missing."""

    exit_code = 65
    hint = f"Put {BEGIN} and {END} where the reference belongs."


def render_reference() -> str:
    """Return the command reference as Markdown: verbs, options, exit codes and the JSON of each verb."""
    parts = [_summary(), "\n".join(["**Global options**, before or after the verb:", "", *_options(GLOBALS)])]
    parts += [_verb(name, verb) for name, verb in VERBS.items()]
    return "\n\n".join([*parts, _exit_codes()]) + "\n"


def insert(document: str) -> str:
    """Return *document* with the reference between its markers; raises NoMarkers."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoMarkers
    return f"{before}{BEGIN}\n\n{render_reference()}\n{END}{after}"


def main(argv: Sequence[str]) -> int:
    """Write or check the reference in a file, or print it."""
    if len(argv) != 2 or argv[0] not in ("--write", "--check"):
        sys.stdout.write(render_reference())
        return 0
    with open(argv[1], encoding="utf-8", newline="") as file:
        document = file.read()
    wanted = insert(document)
    if argv[0] == "--check" and wanted != document:
        raise OutOfDate
    if wanted != document:
        with open(argv[1], "w", encoding="utf-8", newline="") as file:
            file.write(wanted)
    return 0


def _summary() -> str:
    usages = {name: _usage(name, verb).replace("|", "\\|") for name, verb in VERBS.items()}
    rows = [f"| `{usages[name]}` | {verb.help.splitlines()[0]} |" for name, verb in VERBS.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def _verb(name: str, verb: Verb) -> str:
    lines = [f"### `{_usage(name, verb)}`", "", *verb.help.splitlines(), ""]
    if verb.argument is not None:
        lines.append(f"- `{verb.argument.metavar}`: {verb.argument.help}")
    lines += _options(verb.options)
    shape = _shape(SHAPES[name])
    kind = "one object per line" if name == "triage" else "prints"
    return "\n".join([*lines, "", f"With `--json`, {kind}:", "", "```json", shape, "```"])


def _shape(shape: Any, indent: str = "") -> str:
    """Return *shape* as JSON, what fits on a line on one line."""
    flat = json.dumps(shape)
    if len(indent) + len(flat) <= WIDTH or not isinstance(shape, list | dict):
        return flat
    deeper = indent + "  "
    if isinstance(shape, list):
        inside = [_shape(value, deeper) for value in shape]
    else:
        inside = [f"{json.dumps(key)}: {_shape(value, deeper)}" for key, value in shape.items()]
    first, last = "[]" if isinstance(shape, list) else "{}"
    return "\n".join([first, ",\n".join(deeper + line for line in inside), indent + last])


def _usage(name: str, verb: Verb) -> str:
    words = [NAME, name]
    if verb.argument is not None:
        about = verb.argument
        words.append((about.metavar if about.required else f"[{about.metavar}]") + ("..." if about.many else ""))
    return " ".join([*words, *(["[OPTIONS]"] if verb.options else [])])


def _options(options: Sequence[Option]) -> list[str]:
    return [f"- `{', '.join(option.flags)}{_value(option)}`: {option.help}{_default(option)}" for option in options]


def _value(option: Option) -> str:
    value = "|".join(option.choices) or option.metavar
    return f" {value}" if value else ""


def _default(option: Option) -> str:
    return "" if option.default in (None, False) else f" Default: {option.default}."


def _exit_codes() -> str:
    rows = [f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items()]
    error = json.dumps(ERROR_SHAPE)
    text = f"With `--json`, an error is the one document: `{error}`."
    return "\n".join(["### Exit codes", "", "| code | meaning |", "|---|---|", *rows, "", text])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CompanionError as error:
        sys.stderr.write(f"error: {error}\nhint: {error.hint}\n")
        sys.exit(error.exit_code)
