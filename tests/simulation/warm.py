"""What worlds need not do again: load the program, read word vectors, start a merge."""

import gc
import os
import shlex
import traceback
from pathlib import Path
from typing import TextIO

from companion.language.vectors import static_vectors
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.maintenance.remotes import merge_driver
from companion.storage.index.folding import fold_meanings

_ASK = """\
printf '%s\\t%s\\t%s\\t%s\\t%s\\n' "$PWD" "$1" "$2" "$3" "$4" >{asked}
read -r code <{answer}
exit "$code"
"""


def keep_vectors() -> None:
    """Load and check word vectors once for all lives: a life sleeps some twenty times."""
    vectors = StaticEmbedder()
    for name in ("_matrix", "_tokenizer"):
        setattr(StaticEmbedder, name, getattr(vectors, name))
    StaticEmbedder.let_go = lambda self: None  # type: ignore[method-assign]
    source = static_vectors.check_source()
    fold_meanings.check_source = lambda: source


def settle_down() -> None:
    """Have the collector pass over all that is loaded: lives share it."""
    gc.collect()
    gc.freeze()


def serve_merges(folder: Path) -> TextIO:
    """Let git ask a fork of this process for merges, in place of a fresh interpreter.

    The fork ends when what is returned is closed in every process.
    """
    script, asked, answer = (
        folder / name for name in ("merge.sh", "asked", "answer")
    )
    os.mkfifo(asked)
    os.mkfifo(answer)
    script.write_text(
        _ASK.format(
            asked=shlex.quote(str(asked)), answer=shlex.quote(str(answer))
        )
    )
    if os.fork() == 0:
        # whatever is raised ends here: a child must never run on as its parent
        try:
            _answer(asked, answer)
        finally:
            os._exit(0)
    command = f"sh {shlex.quote(str(script))} %O %A %B %P"
    ours = f"{command} || git merge-file --marker-size=%L %A %O %B"
    merge_driver._make_command = lambda: ours
    return open(asked, "w")


def _answer(asked: Path, answer: Path) -> None:
    with open(asked) as lines:
        for line in lines:
            folder, *words = line.rstrip("\n").split("\t")
            code = _merge(folder, words)
            answer.write_text(f"{code}\n")


def _merge(folder: str, words: list[str]) -> int:
    """Merge as git asks; a driver that breaks down leaves the page to git."""
    os.chdir(folder)
    try:
        return merge_driver.main(words)
    # an interpreter ends with 1 whatever is raised
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        return 1
