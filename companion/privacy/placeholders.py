"""Tell a secret's value from a placeholder: `password: required`, `token = get()`."""

import re

# Words that describe a password, say where it is, or are the usual examples of one.
_WORDS = """
    1password admin any args argv auto azure bar base64 basic baz bcrypt bearer bitwarden blank
    bool boolean bytes changed changeme char config configured correct credentials dashlane data
    default deleted disabled dummy empty enabled encrypted env environ environment erforderlich
    event example expired expires false file fixme foo foobar forgotten form free generated
    getpass given hashed here hidden incorrect input int integer invalid json keepass keepassxc
    keychain keyring kwargs lastpass leaked locked login manager mandatory masked memorised
    memorized missing mixed must n/a needed never none null number oauth2 object onepassword
    optional pass passphrase passwd password passwords pending plain plaintext private prompt
    protected public pwd random recovered redacted rejected removed requerida request required
    reset revoked rotated same sample saved secret secrets secretstr secure shared some stored
    str string strong tbd test tester testing text todo token tokens true type unchanged
    undefined unknown unset updated used user user_password valid value varchar various vault
    weak wrong yes
"""
# Each alternative must match the whole value, in lower case.
_PLACEHOLDERS = (
    # brackets, variables, tags and references of configuration languages
    r"[<\[({].*", r"\$(?:[{(].*|[a-z_]+)", r"%[a-z_]+%", r"[@#]\{.*", r"&[a-z]+",
    r"!(?:vault|secret|env|ref|sub|getatt|reference|envvar)\b.*",
    # addresses, digests, paths, file names
    r"[a-z][a-z0-9+.-]*://.*", r"(?:arn|vault|env|file|sha[0-9]+|md5|urn|data|op|ref|secret):.*",
    r"(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)*/?", r"~/.*", r"0x[0-9a-f]{40}",
    r"[\w.-]+\.(?:md|txt|py|js|ts|json|ya?ml|toml|env|pem|key|html?|pdf|png|svg"
    r"|go|rs|sh|sql|csv|kdbx?)",
    # what stands for a value or hides one
    r".*(?:x{4}|\*{3}|\.{3}|…|•|_{4}|<|example|placeholder|change[_-]?me|redacted|fixme).*",
    r"(?:(?:my|the|some|insert|replace|enter|put|add|use)[_-]?)?(?:your|ihr|dein|votre)"
    r"(?:[_-].*|(?:api|pass|secret|token|key).*)",
    r".*[_-]here",
    r"[a-z_-]*(?:passw(?:or)?d|secret|token|api[_-]?key)[a-z_-]*",
    # code: calls, subscripts, attributes, identifiers
    r"[a-z_]\w*(?:\.\w+)*[\[(].*", r"[a-z_]+(?:\.[a-z_]+)+", r"[a-z]*_[a-z_]*",
    # versions, dates, sizes and durations, names of algorithms
    r"v?[0-9]+(?:\.[0-9]+)+(?:[.-]?(?:rc|beta|alpha|dev|a|b|post)[.-]?[0-9]*)?",
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}.*)?",
    r"[0-9.]+-?(?:[kmgt]?b|s|ms|h|d|min|(?:day|hour|char|digit|bit|week|month|year)s?)",
    r"(?:sha|md|aes|rsa|base|utf|argon|bcrypt|pbkdf|hs|rs|es|ed)[_-]?[0-9]+.{0,12}",
    r"(?:word|seq|doc|text|img|obj)2[a-z]+",
)  # fmt: skip

_WORD = r"[A-Z]?(?=[a-z]{0,2}[aeiouy])[a-z]{3,}|(?=[A-Z]{0,2}[AEIOUY])[A-Z]{3,}"
# of the characters of a name in camel case; of what chance draws hardly any has so many in words
_LEAST_IN_WORDS = 0.6


def is_name(value: str) -> bool:
    """Tell whether *value*, in capitals and small letters, is put together from words."""
    if value in (value.lower(), value.upper()):
        return False
    in_words = sum(len(word) for word in re.findall(_WORD, value))
    return in_words >= _LEAST_IN_WORDS * len(value)


def is_placeholder(value: str) -> bool:
    """Tell whether *value* only stands for a secret, describes one or refers to one."""
    lowered = value.lower().strip("*_`")
    if lowered in _WORDS.split() or len(set(value)) < 3:
        return True
    return any(
        re.fullmatch(pattern, lowered, re.DOTALL) for pattern in _PLACEHOLDERS
    )
