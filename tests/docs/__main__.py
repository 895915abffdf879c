"""`python -m tests.docs`: run the commands of the documents; with --write, put their present output into them.

python -m tests.docs [--write] [PAGE ...]
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.docs import transcripts


def main(argv: Sequence[str]) -> int:
    """Check or rewrite the named pages, or all; return 1 if a command ended otherwise than its page says."""
    write = "--write" in argv
    named = [Path(word).resolve() for word in argv if word != "--write"]
    failed = False
    for page in named or transcripts.pages():
        text = page.read_text()
        steps = transcripts.read_steps(text)
        if not steps:
            continue
        with tempfile.TemporaryDirectory() as home:
            outcomes = transcripts.run_steps(steps, Path(home).resolve())
        differences = transcripts.find_differences(steps, outcomes)
        wrong_codes = [
            each for each in differences if each.step.code != each.outcome.code
        ]
        if write:
            page.write_text(transcripts.rewrite(text, differences))
        for difference in wrong_codes if write else differences:
            print(f"{page.relative_to(transcripts.ROOT)}, {difference}")
        failed = failed or bool(wrong_codes if write else differences)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
