"""Read and check companion.yaml, the wiki's few settings.

Every key has a default good enough to leave alone. An unknown key is an error that names it,
because a person who misspelled a setting would not notice that it has no effect.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache

from companion.config_checks import (
    CHECKS,
    PATH,
    REASONERS,
    Part,
    Step,
    is_named,
    require_known,
    settings_error,
)
from companion.values.claims import Way
from companion.values.decay.decay_policy import DEFAULTS, Policy

__all__ = ["PATH", "Config", "parse", "set_values"]
MAX_BYTES = 64 * 1024
MAX_BRACKETS = 1000
_LATER = ("depth", "expire", "role", "without")
_GLOB_PART = r"(\*\*/?|\*|\?)"
_GLOB_MEANINGS = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True)
class Config:
    """The settings of one wiki; docs/reference/settings.md explains each."""

    # a person's unstaged edits: "commit" takes them in each night, "ask" only by `adopt`
    adopt: str = "commit"
    entries: str = "entries"  # the folder for the pages that companion writes
    exclude: tuple[str, ...] = (
        "AGENTS.md",
        "CLAUDE.md",
        "README.md",
        "templates/**",
    )
    # days after which a note expires that every night left waiting; 0: never
    expire: int = 0
    # who compares notes: "light" (rules), "vectors" (multilingual sentence embeddings),
    # "semantic" (English ones, and a cross encoder if there is one) or "llm"
    reasoner: str = "light"
    # llm: the model's name; semantic: a cross encoder beside the rules, if any
    model: str = ""
    max_calls: int = 200  # calls that a language model may cost one night
    max_tokens: int = 400_000  # tokens, in and out, that it may cost one night
    # predicate -> how its conflicts are settled; the rest by `latest`
    claims: tuple[tuple[str, Way], ...] = ()

    # source or agent, or a pattern -> what its word weighs against a belief
    trust: tuple[tuple[str, float], ...] = ()
    # the weights of vitality's five terms, and the thresholds of forgetting
    vitality: Policy = DEFAULTS
    # pattern of sources, or words of a topic -> how deep they are worked in
    depth: tuple[tuple[str, Step], ...] = ()
    # what the person works as, in their words: it says what of a source matters
    role: str = ""
    # parts of the design that an experiment runs without (MaM §7), in their order
    without: tuple[Part, ...] = ()

    @property
    def hash(self) -> str:
        """Return 16 hex digits that identify these settings in a run's input.

        Settings that came later count where they are set, so that older runs keep their input.
        """
        settings = []
        for name, value in sorted(asdict(self).items()):
            if value or name not in _LATER:
                settings.append((name, value))
        return hashlib.sha256(repr(settings).encode()).hexdigest()[:16]

    def compile_exclusions(self) -> Callable[[str], bool]:
        """Return the test whether a page is excluded: search finds it, no operation judges it."""
        if not self.exclude:
            return lambda path: False
        alternatives = "|".join(_translate_glob(glob) for glob in self.exclude)
        pattern = re.compile(alternatives, re.IGNORECASE)
        return lambda path: pattern.fullmatch(path) is not None


DEFAULT_TEXT = """\
# companion's settings. Every key may be left out; docs/reference/settings.md explains each one.
adopt: {adopt}
# trust: {{journal/*: high, "https://example.org": 0.7}}  \
# whose word weighs more, or less, against a belief
# vitality: {{gravity: 2, decaying: 0.05}}  \
# what keeps an entry alive, and below which vitality it fades
# claims: {{price: evidence}}  \
# where time does not settle a conflict: latest, evidence, await or policy
"""


@lru_cache(maxsize=8)
def parse(data: bytes | None) -> Config:
    """Return the settings in the bytes of companion.yaml; None stands for no file.

    The last few are kept: a night reads the same bytes four times, at 15 ms a time.

    Raises BadConfig, naming the key.
    """
    if data is None:
        return Config()
    values = _load(data)
    require_known(values, CHECKS, "")
    return Config(**{key: CHECKS[key](value) for key, value in values.items()})


def set_values(data: bytes | None, values: Mapping[str, str]) -> bytes:
    """Return companion.yaml with *values* for plain top-level keys, every other byte as it was.

    An empty value removes its key. Raises BadConfig.
    """
    lines = (
        (data or b"")
        .decode("utf-8", "surrogateescape")
        .splitlines(keepends=True)
    )
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    written = [line for line in lines if line.split(":", 1)[0] not in values]
    for key, value in values.items():
        if value:
            written.append(f"{key}: {_quote(value)}\n")
    changed = "".join(written).encode("utf-8", "surrogateescape")
    parse(changed)
    return changed


def _quote(value: str) -> str:
    """Return *value* as YAML text: quoted, because a model called `no` is no boolean."""
    import json

    return value if value in REASONERS else json.dumps(value)


def _load(data: bytes) -> Mapping[str, object]:
    """Return the keys and values of a file that is safe to parse, or raise BadConfig."""
    # costs 3 x `python -c pass`: only for those who have a file to read
    import yaml

    if len(data) > MAX_BYTES:
        raise settings_error(f"the file is larger than {MAX_BYTES // 1024} kB")
    if data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        raise settings_error("the file is nested too deeply")
    try:
        if any(
            isinstance(event, yaml.AliasEvent) for event in yaml.parse(data)
        ):
            raise settings_error(
                "the file uses aliases; write plain keys and values"
            )
        values: object = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first_line = str(error).splitlines()[0]
        raise settings_error(f"the file is not YAML: {first_line}") from error
    if values is None:
        return {}
    if not is_named(values):
        raise settings_error("the file must be a mapping of names to values")
    return values


def _translate_glob(pattern: str) -> str:
    """Return a glob as a regular expression.

    ``**`` stands for any depth, ``*`` for names within one folder; a bare name matches in any
    folder.
    """
    parts = re.split(_GLOB_PART, pattern.strip("/"))
    translated = [_GLOB_MEANINGS.get(part) or re.escape(part) for part in parts]
    return "(?:.*/)?" + "".join(translated)
