"""Find keys, tokens and passwords in a text before it is stored (TRI-6).

A note that holds no secret must cost next to nothing, so every rule starts from a plain substring,
and a pattern is compiled only when one was seen. Four families of rules:

*Formats* that say themselves what they are (`ghp_…`, a PEM block, a JSON web token, a password in a
URL).

*Assignments*, `password: …`, `api_key=…`, `token is …`, where only the name says it. A password may
be a plain word: `password: correcthorse` alone on its line, or quoted, is taken for one. Where
prose follows (`password: see vault`), and after `is`, `pass` and `pwd`, the value must mix letters
and digits; tokens, keys and other secrets must also have eight characters, six of them different.
Placeholders (`<password>`, `$PASSWORD`, `xxxx`, `changeme`, `your-key-here`), words that describe
(`required`, `unchanged`), references of code (`os.environ[…]`, `config.password`, `get()`),
addresses and paths are none. Known misses, accepted: passphrases of several words, and secrets that
nothing names.

*Commands* that take a password: `curl -u ada:…`, `mysql -p…`, a line of a netrc.

*Providers*: some four hundred formats more, as data (`provider_rules`).

Zero-width characters and full-width forms do not hide a secret: the scan reads past them, positions
do not move.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from companion import json_text
from companion.privacy import AWS_SECRET, KEY_OWNERS, PASSWORD, mixed, places
from companion.privacy.hidden_words import ZERO_WIDTH
from companion.tuples import NamedTuple


class Secret(NamedTuple):
    """A place in a text that should not be stored; it never carries the secret itself."""

    kind: str
    line: int  # 1-based; lines end with a line feed
    column: int  # 1-based, in characters
    start: int
    end: int


# Start, end and kind: not one more NamedTuple, each costs a cold capture a quarter of a
# millisecond.
_Span = tuple[int, int, str]


def find(text: str) -> list[Secret]:
    """Return every secret in *text*, in order, without overlaps."""
    scan = text
    place: Callable[[int], int] = _same
    if not text.isascii():
        scan, place = _plain(text)
    lowered = _lower(scan)
    spans: list[_Span] = []
    for rule in _RULES:
        spans += rule(scan, lowered)
    if not spans:
        return []
    return _placed(text, _merged(spans), place)


def redact(text: str, secrets: list[Secret]) -> str:
    """Return *text* with each of *secrets* (as `find` gave them) replaced by `[redacted:
    <kind>]`.
    """
    parts, last = [], 0
    for secret in secrets:
        parts += [text[last : secret.start], f"[redacted: {secret.kind}]"]
        last = secret.end
    return "".join([*parts, text[last:]])


def _merged(spans: list[_Span]) -> list[_Span]:
    """Join spans that overlap; the earlier rule, the more exact one, names the kind."""
    merged: list[tuple[int, _Span]] = []
    for ranked in sorted(enumerate(spans), key=lambda ranked: ranked[1][0]):
        if merged and ranked[1][0] < merged[-1][1][1]:
            merged[-1] = _joined(merged[-1], ranked)
        else:
            merged.append(ranked)
    return [span for _, span in merged]


def _joined(
    first: tuple[int, _Span], second: tuple[int, _Span]
) -> tuple[int, _Span]:
    """Return one ranked span in place of two that overlap; *first* starts first."""
    rank, (_, _, kind) = min(first, second, key=lambda ranked: ranked[0])
    start, end, _ = first[1]
    return rank, (start, max(end, second[1][1]), kind)


def _placed(
    text: str, spans: list[_Span], place: Callable[[int], int]
) -> list[Secret]:
    secrets = []
    line = 1
    counted = 0  # up to where lines are counted
    for first, last, kind in spans:
        start = place(first)
        # The last character's place plus one, so that hidden characters after a secret stay.
        end = place(last - 1) + 1
        line += text.count("\n", counted, start)
        counted = start
        column = start - text.rfind("\n", 0, start)
        secrets.append(Secret(kind, line, column, start, end))
    return secrets


# --- Reading past hidden characters

_WIDE = "\uff01-\uff5e"
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def _same(position: int) -> int:
    return position


def _plain(text: str) -> tuple[str, Callable[[int], int]]:
    """Return *text* as it reads, and the function that leads from its positions back."""
    if not re.search(f"[{ZERO_WIDTH}{_WIDE}]", text):
        return text, _same
    hidden = [m.start() for m in re.finditer(f"[{ZERO_WIDTH}]", text)]
    plain = re.sub(f"[{ZERO_WIDTH}]", "", text).translate(_NARROW)
    shifted = [start - count for count, start in enumerate(hidden)]

    def place(position: int) -> int:
        """Return the position in *text* of a *position* in the plain text."""
        return position + bisect_right(shifted, position)

    return plain, place


# --- Formats

_B62 = "[A-Za-z0-9]"
_B64 = "[A-Za-z0-9_-]"
_AWS = "AWS access key id"
_GITHUB = "GitHub token"
_GITLAB = "GitLab token"
_STRIPE = "Stripe key"
_OPENAI = "OpenAI key"
_OPENAI_BODY = (
    f"(?:(?:proj|svcacct|admin|or-v1|None)-{_B64}{{16,255}}"
    f"|(?=[A-Za-z]*[0-9]){_B62}{{16,255}})"
)

# Prefix, what must follow it, kind. Real lengths are fixed, but a key with a letter lost is still a
# leak.
_FORMATS = (
    ("AKIA", f"[A-Z0-9]{{16}}(?!{_B62})", _AWS),
    ("ASIA", f"(?=[A-Z]*[0-9])[A-Z0-9]{{16}}(?!{_B62})", _AWS),
    ("ghp_", f"{_B62}{{30,255}}", _GITHUB),
    ("gho_", f"{_B62}{{30,255}}", _GITHUB),
    ("ghs_", "[A-Za-z0-9_.-]{30,1000}", _GITHUB),
    ("ghu_", f"{_B62}{{30,255}}", _GITHUB),
    ("ghr_", f"{_B62}{{30,255}}", _GITHUB),
    ("github_pat_", "[A-Za-z0-9_]{30,255}", _GITHUB),
    ("glpat-", "[A-Za-z0-9_.-]{18,255}", _GITLAB),
    ("gldt-", f"{_B64}{{18,255}}", _GITLAB),
    ("glrt-", "[A-Za-z0-9_.-]{18,255}", _GITLAB),
    ("glptt-", f"{_B64}{{18,255}}", _GITLAB),
    ("xox", "(?=[A-Za-z-]*[0-9])[abeoprs](?:-[0-9])?-[A-Za-z0-9-]{10,255}", "Slack token"),
    ("xapp-", "[0-9]-[A-Za-z0-9-]{10,255}", "Slack token"),
    ("hooks.slack.com/", "(?:services|workflows)/[A-Za-z0-9/]{20,255}", "Slack webhook"),
    ("sk_live_", f"{_B62}{{10,255}}", _STRIPE),
    ("rk_live_", f"{_B62}{{10,255}}", _STRIPE),
    ("sk_test_", f"{_B62}{{10,255}}", _STRIPE),
    ("rk_test_", f"{_B62}{{10,255}}", _STRIPE),
    ("whsec_", "[A-Za-z0-9+/=]{24,255}", "Stripe webhook secret"),
    ("sk-ant-", f"{_B64}{{10,255}}", "Anthropic key"),
    ("sk-", _OPENAI_BODY, _OPENAI),
    ("AIza", f"{_B64}{{30,60}}", "Google API key"),
    ("GOCSPX-", f"{_B64}{{20,60}}", "Google client secret"),
    ("ya29.", f"{_B64}{{20,2000}}", "Google access token"),
    ("npm_", f"{_B62}{{30,60}}", "npm token"),
    ("pypi-", f"Ag{_B64}{{30,1000}}", "PyPI token"),
    ("hf_", f"{_B62}{{30,60}}", "Hugging Face token"),
    ("gsk_", f"{_B62}{{40,80}}", "Groq key"),
    ("SG.", rf"{_B64}{{16,64}}\.{_B64}{{16,128}}", "SendGrid key"),
    ("dop_v1_", "[a-f0-9]{40,80}", "DigitalOcean token"),
    ("AGE-SECRET-KEY-1", "[A-Z0-9]{40,80}", "age secret key"),
)  # fmt: skip
_SHORTEST = 15  # of all formats, prefix included
# before short words that open an account, alone or together
_OPENING = (
    "passwor", "passphrase", "kennwort", "2fa", "totp", "authenticator",
    "seed ", "recovery", "mnemonic", "backup code", "backup-code", "wiederherstellung",
)  # fmt: skip


def _formats(text: str, _: str) -> Iterator[_Span]:
    words = _long_words(text)
    if not words:
        return
    for prefix, body, kind in _FORMATS:
        if prefix in words:
            yield from _format(text, prefix, re.compile(body), kind)


def _format(
    text: str, prefix: str, body: re.Pattern[str], kind: str
) -> Iterator[_Span]:
    for start in places(text, prefix):
        if not _begins(text, start):
            continue
        found = body.match(text, start + len(prefix))
        if found and len(set(found[0])) > 4:
            yield start, found.end(), kind


def _long_words(text: str) -> str:
    """Return a much smaller text that still holds every word long enough for a format."""
    if len(text) > 100_000:
        return text
    return " ".join([word for word in text.split() if len(word) >= _SHORTEST])


def _begins(text: str, start: int) -> bool:
    """Return whether a word begins at *start*; an escape (`\\n`, `%3D`) may stand before it."""
    if not start or not (text[start - 1].isalnum() or text[start - 1] in "_-"):
        return True
    return (
        text[max(start - 2, 0) : start] in ("\\n", "\\r", "\\t")
        or text[max(start - 3, 0)] == "%"
    )


_AWS_SECRET_BODY = r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"


def _aws_secrets(text: str, _: str) -> Iterator[_Span]:
    """Yield the secret that stands near its access key id: no name announces it in the console's
    CSV.
    """
    for start in places(text, "AKIA"):
        near = re.compile(_AWS_SECRET_BODY)
        for found in near.finditer(text, start + 20, start + 200):
            if mixed(found[0]) and not found[0].islower():
                yield found.start(), found.end(), AWS_SECRET


def _private_keys(text: str, _: str) -> Iterator[_Span]:
    """Yield private key blocks."""
    if "-----BEGIN " in text:
        # only a suspect pays for its patterns
        from companion.privacy.private_keys import find_private_keys

        yield from find_private_keys(text)


_JWT = rf"({_B64}{{10,2000}})\.{_B64}{{4,20000}}\.{_B64}{{4,4000}}"


def _web_tokens(text: str, _: str) -> Iterator[_Span]:
    """Yield JSON web tokens: three base64url parts, the first of them a JSON object that names an
    algorithm.
    """
    for start in places(text, "eyJ"):
        if not _begins(text, start):
            continue
        found = re.compile(_JWT).match(text, start)
        if found and _is_jwt_header(found[1]):
            yield start, found.end(), "JSON web token"


def _is_jwt_header(part: str) -> bool:
    import binascii

    try:
        padded = part.translate({45: "+", 95: "/"}) + "=" * (-len(part) % 4)
        header = json_text.loads(binascii.a2b_base64(padded))
    # not base64, not UTF-8, not JSON: something else that begins with eyJ
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header


_URL_PASSWORD = r"://[^\s/?#:@]{0,256}:([^\s/?#]{1,512})@[^\s@]"


def _url_passwords(text: str, _: str) -> Iterator[_Span]:
    """Yield the password of `scheme://user:password@host`, but not the words `password` and
    `pass`: they are examples.
    """
    if "@" not in text:
        return
    for start in places(text, "://"):
        found = re.compile(_URL_PASSWORD).match(text, start)
        if found and not stands_for_one(found[1]):
            yield found.start(1), found.end(1), "password in a URL"


_HEADER = (
    r"(?:\bbearer|authorization[\\\"']{0,2}[ \t]{0,4}[:=][ \t]{0,4}[\\\"']{0,2}(?:basic|token))"
    r"[ \t]{1,4}([a-z0-9._~+/-]{8,8000}=*)"
)


def _headers(text: str, lowered: str) -> Iterator[_Span]:
    """Yield the values of `Bearer …` and `Authorization: Basic …`."""
    if "bearer" not in lowered and "authorization" not in lowered:
        return
    for found in re.finditer(_HEADER, lowered):
        start, end = found.span(1)
        value = text[start:end]
        kind, shortest = "authorization header", 8
        if found[0].startswith("bearer"):
            kind, shortest = "bearer token", 16
        long_enough = len(value) >= shortest
        if long_enough and mixed(value) and not stands_for_one(value):
            yield start, end, kind


#: commands that take a password, and the first word of a netrc's line
_COMMANDS = (
    "curl", "wget", "mysql", "sshpass", "redis-cli", "docker", "smbclient", "machine",
)  # fmt: skip


def _commands(text: str, lowered: str) -> Iterator[_Span]:
    """Yield the passwords that a command is given, as in `curl -u ada:…`."""
    if any(name in lowered for name in _COMMANDS):
        # only a suspect pays for its patterns
        from companion.privacy.secret_commands import find_in_commands

        yield from find_in_commands(text, lowered)


# --- Assignments

_STEMS = {
    **dict.fromkeys(
        (
            "pass",
            "pwd",
            "pw",
            "kennwort",
            "mot de passe",
            "wachtwoord",
            "senha",
            "contrase",
        ),
        PASSWORD,
    ),
    "secret": "secret",
    "token": "token",
    "key": "API key",
}
_FOREIGN_STEMS = (
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "hasło",
    "lösenord",
    "netzwerkschlüssel",
    "wlan-schlüssel",
)
_SIGNS = (":", "=", "|", "->", "→", " is ", " was ", " ist ", " lautet ")


def _assignments(text: str, lowered: str) -> Iterator[_Span]:
    stems = dict(_STEMS)
    if not text.isascii():
        # One character is found several times faster than a word.
        stems |= {
            stem: PASSWORD for stem in _FOREIGN_STEMS if stem[0] in lowered
        }
    for stem, kind in stems.items():
        starts = places(lowered, stem)
        if any(_may_name(lowered, start, stem) for start in starts):
            # only a suspect pays for its patterns
            from companion.privacy.secret_assignments import assigned

            yield from assigned(text, lowered, stem, kind)


def _may_name(lowered: str, start: int, stem: str) -> bool:
    """Return, cheaply and generously, whether the stem at *start* may be a name that something is
    given to.
    """
    if stem == "key":
        before = lowered[max(start - 14, 0) : start].rstrip(" _-.")
        if not before.endswith((*KEY_OWNERS, "?", "&")):
            return False
    end = start + len(stem)
    line = lowered[end : end + 100].partition("\n")[0]
    word_goes_on = line[:1].isalpha() and stem in ("pass", "pw", "token", "key")
    if word_goes_on and not line.startswith(("w", "phrase", "code")):
        return False
    if any(sign in line for sign in _SIGNS):
        return True
    return "--" in lowered[max(start - 40, 0) : start]


def stands_for_one(value: str) -> bool:
    """Return whether *value* only stands where a secret would be."""
    # only a suspect pays for its many patterns
    from companion.privacy.placeholders import is_placeholder

    return is_placeholder(value)


def _lower(text: str) -> str:
    # U+0130 is the one character whose lower case is longer: it would move every position after it.
    return text.replace("\u0130", "I").lower()


def _providers(text: str, lowered: str) -> Iterator[_Span]:
    """Yield what a rule of some four hundred providers finds, where any word could be a key."""
    if _may_hold_key(text, lowered):
        # only a suspect pays for reading the rules
        from companion.privacy.provider_rules import find_provider_secrets

        yield from find_provider_secrets(text, lowered)


def _may_hold_key(text: str, lowered: str) -> bool:
    """Tell whether a word is long enough for a key, or words stand here that open an account."""
    if any(words in lowered for words in _OPENING):
        return True
    return any(
        len(word) > _SHORTEST and not word.isalpha() for word in text.split()
    )


_RULES: tuple[Callable[[str, str], Iterator[_Span]], ...] = (
    _private_keys,
    _formats,
    _aws_secrets,
    _web_tokens,
    _url_passwords,
    _headers,
    _assignments,
    _commands,
    _providers,
)
