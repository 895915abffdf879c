"""`python -m tests.bench.secret_formats`: recall and precision of the scan for secrets."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from companion import privacy
from companion.privacy import secret_formats
from tests.bench.secret_formats import fresh
from tests.bench.secret_formats.rules import make_rules
from tests.bench.secret_formats.samples import Sample, halves, make_samples

RULES = Path(privacy.__file__).with_name("provider_rules.tsv")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where recall or precision is below its goal."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.secret_formats", description=__doc__
    )
    parser.add_argument(
        "--half",
        choices=("tune", "score", "all", *fresh.SETS),
        default="all",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--rules",
        type=Path,
        metavar="WHEEL",
        help="make the file of rules anew",
    )
    options = parser.parse_args(argv)
    if options.rules:
        RULES.write_text(make_rules(options.rules), encoding="utf-8")
        return 0
    if options.half in fresh.SETS:
        more = make_samples(options.seed, *fresh.SETS[options.half])
        return _report(more)
    samples = make_samples(options.seed)
    tune, score = halves(samples)
    chosen = {"tune": tune, "score": score, "all": samples}[options.half]
    return _report(chosen)


def _report(samples: list[Sample]) -> int:
    recall, precision, wrong = measure(samples)
    for line in wrong:
        print(line)
    secrets = sum(sample.secret for sample in samples)
    print(f"{secrets} formats, {len(samples) - secrets} look-alikes")
    print(f"recall {recall:.3f}, precision {precision:.3f}")
    return 0 if recall >= 0.95 and precision >= 0.97 else 1


def measure(samples: list[Sample]) -> tuple[float, float, list[str]]:
    """Return recall, precision, and a line for each sample that is judged wrongly."""
    wrong = []
    right = raised = 0
    for sample in samples:
        found = bool(secret_formats.find(sample.text))
        raised += found
        right += found and sample.secret
        if found != sample.secret:
            what = "missed" if sample.secret else "taken for a secret"
            wrong.append(f"{what}: {sample.name}")
    secrets = sum(sample.secret for sample in samples)
    return right / secrets, right / max(raised, 1), wrong


if __name__ == "__main__":
    sys.exit(main())
