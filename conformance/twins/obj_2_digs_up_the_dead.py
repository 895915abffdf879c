"""OBJ-2 broken: hearing the words of an archived entry again makes it active."""

from pathlib import Path

from honest import WORDS, answer, git, heard_before, quietly, say, verb

BREAKS = "OBJ-2"
EXPECTS = r"- 0  1\n\+ 1  0"

done = answer(*WORDS)
if verb() == "ingest" and heard_before(done):
    gone = git(
        "log",
        "-1",
        "--diff-filter=D",
        "--name-only",
        "--format=",
        "--",
        "entries",
    ).splitlines()
    for path in gone:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(
            git("show", f"HEAD~1:{path}") + "\n", encoding="utf-8"
        )
    quietly("adopt")
say(done)
