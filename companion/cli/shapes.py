"""What --json prints, verb by verb: the public API.

A leaf names a type; `| null` where it may be missing; `a | b` for one of these words; a key `*` for
any number of keys; a key that ends in `?` may be absent; `one of` lists shapes.
"""

from typing import Any

from companion.cli import shapes_audit, shapes_use
from companion.cli.shapes_fading import (
    DECAY,
    ENTRY,
    PIN,
    PINS,
    RECALL,
    STATUS,
    VITALITY,
)

#: the other side of a young shift (CON-10); `role` is that of the entry that bears it
_OTHER = {
    "other": "str",
    "title": "str | null",
    "role": "'old' | 'new'",
    "branch": "str",
    "since": "str",
}
SHIFT = {"one of": ["null", _OTHER]}
_NEAREST = {
    "name": "str",
    "against": "str",
    "pressure": "float",
    "threshold": "float",
}
#: what phase 4 of a night decided
DECISION = {
    "action": "'open' | 'grow' | 'extend' | 'hold' | 'promote' | 'follow'",
    "branch": "str",
    "incumbent": "str",
    "captures": ["str"],
    "reason": "str",
    "entry": "str | null",
    "pressure": "float | null",
    "threshold": "float | null",
}
#: how an integrated capture stands to another page; null while what it was compared with has no
#: page
_RELATION = {
    "kind": "'contradicts' | 'updates' | 'supports' | 'same'",
    "entry": "str | null",
    "path": "str | null",
}
_PLACE = {
    "id": "str | null",
    "title": "str | null",
    "path": "str | null",
    "state": "str | null",
}
_BRANCH = {
    "name": "str", "ref": "str", "commit": "str | null", "state": "'open' | 'promoted' | 'closed'", "incumbent": _PLACE,
    "entry": {"one of": ["null", _PLACE]}, "opened": "str", "cluster_size": "int", "contradictions": "int",
    "cycles_open": "int", "why": "str | null", "pressure": "float | null", "threshold": "float | null",
    "history": [
        {
            "time": "str", "run": "str", "event": "str", "reason": "str", "pressure": "float | null",
            "threshold": "float | null", "undone": "bool",
        }
    ],
}  # fmt: skip
_SPOKEN = {
    "capture": "str",
    "entry": "str",
    "path": "str",
    "joined": "str",
    "contradicts": "bool",
    "text": "str",
    "tellings": "int",
    "sources": ["str"],
    "agents": ["str"],
}
_WOULD = {
    "path": "str",
    "change": "'added' | 'changed' | 'removed'",
    "diff": "str",
}

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
_NEIGHBOURS = [
    {
        "id": "str",
        "title": "str",
        "path": "str",
        "type": "str",
        "weight": "float",
    }
]
_WEIGHT = {
    "centrality": "float",
    "unsupported": "int",
    "orphaned": "int",
    "cut_off": "int",
    "factor": "float",
    "base": "float",
    "effective": "float",
    "days": "float",
    "floor": "float",
    "above": "bool",
    "flag": "bool",
    "reason": "str",
    "as_of": "str | null",
}
_FLAGGED = {
    "entry": "str",
    "path": "str | null",
    "title": "str | null",
    "gravity": "float",
    "effective": "float",
    "reason": "str",
}
_ENTRY = {
    "kind": "'entry'",
    "warning?": "str",
    "id": "str",
    "path": "str",
    "title": "str",
    "state": "'active' | 'decaying' | 'archived'",
    "commit_hash": "str | null",
    "blob": "str",
    **ENTRY,
    "gravity": "float | null",
    "gravity_protected": "bool",
    "quarantined": "bool",
    "last_accessed": "str | null",
    "cohesion_bucket": "str | null",
    "tombstone": "bool",
    "managed": "bool",
    "since": "str | null",
    "weight": {"one of": ["null", _WEIGHT]},
    "usage": shapes_use.USE,
    "superseded_by": "str | null",
    "successor": "str | null",
    "shift": SHIFT,
    "rests_on": [{"flag": "str", "reason": "str", "path": ["str"]}],
    "audits": [shapes_audit.RECORD],
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

_NAMED = {"id": "str", "title": "str | null", "path": "str | null"}
_QUEUED = {
    "entry": _NAMED,
    "row": "int",
    "run": "str",
    "since": "str",
    "reason": "str",
}
_QUESTION = {
    "id": "str",
    "kind": "'contradiction' | 'unsure' | 'model' | 'rests on' | 'disputed'",
    "reason": "str",
    "run": "str",
    "entry": _NAMED,
    "other": {"one of": ["null", _NAMED]},
    "capture": "str | null",
    "claims": [
        {
            "id": "str",
            "subject": "str",
            "predicate": "str",
            "object": "str",
            "source": "str | null",
            "capture": "str",
        }
    ],
    "answer": "str | null",
    "by": "str | null",
}
_SIDE = {
    "side": "'new' | 'old'",
    "kind": "str",
    "id": "str",
    "title": "str | null",
    "path": "str | null",
    "text": "str",
    "sources": ["str"],
    "dependents": [_NAMED],
}
_REASONER = {
    "name": "'light' | 'semantic' | 'llm'",
    "installed": "bool",
    "in_use": "bool",
    "trouble": "str | null",
    "model": "str",
    "weights": "str",
    "models": ["str"],
    "download": "str",
    "memory": "str",
    "time": "str",
    "calls": "str",
    "judges": {"*": "str"},
}

_CLAIM = {
    "id": "str", "status": "str", "reason": "str", "by": ["str"], "object": "str", "negated": "bool", "mood": "str",
    "predicate": "str", "read_as": "str | null",
    "functional": "bool", "confidence": "float", "valid_from": "str", "valid_to": "str | null", "precision": "str",
    "told_at": "str", "agent": "str | null",
    "source": "str | null", "scope": "'shared' | 'private'", "capture": "str", "entry": "str | null", "span": ["int"],
}  # fmt: skip
_SAID = {"id": "str", "object": "str | null"}
_RESOLVED = {
    "run": "str",
    "at": "str",
    "status": "str",
    "strategy": "str",
    "reason": "str",
    "won": [_SAID],
    "lost": [_SAID],
    "disputed": [_SAID],
}
_STEP = {
    "subject": "str",
    "predicate": "str",
    "object": "str",
    "sources": [
        {
            "id": "str",
            "capture": "str",
            "told_at": "str",
            "source": "str | null",
        }
    ],
}
_REMOTE = {"remote": "str", "url": "str", "private": "bool"}
_EXCHANGED = {
    "tree": "str",
    "buffer": "str | null",
    "private": {"*": "str"},
    "counts": {
        "files": "int",
        "pages": "int",
        "runs": "int",
        "captures": "int",
        "tellings": "int",
    },
}

_WHY = {
    "warning?": "str",
    "target": "str",
    "kind": "'entry' | 'capture' | 'run' | 'branch'",
    "id": "str",
    "title": "str | null",
    "weight": {"one of": ["null", _WEIGHT]},
    "usage": {"one of": ["null", shapes_use.USE]},
    "terms": {"one of": ["null", VITALITY]},
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
_NODE = {
    "kind": "'entry' | 'claim' | 'name'",
    "id": "str",
    "title": "str | null",
    "entry": "str | null",
}
_DEPENDS = {
    "target": "str",
    **_NODE,
    "count": "int",
    "beyond": "bool",
    "rests": [{**_NODE, "path": [{**_NODE, "how": "str"}]}],
}

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
                "relations": [_RELATION],
                "reason": "str",
            }
        ],
        "waiting": [{"capture": "str", "reason": "str"}],
        "branches": [DECISION],
        "left_out": _LEFT_OUT,
        "judged": [shapes_audit.TALLY],
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
        **DECAY,
        "notes": ["str"],
        "dry_run": "bool",
    },
    "audit": shapes_audit.AUDIT,
    "settle": shapes_audit.SETTLE,
    "recall": RECALL,
    "pin": {"one of": [PINS, PIN]},
    "unpin": PIN,
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
        "called": [
            {"term": "str", "entry": "str", "title": "str", "path": "str"}
        ],
        "results": [
            {
                "id": "str",
                "title": "str",
                "path": "str | null",
                "state": "'pending' | 'active' | 'decaying' | 'archived' | 'minority'",
                "quarantined": "bool",
                "score": "float",
                "snippet": "str",
                "event_time": "str | null",
                "shift": SHIFT,
            }
        ],
    },
    "feedback": shapes_use.FEEDBACK,
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
                {
                    "floor": "float",
                    "rule": "str",
                    "entries": "int",
                    "protected": "int",
                    "as_of": "str | null",
                },
            ]
        },
        "fading": STATUS,
        "branches": {"open": "int", "nearest": {"one of": ["null", _NEAREST]}},
        "pending": "int",
        "usage": shapes_use.STATUS,
        "set_aside": "int",
        "waiting": "int",
        "sightings": "int",
        "held": [{"run": "str", "ref": "str", "captures": "int"}],
        "runs": "int",
        "last_run": {
            "one of": [
                "null",
                {"run": "str", "operation": "str", "time": "str"},
            ]
        },
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
        "to_audit": "int",
        "audits": shapes_audit.STATUS,
        "notes": ["str"],
    },
    "review": {
        "one of": [
            {"items": [_QUESTION], "open": "int", "queue": [_QUEUED]},
            {**_QUESTION, "sides": [_SIDE]},
        ]
    },
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
                "judged": [shapes_audit.TALLY],
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
        "findings": [
            {
                "kind": "str",
                "severity": "'damage' | 'warning' | 'note'",
                "what": "str",
                "hint": "str",
            }
        ],
        "repaired": [{"kind": "str", "what": "str"}],
    },
    "rebuild": {"entries": "int", "edges": "int", "runs": "int"},
    "demo": {
        "wiki": "str | null",
        "notes": "int",
        "steps": [
            {
                "now": "str",
                "comment": "str",
                "command": "str",
                "code": "int",
                "output": "str",
            }
        ],
        "next": ["str"],
    },
}

SHAPES |= {
    "claims": {
        "subject": "str",
        "predicate": "str | null",
        "as_of": "str",
        "known_at": "str | null",
        "keys": [
            {
                "subject": "str",
                "predicate": "str",
                "key": ["str"],
                "values": ["str"],
                "disputed": "bool",
                "strategy": "'latest' | 'evidence' | 'await' | 'policy'",
                "claims": [_CLAIM],
                "history": {
                    "one of": [
                        "null",
                        [
                            {
                                "from": "str",
                                "to": "str | null",
                                "values": ["str"],
                            }
                        ],
                    ]
                },
                "resolved": {"one of": ["null", [_RESOLVED]]},
            }
        ],
    },
    "ask": {
        "question": "str",
        "as_of": "str | null",
        "known": "bool",
        "earlier": "bool",
        "left_out": "int",
        "tokens": "int",
        "budget": "int",
        "over_budget": "bool",
        "passages": [
            {
                "id": "str",
                "title": "str",
                "path": "str | null",
                "text": "str",
                "found_by": ["str"],
            }
        ],
        "answers": [
            {
                "value": "str",
                "score": "float",
                "disputed": "bool",
                "path": [_STEP],
            }
        ],
        "phrased?": "str | null",
        "phrasing?": {
            "model": "str",
            "reason": "str | null",
            "replayed": "bool",
        },
    },
}

SHAPES |= {
    "branches": {
        "one of": [
            {"branches": [_BRANCH], "open": "int"},
            {**_BRANCH, "members": [_SPOKEN]},
            {**_BRANCH, "files": [_WOULD], "folder": "str | null"},
        ]
    },
    "quarantine": {
        "entries": [
            {
                "id": "str",
                "title": "str",
                "path": "str",
                "since": "str | null",
                "reason": "str",
            }
        ],
        "extended": [
            {
                "capture": "str",
                "title": "str | null",
                "incumbent": _PLACE,
                "reason": "str",
            }
        ],
    },
}
