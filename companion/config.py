"""companion.yaml: the wiki's few settings, validated, read from the snapshot's tree.

Every key has a default good enough to leave alone; an unknown key is an error that names it, because a
misspelled setting that is silently ignored is worse than a refused one.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from companion import CompanionError

PATH = ".companion/companion.yaml"
MAX_BYTES = 64 * 1024


class BadConfig(CompanionError):
    """companion.yaml cannot be used."""

    exit_code = 65
    hint = "Every key and its default is in the README under Configuration."


@dataclass(frozen=True)
class Config:
    """The settings of one wiki."""

    adopt: str = "commit"  # a person's unstaged edits: "commit" takes them in each night, "ask" only by `adopt`
    entries: str = "entries"  # where the pages that companion writes live
    exclude: tuple[str, ...] = ("AGENTS.md", "CLAUDE.md", "README.md", "templates/**")

    @property
    def hash(self) -> str:
        """Identify these settings in a run's input."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:16]

    def excluded(self) -> Callable[[str], bool]:
        """Return the test for pages that are found by search but are no entries: no operation judges them."""
        if not self.exclude:
            return lambda path: False
        pattern = re.compile("|".join(_glob(glob) for glob in self.exclude), re.IGNORECASE)
        return lambda path: pattern.fullmatch(path) is not None


DEFAULT_TEXT = """\
# companion's settings. Every key may be left out; the README says what each one does.
adopt: {adopt}
"""


def parse(data: bytes | None) -> Config:
    """Read companion.yaml. Raises BadConfig, naming the key."""
    if data is None:
        return Config()
    values = _load(data)
    known = asdict(Config())
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise BadConfig(f"unknown key{'s' * (len(unknown) > 1)} in {PATH}: {', '.join(unknown)}")
    return Config(**{key: _CHECKS[key](value) for key, value in values.items()})


def _load(data: bytes) -> Mapping[str, Any]:
    import yaml  # 3 x `python -c pass`: only for those who have a file to read

    if len(data) > MAX_BYTES:
        raise BadConfig(f"{PATH} is larger than {MAX_BYTES // 1024} kB")
    if data.count(b"[") + data.count(b"{") > 1000:
        raise BadConfig(f"{PATH} is nested too deeply")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(data)):
            raise BadConfig(f"{PATH} uses aliases; plain keys and values are enough")
        values = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadConfig(f"{PATH} is not YAML: {str(error).splitlines()[0]}") from error
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise BadConfig(f"{PATH} must be a mapping of names to values")
    return values


def _adopt(value: object) -> str:
    if value not in ("commit", "ask"):
        raise BadConfig(f"{PATH}: adopt must be commit or ask, not {value!r}")
    return str(value)


def _entries(value: object) -> str:
    # No part may begin with a dot: git, Obsidian and we ourselves would not see the pages there.
    if not isinstance(value, str) or len(value) > 100 or not re.fullmatch(r"\w[\w .-]*(/\w[\w .-]*)*/?", value):
        raise BadConfig(f"{PATH}: entries must be the name of a folder inside the wiki, not {value!r}")
    return value.strip("/")


def _exclude(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BadConfig(f"{PATH}: exclude must be a list of paths such as templates/**")
    return tuple(value)


_CHECKS: Mapping[str, Callable[[object], Any]] = {"adopt": _adopt, "entries": _entries, "exclude": _exclude}


def _glob(pattern: str) -> str:
    """Translate a glob: ``**`` any depth, ``*`` within one folder; a bare name matches in any folder."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern.strip("/"))
    table = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return "(?:.*/)?" + "".join(table.get(part, re.escape(part)) for part in parts)
