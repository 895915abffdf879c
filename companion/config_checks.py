"""Check the value of each setting. Every error names the key, and what may stand there."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeGuard

from companion.annotations import get_args
from companion.errors import CompanionError
from companion.values.claims import Strategy, Way, normal
from companion.values.decay.decay_policy import WEIGHT_NAMES, Policy
from companion.values.trust import LARGEST_TRUST, SMALLEST_TRUST, TRUST

PATH = ".companion/companion.yaml"
MAX_COUNT = 10**9
REASONERS = ("light", "vectors", "semantic", "llm")
Step = Literal["linkout", "brief", "key points", "detailed", "full text"]
#: how deep sources are worked in, from the title alone to every word
STEPS: tuple[Step, ...] = get_args(Step)
# Of a weight of vitality: a smaller one would switch its term off.
SMALLEST_WEIGHT = 0.0001
LARGEST_WEIGHT = 1000

Part = Literal["gravity", "promotion"]
#: what an experiment may switch off
PARTS: tuple[Part, ...] = get_args(Part)

_STRATEGIES: tuple[str, ...] = get_args(Strategy)
# No part may begin with a dot: git, Obsidian and companion would not see the pages there.
_FOLDER = r"\w[\w .-]*(/\w[\w .-]*)*/?"


class BadConfig(CompanionError):
    """companion.yaml cannot be used."""

    exit_code = 65
    hint = "docs/reference/settings.md lists every key and its default."


def settings_error(problem: str) -> BadConfig:
    return BadConfig(f"Settings error in {PATH}: {problem}")


def require_known(
    given: Iterable[object], known: Iterable[str], where: str
) -> None:
    """Raise BadConfig where *given* has keys that are not *known*; it names the first five."""
    names = list(known)
    unknown = sorted(str(key) for key in given if key not in names)
    if unknown:
        described = ", ".join(
            _describe_unknown(key, names) for key in unknown[:5]
        )
        raise settings_error(where + described)


def _describe_unknown(key: str, known: Sequence[str]) -> str:
    """Return which key is unknown, with the nearest known one, or else with all of them."""
    from difflib import get_close_matches  # only for those who misspelled a key

    nearest = get_close_matches(key, known, n=1)
    if nearest:
        return f'unknown key "{key}" (did you mean "{nearest[0]}"?)'
    return f'unknown key "{key}" (known keys: {", ".join(known)})'


def is_named(value: object) -> TypeGuard[dict[str, object]]:
    """Return whether *value* is a mapping whose keys are text."""
    return isinstance(value, dict) and all(
        isinstance(key, str) for key in value
    )


def _is_text_list(value: object) -> TypeGuard[list[str]]:
    """Return whether *value* is a list of texts, none of them empty."""
    return isinstance(value, list) and all(
        isinstance(item, str) and item for item in value
    )


def _is_number(
    value: object, smallest: float, largest: float
) -> TypeGuard[int | float]:
    """Return whether *value* is a number in [smallest, largest]; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return smallest <= value <= largest


def _check_adopt(value: object) -> str:
    if value not in ("commit", "ask"):
        raise settings_error(f"adopt must be commit or ask, not {value!r}")
    return str(value)


def _check_entries(value: object) -> str:
    if (
        isinstance(value, str)
        and len(value) <= 100
        and re.fullmatch(_FOLDER, value)
    ):
        return value.strip("/")
    raise settings_error(
        f"entries must be the name of a folder inside the wiki, not {value!r}"
    )


def _check_exclude(value: object) -> tuple[str, ...]:
    if not _is_text_list(value):
        raise settings_error(
            "exclude must be a list of paths such as templates/**"
        )
    return tuple(value)


def _check_reasoner(value: object) -> str:
    if value not in REASONERS:
        raise settings_error(
            f"reasoner must be one of {', '.join(REASONERS)}, not {value!r}"
        )
    return str(value)


def _check_model(value: object) -> str:
    return _check_line("model must be the name of a model", value)


def _check_role(value: object) -> str:
    return _check_line("role must say what you work as, in one line", value)


def _check_without(value: object) -> tuple[Part, ...]:
    given = value if isinstance(value, list) else [value]
    for name in given:
        if name not in PARTS:
            raise settings_error(
                f"without must name {' or '.join(PARTS)}, or both, not {name!r}"
            )
    return tuple(part for part in PARTS if part in given)


def _check_line(rule: str, value: object) -> str:
    if (
        not isinstance(value, str)
        or len(value) > 200
        or not value.isprintable()
    ):
        raise settings_error(f"{rule}, not {value!r}")
    return value.strip()


def _check_expire(value: object) -> int:
    return _check_count("expire", value)


def _check_max_calls(value: object) -> int:
    return _check_count("max_calls", value)


def _check_max_tokens(value: object) -> int:
    return _check_count("max_tokens", value)


def _check_count(name: str, value: object) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not 0 <= value < MAX_COUNT
    ):
        raise settings_error(
            f"{name} must be a whole number from 0, not {value!r}"
        )
    return value


def _check_claims(value: object) -> tuple[tuple[str, Way], ...]:
    if not is_named(value) or not all(normal(name) for name in value):
        raise settings_error(
            "claims must map predicates to strategies, as in `price: evidence`"
        )
    ways = {normal(name): _check_way(name, way) for name, way in value.items()}
    if len(ways) < len(value):
        raise settings_error(
            "claims names a predicate twice; letter case and spaces make no difference"
        )
    return tuple(sorted(ways.items()))


def _check_way(name: str, value: object) -> Way:
    """Return how conflicts on the predicate *name* are settled."""
    where = f"claims: {name!r}"
    strategies = ", ".join(_STRATEGIES)
    given = {"strategy": value} if isinstance(value, str) else value
    if not isinstance(given, dict):
        raise settings_error(
            f"{where} must be a strategy ({strategies}), not {value!r}"
        )
    require_known(given, ("strategy", "prefer"), f"{where}: ")
    prefer = given.get("prefer", [])
    strategy = given.get(
        "strategy", "policy" if "prefer" in given else "latest"
    )
    if strategy not in _STRATEGIES:
        raise settings_error(
            f"{where} must be one of the strategies {strategies}, not {strategy!r}"
        )
    if not _is_text_list(prefer):
        raise settings_error(
            f"{where}: prefer must be a list of sources or agents"
        )
    if strategy == "policy" and not prefer:
        raise settings_error(f"{where}: policy needs a list of whom to prefer")
    if prefer and strategy != "policy":
        raise settings_error(
            f"{where}: only policy takes a list of whom to prefer"
        )
    return Way(strategy, tuple(prefer))


def _check_trust(value: object) -> tuple[tuple[str, float], ...]:
    named = _fold_names(
        value,
        "trust must map sources or agents to weights, as in `journal/*: high`",
        "trust names somebody",
    )
    weights = [
        (name, _check_trust_weight(name, weight))
        for name, weight in named.items()
    ]
    return tuple(sorted(weights))


def _fold_names(value: object, wanted: str, twice: str) -> dict[str, object]:
    """Return a mapping by its names, folded. Raises BadConfig: it is none, or has one *twice*."""
    if not is_named(value) or not all(name.strip() for name in value):
        raise settings_error(wanted)
    folded = {
        " ".join(name.casefold().split()): given
        for name, given in value.items()
    }
    if len(folded) < len(value):
        raise settings_error(
            f"{twice} twice; letter case and spaces make no difference"
        )
    return folded


def _check_trust_weight(name: str, value: object) -> float:
    weight = TRUST.get(value) if isinstance(value, str) else value
    if _is_number(weight, SMALLEST_TRUST, LARGEST_TRUST):
        return float(weight)
    classes = ", ".join(TRUST)
    allowed = f"{classes} or a number from {SMALLEST_TRUST} to {LARGEST_TRUST}"
    raise settings_error(f"trust: {name!r} must be {allowed}, not {value!r}")


def _check_vitality(value: object) -> Policy:
    if not isinstance(value, dict):
        raise settings_error(
            "vitality must map terms to weights, as in `gravity: 2`"
        )
    require_known(value, Policy._fields, "vitality: ")
    policy = Policy(
        **{
            name: _check_vitality_number(name, given)
            for name, given in value.items()
        }
    )
    if policy.archived > policy.decaying:
        raise settings_error(
            "vitality: archived must not lie above decaying: an entry fades in two steps"
        )
    return policy


def _check_vitality_number(name: str, value: object) -> float:
    if _is_number(value, SMALLEST_WEIGHT, LARGEST_WEIGHT):
        return float(value)
    allowed = f"a number from {SMALLEST_WEIGHT} to {LARGEST_WEIGHT}"
    reason = (
        ": no term of vitality can be switched off"
        if name in WEIGHT_NAMES
        else ""
    )
    raise settings_error(
        f"vitality: {name} must be {allowed}, not {value!r}{reason}"
    )


def _check_depth(value: object) -> tuple[tuple[str, Step], ...]:
    named = _fold_names(
        value,
        "depth must map sources or topics to steps, as in `papers/*: detailed`",
        "depth names a pattern",
    )
    steps = [(name, _check_step(name, step)) for name, step in named.items()]
    return tuple(sorted(steps))


def _check_step(name: str, value: object) -> Step:
    for step in STEPS:
        if value == step:
            return step
    raise settings_error(
        f"depth: {name!r} must be one of {', '.join(STEPS)}, not {value!r}"
    )


CHECKS: Mapping[str, Callable[[object], Any]] = {
    "adopt": _check_adopt,
    "entries": _check_entries,
    "exclude": _check_exclude,
    "expire": _check_expire,
    "reasoner": _check_reasoner,
    "model": _check_model,
    "max_calls": _check_max_calls,
    "max_tokens": _check_max_tokens,
    "claims": _check_claims,
    "trust": _check_trust,
    "vitality": _check_vitality,
    "depth": _check_depth,
    "role": _check_role,
    "without": _check_without,
}
