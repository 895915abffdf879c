"""Peers that install from a registry and need no model key, each ranked as its own users have it.

An adapter runs in the peer's own environment and imports nothing of companion:

```
python -m tests.bench field --data DIR --set beam --haystack haystack.jsonl
peer/bin/python -m tests.bench.field.adapters.agentrecall beam dev haystack.jsonl agentrecall.jsonl
python -m tests.bench field --data DIR --set beam --rankings agentrecall.jsonl
```

Each turn is told as a note of its own, speaker first, and each question is handed over as it is asked. All
settings are the peer's defaults.
"""
