"""One harness for whatever ranks: it scores rankings, and nothing else.

```
python -m tests.bench field --data DIR --haystack FILE      what is to be ranked, for any program
python -m tests.bench field --data DIR --by bm25 --rankings FILE     rank it by one of ours
python -m tests.bench field --data DIR --rankings FILE ...  what rankings are worth
```

The rules, for everybody alike:

- **Haystack.** All turns of a talk, as `--haystack` writes them, and nothing else. Questions whose
  evidence the set does not name are left out.
- **Granularity.** A place is one turn. A result that shows several takes a place for each, in the
  order of the talk: who shows a whole session pays for it. For sessions, a place is the session of
  a turn, and a session counts at its first place.
- **Ties.** Results of one score have no order: those that answer stand behind those that do not.
  Without scores, the order of the file counts.
- **Depth.** Ten places. A turn that comes twice counts at its first place.
- **Silence.** A question without a line is a question with no result: it counts.
- **Bad lines.** An unknown turn, a second line for one question or a number that is none ends the
  scoring with the number of the line. Nothing is repaired.
"""
