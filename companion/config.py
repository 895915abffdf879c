"""companion.yaml: the wiki's few settings, validated, read from the snapshot's tree.

Every key has a default good enough to leave alone; an unknown key is an error that names it,
because a misspelled setting that is silently ignored is worse than a refused one.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_args

from companion.errors import CompanionError
from companion.values.claims import Strategy, Way, normal
from companion.values.decay_policy import DEFAULTS, Policy
from companion.values.decay_policy import WEIGHTS as TERMS
from companion.values.trust import TRUST, WEIGHTS

PATH = ".companion/companion.yaml"
MAX_BYTES = 64 * 1024
# of a weight of vitality: less would eliminate its term by the back door
LEAST, MOST = 0.0001, 1000
REASONERS = ("light", "semantic", "llm")


class BadConfig(CompanionError):
    """companion.yaml cannot be used."""

    exit_code = 65
    hint = "docs/reference/settings.md lists every key and its default."


@dataclass(frozen=True)
class Config:
    """The settings of one wiki."""

    # a person's unstaged edits: "commit" takes them in each night, "ask" only by `adopt`
    adopt: str = "commit"
    entries: str = "entries"  # where the pages that companion writes live
    exclude: tuple[str, ...] = ("AGENTS.md", "CLAUDE.md", "README.md", "templates/**")
    # who judges what notes say: "light" (rules), "semantic" (sentence embeddings) or "llm"
    reasoner: str = "light"
    model: str = ""  # llm: the model's name; semantic: a cross encoder beside the rules, if any
    max_calls: int = 200  # calls that a language model may cost one night
    max_tokens: int = 400_000  # tokens, in and out, that it may cost one night
    # predicate -> how its conflicts are settled; the rest by `latest`
    claims: tuple[tuple[str, Way], ...] = ()

    # source or agent, or a pattern -> what its word weighs against a belief
    trust: tuple[tuple[str, float], ...] = ()
    # the weights of vitality's five terms, and the thresholds of fading
    vitality: Policy = DEFAULTS

    @property
    def hash(self) -> str:
        """Identify these settings in a run's input."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:16]

    def excluded(self) -> Callable[[str], bool]:
        """Return the test for pages that are found by search but are no entries: no operation
        judges them.
        """
        if not self.exclude:
            return lambda path: False
        pattern = re.compile("|".join(_glob(glob) for glob in self.exclude), re.IGNORECASE)
        return lambda path: pattern.fullmatch(path) is not None


DEFAULT_TEXT = """\
# companion's settings. Every key may be left out; the README says what each one does.
adopt: {adopt}
# trust: {{journal/*: high, "https://example.org": 0.7}}  # whose word weighs more, or less, against a belief
# vitality: {{gravity: 2, decaying: 0.05}}  # what keeps an entry alive, and below which vitality it fades
# claims: {{price: evidence}}  # where time does not settle a conflict: latest, evidence, await or policy
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
    if (
        not isinstance(value, str)
        or len(value) > 100
        or not re.fullmatch(r"\w[\w .-]*(/\w[\w .-]*)*/?", value)
    ):
        raise BadConfig(
            f"{PATH}: entries must be the name of a folder inside the wiki, not {value!r}"
        )
    return value.strip("/")


def _exclude(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise BadConfig(f"{PATH}: exclude must be a list of paths such as templates/**")
    return tuple(value)


def _reasoner(value: object) -> str:
    if value not in REASONERS:
        raise BadConfig(f"{PATH}: reasoner must be one of {', '.join(REASONERS)}, not {value!r}")
    return str(value)


def _model(value: object) -> str:
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        raise BadConfig(f"{PATH}: model must be the name of one, not {value!r}")
    return value.strip()


def _count(name: str) -> Callable[[object], int]:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
            raise BadConfig(f"{PATH}: {name} must be a whole number from 0, not {value!r}")
        return value

    return check


def _claims(value: object) -> tuple[tuple[str, Way], ...]:
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and normal(name) for name in value
    ):
        raise BadConfig(
            f"{PATH}: claims must map predicates to strategies, as in `price: evidence`"
        )
    ways = {normal(name): _way(name, way) for name, way in value.items()}
    if len(ways) < len(value):
        raise BadConfig(
            f"{PATH}: claims names a predicate twice; letter case and spaces make no difference"
        )
    return tuple(sorted(ways.items()))


def _way(name: str, value: object) -> Way:
    given = {"strategy": value} if isinstance(value, str) else value
    if not isinstance(given, dict):
        raise BadConfig(
            f"{PATH}: claims: {name!r} must be a strategy ({_STRATEGIES}), not {value!r}"
        )
    unknown = sorted(str(key) for key in given if key not in ("strategy", "prefer"))
    if unknown:
        raise BadConfig(
            f"{PATH}: claims: {name!r} has unknown keys: {', '.join(unknown)}; known: strategy, prefer"
        )
    strategy, prefer = (
        given.get("strategy", "policy" if "prefer" in given else "latest"),
        given.get("prefer", []),
    )
    if strategy not in get_args(Strategy):
        raise BadConfig(
            f"{PATH}: claims: {name!r} must have one of the strategies {_STRATEGIES}, not {strategy!r}"
        )
    if not isinstance(prefer, list) or not all(isinstance(who, str) and who for who in prefer):
        raise BadConfig(f"{PATH}: claims: {name!r}: prefer must be a list of sources or agents")
    if bool(prefer) != (strategy == "policy"):
        raise BadConfig(
            f"{PATH}: claims: {name!r}: policy goes with a list of whom to prefer, and nothing else does"
        )
    return Way(strategy, tuple(prefer))


def _trust(value: object) -> tuple[tuple[str, float], ...]:
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and name.strip() for name in value
    ):
        raise BadConfig(
            f"{PATH}: trust must map sources or agents to weights, as in `journal/*: high`"
        )
    weights = {
        " ".join(name.casefold().split()): _weight(name, weight) for name, weight in value.items()
    }
    if len(weights) < len(value):
        raise BadConfig(
            f"{PATH}: trust names somebody twice; letter case and spaces make no difference"
        )
    return tuple(sorted(weights.items()))


def _weight(name: str, value: object) -> float:
    given = TRUST.get(value) if isinstance(value, str) else value
    if (
        isinstance(given, bool)
        or not isinstance(given, int | float)
        or not WEIGHTS[0] <= given <= WEIGHTS[1]
    ):
        least, most = WEIGHTS
        known = f"{', '.join(TRUST)} or a number from {least} to {most}"
        raise BadConfig(f"{PATH}: trust: {name!r} must be {known}, not {value!r}")
    return float(given)


def _vitality(value: object) -> Policy:
    if not isinstance(value, dict):
        raise BadConfig(f"{PATH}: vitality must map terms to weights, as in `gravity: 2`")
    unknown = sorted(str(key) for key in value if key not in Policy._fields)
    if unknown:
        raise BadConfig(
            f"{PATH}: vitality has unknown keys: {', '.join(unknown)}; known: {', '.join(Policy._fields)}"
        )
    policy = Policy(**{name: _number(name, number) for name, number in value.items()})
    if policy.archived > policy.decaying:
        raise BadConfig(
            f"{PATH}: vitality: archived must not lie above decaying: an entry fades in two steps"
        )
    return policy


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not LEAST <= value <= MOST:
        why = ": no term of the formula may be eliminated" if name in TERMS else ""
        raise BadConfig(
            f"{PATH}: vitality: {name} must be a number from {LEAST} to {MOST}, not {value!r}{why}"
        )
    return float(value)


_STRATEGIES = ", ".join(get_args(Strategy))
_CHECKS: Mapping[str, Callable[[object], Any]] = {
    "adopt": _adopt,
    "entries": _entries,
    "exclude": _exclude,
    "reasoner": _reasoner,
    "model": _model,
    "max_calls": _count("max_calls"),
    "max_tokens": _count("max_tokens"),
    "claims": _claims,
    "trust": _trust,
    "vitality": _vitality,
}


def _glob(pattern: str) -> str:
    """Translate a glob: ``**`` any depth, ``*`` within one folder; a bare name matches in any
    folder.
    """
    parts = re.split(r"(\*\*/?|\*|\?)", pattern.strip("/"))
    table = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return "(?:.*/)?" + "".join(table.get(part, re.escape(part)) for part in parts)


def set_values(data: bytes | None, values: Mapping[str, str]) -> bytes:
    """Return companion.yaml with *values* for plain top-level keys, every other byte as it was.
    Raises BadConfig.
    """
    lines = (data or b"").decode("utf-8", "surrogateescape").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    kept = [line for line in lines if line.split(":", 1)[0] not in values]
    kept += [f"{key}: {_quoted(value)}\n" for key, value in values.items() if value]
    written = "".join(kept).encode("utf-8", "surrogateescape")
    parse(written)
    return written


def _quoted(value: str) -> str:
    import json

    return value if value in REASONERS else json.dumps(value)  # a model called `no` is no boolean
