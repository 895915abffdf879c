"""Judge what an assignment gives to a secret's name: `password: …`, `api_key=…`.

`secret_formats` says by which rules.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.privacy import AWS_SECRET, KEY_OWNERS, PASSWORD, mixed, places
from companion.privacy.placeholders import is_name, is_placeholder

_EQUALS = (":", "=", ":=", "::", "=>", "->", "→", "==")
# What may stand between the stem and the value: the rest of the word, quotes, "(…)" or "for …", the
# sign.
_BETWEEN = (
    r"(?P<rest>(?:word|wd|phrase|wort|code|ña|na)?(?:[ _-]?(?:access[ _-]?)?key)?)"
    r"[0-9]{0,2}(?:[\\\"'`*_]{0,5}|[\"']\])"
    r"(?: \([^()\n]{1,40}\)"
    r"| (?:for|of|on|to|at|für|vom|von|der|des|pour|du|para|del|di"
    r"|(?P<place>in|from|im|am|zum|zur|beim))"
    r" [^\n:=|]{1,40}?)?"
    r"[\\\"'`*_]{0,4}"
    r"[ \t]{0,8}(?P<sign>:=|::|=>|->|→|==|[:=|]|(?:is|was|ist|lautet)(?= ))"
    r"[ \t]{0,8}[*_]{0,3}[ \t]{0,2}"
)
_FLAG = r"(?P<rest>(?:word|wd|phrase)?)(?P<sign>[ \t]{1,2})"
# "admin key: …" is said of much that opens nothing
_LEAST_OF_AN_OWNER = 20
_WIDE_OWNERS = ("application", "deploy", "admin", "server")
_VALUE = (
    r"\\?(?P<quote>[\"'`])(?P<quoted>[^\n]{1,4096}?)\\?(?P=quote)"
    r"|(?P<bare>[^\s\"'`<>|]{1,4096})"
)
# another assignment follows without a space: a=b&c=d
_NEXT = r"[,;&](?=[\w\\ -]{1,40}[=:])"


class _Name(NamedTuple):
    """The left side of an assignment."""

    stem: str
    rest: str  # of the stem's word: "word" after "pass"
    owner: str  # what stands before the stem in the same word: "db_"
    sign: str
    in_url: bool
    in_place: bool  # "password in the hall"
    least: int  # characters of a value


def assigned(
    text: str, lowered: str, stem: str, kind: str
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of every secret in *text* whose name holds *stem*; *lowered* has
    equal positions.
    """
    between = re.compile(_BETWEEN)
    value = re.compile(_VALUE)
    # A name within a value names nothing, and `password:password:…` must not be read over and over.
    value_end = 0
    for start in places(lowered, stem):
        if start < value_end:
            continue
        left = between.match(lowered, start + len(stem))
        left = left or _flagged(lowered, start, stem)
        name = _name(lowered, start, stem, left)
        if left is None or name is None:
            continue
        right = value.match(text, left.end())
        if right is not None:
            value_end = right.end()
            if right["quoted"]:
                value_end = 0
            yield from _judged(text, name, kind, right)


def _name(
    lowered: str, start: int, stem: str, left: re.Match[str] | None
) -> _Name | None:
    """Return the left side of an assignment, None when the word is not a secret's name."""
    if left is None:
        return None
    owner = _owner(lowered, start)
    before = lowered[start - len(owner) - 1 : start - len(owner)]
    in_url = before in ("?", "&") and left["sign"] == "="
    in_place = bool(left.groupdict().get("place"))
    least = _least(stem, lowered[max(start - 14, 0) : start])
    name = _Name(
        stem, left["rest"], owner, left["sign"], in_url, in_place, least
    )
    if not _names_secret(name, lowered[max(start - 14, 0) : start]):
        return None
    return name


def _least(stem: str, left: str) -> int:
    """Return how many characters a value of such a name has at least."""
    is_wide = stem == "key" and left.rstrip(" _-.").endswith(_WIDE_OWNERS)
    return _LEAST_OF_AN_OWNER if is_wide else 4


def _flagged(lowered: str, start: int, stem: str) -> re.Match[str] | None:
    """Match a command line's `--password VALUE`."""
    if "--" not in lowered[max(start - 20, 0) : start]:
        return None
    if not _owner(lowered, start).startswith("--"):
        return None
    return re.compile(_FLAG).match(lowered, start + len(stem))


def _owner(lowered: str, start: int) -> str:
    """Return what stands before the stem in the same word, at most 40 characters."""
    first = start
    while first > max(0, start - 40):
        before = lowered[first - 1]
        if not before.isalnum() and before not in "_-.":
            break
        first -= 1
    return lowered[first:start]


def _names_secret(name: _Name, left: str) -> bool:
    if name.stem == "key":
        return name.in_url or left.rstrip(" _-.").endswith(KEY_OWNERS)
    if name.stem in ("pass", "pwd", "pw", "senha") and not name.rest:
        return not name.owner or name.owner[-1] in "_-."
    return True


def _judged(
    text: str, name: _Name, kind: str, right: re.Match[str]
) -> Iterator[tuple[int, int, str]]:
    """Yield the value's span when it is a secret under such a name."""
    if right["quoted"]:
        start = right.start("quoted")
        value = right["quoted"]
        alone = True
    else:
        start = right.start("bare")
        value = _until_next(right["bare"], name)
        alone = _ends(text, start + len(value))
        value = value.rstrip(".,;:)]}*\\&")
    end = start + len(value)
    is_secret_key = (
        "secret" in name.owner + name.stem and "key" in name.rest + name.stem
    )
    if is_secret_key and _is_aws_secret(value):
        yield start, end, AWS_SECRET
    elif _is_value(value, name, kind, alone=alone):
        if name.in_url:
            kind = f"{kind} in a URL"
        yield start, end, kind


def _until_next(value: str, name: _Name) -> str:
    """Return *value* up to where another assignment follows without a space."""
    if name.in_url:
        return re.split("[&#]", value, maxsplit=1)[0]
    return re.split(_NEXT, value, maxsplit=1)[0]


def _is_value(value: str, name: _Name, kind: str, *, alone: bool) -> bool:
    has_blanks = value.split() != [value]
    if len(value) < name.least or has_blanks or is_placeholder(value):
        return False
    if _is_thing(value, name):
        return False
    if kind == PASSWORD:
        return _is_password(value, name, alone=alone)
    if len(value) < 8 or len(set(value)) < 6:
        return False
    if _may_be_plain_id(name) and len(value) < 16:
        return False
    return mixed(value)


def _is_thing(value: str, name: _Name) -> bool:
    """Tell whether *value* names a thing, as such a name is often told."""
    if name.in_place:
        return not _mixes_all(value) or is_name(value)
    return name.least == _LEAST_OF_AN_OWNER and is_name(value)


def _mixes_all(value: str) -> bool:
    """Tell whether *value* has capitals, small letters and digits."""
    return mixed(value) and value not in (value.lower(), value.upper())


def _may_be_plain_id(name: _Name) -> bool:
    """Tell whether *name* is the ?key= of an address, which is often no secret."""
    return name.in_url and name.stem == "key" and not name.owner


def _is_password(value: str, name: _Name, *, alone: bool) -> bool:
    is_bare_pass = name.stem == "pass" and not name.rest
    weak_name = name.stem in ("pwd", "pw") or is_bare_pass
    if alone and name.sign in _EQUALS and not weak_name:
        return True
    return len(value) >= 6 and mixed(value)


def _ends(text: str, position: int) -> bool:
    """Tell whether the statement ends here: at the line's end, a comment, a comma or a bracket."""
    rest = text[position : position + 20].split("\n", 1)[0].lstrip(" \t\r")
    return not rest or rest[0] in ",;&|#/)]}<*\\\"'`"


def _is_aws_secret(value: str) -> bool:
    if re.fullmatch(r"[A-Za-z0-9/+]{40}", value) is None:
        return False
    return mixed(value) and not value.islower()
