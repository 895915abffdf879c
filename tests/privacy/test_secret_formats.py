"""Secrets: what is found and where, and above all what is not taken for one."""

import base64
import json
import string
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.privacy.secret_formats import find, redact


def _letters(n: int) -> str:
    """Characters that look random and are the same in every run; made here, so that no scanner
    trips on us.
    """
    alphabet = string.ascii_letters + string.digits
    return "".join(alphabet[(7 * i * i + 11 * i + 5) % 62] for i in range(n))


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _part(value: object) -> str:
    return (
        base64.urlsafe_b64encode(json.dumps(value).encode())
        .decode()
        .rstrip("=")
    )


JWT = f"{_part({'alg': 'HS256', 'typ': 'JWT'})}.{_part({'sub': '1234567890'})}.{_letters(43)}"
AWS_SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


def _pem(kind: str, line_end: str = "\n") -> str:
    return line_end.join(
        (
            f"-----BEGIN {kind}-----",
            _letters(64),
            _letters(20),
            f"-----END {kind}-----",
        )
    )


FORMATS = [
    ("AKIA" + "IOSFODNN7EXAMPLE", "AWS access key id"),
    ("ASIA" + "Y34FZKBOKMUTVV7A", "AWS access key id"),
    *[(f"gh{c}_{_letters(36)}", "GitHub token") for c in "pousr"],
    (f"github_pat_{_letters(22)}_{_letters(59)}", "GitHub token"),
    (f"glpat-{_letters(20)}", "GitLab token"),
    (f"xoxb-{'1234567890'}-{_letters(24)}", "Slack token"),
    (f"sk_live_{_letters(24)}", "Stripe key"),
    (f"rk_live_{_letters(24)}", "Stripe key"),
    (f"sk-{_letters(48)}", "OpenAI key"),
    (f"sk-proj-{_letters(60)}", "OpenAI key"),
    (f"sk-ant-api03-{_letters(80)}", "Anthropic key"),
    (f"AIza{_letters(35)}", "Google API key"),
    (f"npm_{_letters(36)}", "npm token"),
    (f"pypi-AgEIcHlwaS5vcmc{_letters(80)}", "PyPI token"),
    (f"hf_{_letters(34)}", "Hugging Face token"),
    (JWT, "JSON web token"),
    (_pem("RSA PRIVATE KEY"), "private key"),
    (_pem("OPENSSH PRIVATE KEY", "\r\n"), "private key"),
    (_pem("PRIVATE KEY", "\\n"), "private key"),
]


@pytest.mark.parametrize(("secret", "kind"), FORMATS)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "see ({}).",
        "a line\n\n  - `{}`, rotated\nmore",
        '{{"x":"{}"}}',
        "key={}",
    ],
)
def test_finds_what_says_itself_what_it_is(
    secret: str, kind: str, around: str
) -> None:
    text = around.format(secret)
    start = text.index(secret)

    (found,) = find(text)

    assert (found.kind, found.start, found.end) == (
        kind,
        start,
        start + len(secret),
    )
    assert text.split("\n")[found.line - 1][found.column - 1 :].startswith(
        secret.split("\n")[0]
    )
    assert redact(text, [found]) == around.format(f"[redacted: {kind}]")


@pytest.mark.parametrize(
    ("before", "secret", "after", "kind"),
    [
        ("password: ", "correcthorse", "", "password"),
        ("**Password:** ", "hunter2", "\n", "password"),
        ("**password**: ", "hunter2", "", "password"),
        ("- wifi password: `", "hunter2", "`", "password"),
        ("The wifi password is ", "Sunflower42!", "", "password"),
        ("Password for the router: ", "hunter2x", "", "password"),
        ("| password | ", "hunter2", " |", "password"),
        ('{"user":"bob","password":"', "hunter2", '","x":1}', "password"),
        ("DB_PASSWORD=", "hunter2", " # prod", "password"),
        ("login: bob, password: ", "hunter2", ", host: db", "password"),
        ("mysqldump --password ", "hunter2", " db", "password"),
        ("password: ", "12345678", "", "password"),
        ("password:: ", "hunter2", "", "password"),
        ("token=", _letters(9000)[:4096], _letters(9000)[4096:], "token"),
        ("a=b&password=", "hunter2", "&c=d", "password in a URL"),
        ('config["password"] = "', "hunter2", '"', "password"),
        ("user: bob pass: ", "hunter2", " ok", "password"),
        ("Passwort: ", "Sommer2026", "", "password"),
        ("contraseña: ", "hola1234", "", "password"),
        (f"密码{_wide(':')}", "abc12345", "", "password"),
        ("пароль: ", "abc12345", "", "password"),
        ("api_key: ", "abcdef123456", "", "API key"),
        ("the API key is ", "abcdef123456", ", keep it", "API key"),
        ("apiKey: '", "abcdef123456", "'", "API key"),
        ("client_secret = '", "9a8b7c6d5e4f", "'", "secret"),
        ("export GITHUB_TOKEN=", "9a8b7c6d5e4f3a2b", "", "token"),
        ("token: ", "550e8400-e29b-41d4-a716-446655440000", "", "token"),
        ("aws_secret_access_key = ", AWS_SECRET, "", "AWS secret access key"),
        ('"SecretAccessKey": "', AWS_SECRET, '"', "AWS secret access key"),
        ("Authorization: Bearer ", "abcdefgh12345678", "", "bearer token"),
        (
            "-H 'authorization: Basic ",
            "dXNlcjpwYXNzd29yZA==",
            "'",
            "authorization header",
        ),
        ("postgres://app:", "hunter2", "@db:5432/x", "password in a URL"),
        ("https://bob:", "p@ss:w0rd", "@example.com/", "password in a URL"),
        (
            "https://x.io/?access_token=",
            "abc123def456",
            "&page=1",
            "token in a URL",
        ),
        ("https://x.io/a?b=1&token=", "9f8e7d6c5b4a", "", "token in a URL"),
        ("<https://x.io/?api_key=", "abcdef123456", ">", "API key in a URL"),
        ("curl -s -u ada:", "hunter22x", " https://x.io", "password"),
        ("run `mysql -u root -p", "hunter22x", " notes`", "password"),
        ("sshpass -p ", "hunter22x", " ssh ada@desk", "password"),
        ("docker login -u ada -p ", "hunter22x", " x.io", "password"),
        (
            "machine x.io\n  login ada\n  password ",
            "hunter22x",
            "\n",
            "password",
        ),
        ("the pushover token ", "azGDORePK8gMaC0QOYAMyEEu", "", "named token"),
    ],
)
def test_finds_what_is_named(
    before: str, secret: str, after: str, kind: str
) -> None:
    text = before + secret + after

    (found,) = find(text)

    assert (found.kind, text[found.start : found.end]) == (kind, secret)


@pytest.mark.parametrize(
    "text",
    [
        "the password is required",
        "password: see vault",
        "password reset",
        "Password: at least 12 characters",
        "password: <password>",
        "password=$PASSWORD",
        "password: ${DB_PASSWORD}",
        "password: xxxx",
        "password: ****",
        "password: changeme",
        "password: example",
        "password: required",
        "password: str",
        "password: str | None = None",
        "password = getpass()",
        "password = os.environ['DB']",
        "password: config.db.password",
        "password_hash: a1b2c3d4e5",
        "password: !vault abc",
        "password: {{ vault_db }}",
        "password: [[Vault]]",
        "[[password]]: see there",
        "password: https://vault.example.com/x",
        "password: ~/.secrets/db",
        "passwords: alpha, beta",
        "token: expired",
        "max_tokens: 4096",
        "token_count: 120000",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "token = secrets.token_hex(32)",
        "token: 0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "token: v1.2.3-rc1",
        "token: 2026-03-01T10:00",
        "secret: santa",
        "The secret: butter, and a lot of it",
        "api_key: your-api-key-here",
        "api_key: YOUR_API_KEY",
        "key: value12345",
        "the key is 3f2a9c8d7e6b",
        "keyboard: Keychron K2v2",
        "Monkey: 12abc34d",
        "passport: AB1234567",
        "compass: N1234567",
        "tests pass: 42/43",
        "Bearer authentication is used",
        "commit 3f2a9c8d7e6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000",
        "http://localhost:8080/@me",
        "ssh://git@github.com:22/x",
        "https://medium.com/@bob/12:30@home",
        "https://user:password@host/",
        "https://u:$PASS@host/",
        "git@github.com:bob/x.git",
        "me@example.com, http://x.y:80/z",
        "ghp_" + "x" * 36,
        "risk-assessment-of-2026-quarters",
        "sk-learn and sk-image-processing-2026",
        "Write `-----BEGIN PRIVATE KEY-----` first",
        "between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----",
        _pem("PUBLIC KEY"),
        _pem("CERTIFICATE"),
        f"{_letters(20)}.{_letters(20)}.{_letters(20)}",
        "eyJub3QiOiJhIGp3dCJ9.abcdefgh.ijklmnop",
        f"![](data:image/png;base64,{_letters(4000)}==)",
        "xoxb-your-slack-token",
        "npm_config_registry=https://x.y",
        "[redacted: password]: gone",
        "pwd: /home/bob/notes",
        "mysql -u root -p notes2",
        'curl -u "$USER:$PASS" https://x.io',
        "curl -u ada:<password> https://x.io",
        "the machine has a login, ask Ada2 for the password",
        "gpg key 0123456789ABCDEF0123456789ABCDEF01234567",
        "mongodb://user:password@localhost/test",
        "",
    ],
)
def test_is_not_alarmed(text: str) -> None:
    assert find(text) == []


def test_a_private_key_without_an_end_reaches_to_the_end() -> None:
    text = f"before\n-----BEGIN RSA PRIVATE KEY-----\n{_letters(64)}\n{_letters(10)}"

    (found,) = find(text)

    assert (found.line, found.column, found.end) == (2, 1, len(text))


def test_a_pgp_block_with_headers_and_quote_marks() -> None:
    head, end = (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "-----END PGP PRIVATE KEY BLOCK-----",
    )
    text = f"> {head}\n> Version: GnuPG v2\n>\n> {_letters(64)}\n> {end}"

    assert [found.kind for found in find(text)] == ["private key"]


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u00ad", "\ufeff", "\u2060", "\U000e0041"]
)
def test_hidden_characters_hide_nothing(hidden: str) -> None:
    text = f"é{hidden} password: hun{hidden}ter2{hidden} and ghp_{hidden}{_letters(36)}!"

    first, second = find(text)

    assert text[first.start : first.end] == f"hun{hidden}ter2"
    assert text[second.start : second.end] == f"ghp_{hidden}{_letters(36)}"
    assert find(redact(text, [first, second])) == []


def test_full_width_forms_hide_nothing() -> None:
    text = f"{_wide('password:')} {_wide('hunter2')} \u0130\u0130 token: abc12345XYZ"

    assert [text[found.start : found.end] for found in find(text)] == [
        _wide("hunter2"),
        "abc12345XYZ",
    ]


def test_lower_case_moves_no_position_but_for_the_one_letter_we_replace() -> (
    None
):
    longer = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if len(chr(code).lower()) != 1
    ]

    assert longer == ["\u0130"]


def test_the_secret_of_an_access_key_needs_no_name() -> None:
    text = f"AKIAIOSFODNN7EXAMPLE,{AWS_SECRET}\n"

    assert [found.kind for found in find(text)] == [
        "AWS access key id",
        "AWS secret access key",
    ]


snippets = st.sampled_from([secret for secret, _ in FORMATS])
named = st.sampled_from(
    [
        "password: hunter2",
        "token=9a8b7c6d5e4f",
        "https://a:hunter2@b.c/",
        "Bearer abcdefgh12345678",
    ]
)
noise = st.text(st.sampled_from("ab \n\"'`:=é\u200b\uff0e,;|*"), max_size=20)


@given(st.lists(st.one_of(snippets, named, noise), max_size=8).map(" ".join))
def test_redacting_leaves_nothing_and_keeps_the_rest(text: str) -> None:
    secrets = find(text)
    clean = redact(text, secrets)

    assert find(clean) == []
    assert all(a.end <= b.start for a, b in pairwise(secrets))
    kept = [text[a.end : b.start] for a, b in pairwise(secrets)]
    assert all(piece in clean for piece in kept)


@given(st.text())
def test_any_text_can_be_scanned(text: str) -> None:
    for secret in find(text):
        assert 0 <= secret.start < secret.end <= len(text)
        assert text[: secret.start].count("\n") == secret.line - 1


@pytest.mark.parametrize(
    "text",
    [
        "acme_kP4xTz81mQwL0vRbN7cYd2sHf9JgUe3A",
        "recovery codes: c950a-a44ad 7ac77-9f46c",
        f"seed phrase: {'abandon ability able about above absent ' * 2}",
        "WIFI:T:WPA;S:Home;P:kAv1YtFuko45;;",
    ],
)
def test_a_key_that_nobody_listed_is_known_by_its_habit(text: str) -> None:
    assert find(text)


@pytest.mark.parametrize(
    "text",
    [
        "thread_a8Jk2LmN0pQ4rS6tU8vW1xYz",
        "sha256-47DEQpj8HBSaTImW5JCeuQeRkm5NMpJWZG3hSuFUabc=",
        "test_theWholeOrderOf12MonthsIsReadAndWrittenBack2Times",
        "The recovery codes are in the blue folder.",
    ],
)
def test_a_name_of_a_thing_is_no_key(text: str) -> None:
    assert not find(text)


@pytest.mark.parametrize(
    "unit",
    [
        "password",
        "password:",
        "eyJ",
        "://",
        "://a:",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----\n",
        "AKIA",
        "sk-",
        "key=",
        "api_key: ",
        "a.",
        "bearer ",
        "eyJhbGciOi.",
        'token: "',
        "\u200b",
        "secret key ",
        "password for ",
        "key_a1",
        "recovery codes: 1234-5678 ",
        "seed phrase: abandon ",
        "cookie: sid=",
        "acme-",
        " -p aB3",
        " -D x -w ",
        "secret 2fa ABCD ",
        "'key', '",
        "key_data: aB3",
        "password aB3",
        "https://x/hooks/a1/",
        "authorization: a1",
        "aB3cD4eF5gH6iJ7kL8 is the ",
    ],
)
def test_hostile_repetition_stays_linear(unit: str) -> None:
    started = time.process_time()
    find(unit * (100_000 // len(unit)))

    assert time.process_time() - started < 1
