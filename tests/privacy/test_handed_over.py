"""Secrets of nobody's format, known by how they are handed over: a name, a header, a flag, a hook."""

import random
import string

import pytest

from companion.privacy.secret_formats import find

DICE = random.Random(28)
WORD = "aB3" + "".join(DICE.choices(string.ascii_letters + string.digits, k=21))
HEXADECIMAL = "".join(DICE.choices("0123456789abcdef", k=40))
BASE64 = "".join(DICE.choices(string.ascii_letters + "0123456789+/", k=43))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"set_option('SIGNING_SALT', '{WORD}')", WORD),
        (f"  secret_key_base: {HEXADECIMAL}", HEXADECIMAL),
        (f"client-key-data: {BASE64}", BASE64),
        (f"TOKEN_PROD={WORD}", WORD),
        (f'{{"host": {{"auth": "{BASE64}="}}}}', f"{BASE64}="),
        (f"authorization: {HEXADECIMAL}", HEXADECIMAL),
        (f"pack x -p{WORD} all.pack", WORD),
        (f"ask -H host -D cn=ada -w {WORD} -b dc=x", WORD),
        (f"Portal: Benutzer ada, Kennwort {WORD}", WORD),
        (f"Passwort im Ferienhaus: {WORD}", WORD),
        (f"vendor token - '{WORD.lower()}'", WORD.lower()),
        (f"[DEBUG] key = {WORD}", WORD),
        (f"{WORD} is the token of the deploy job", WORD),
        (f"{WORD} ist unser Passwort für den Drucker", WORD),
        (f"https://hooks.example.org/catch/12345/{WORD}", WORD),
        (f"https://example.org/api/webhooks/9876/{WORD}", WORD),
        (f'{{"kty": "EC", "x": "A", "d": "{WORD}{WORD}"}}', WORD + WORD),
        (f"Private-Lines: 1\n{BASE64}=", f"{BASE64}="),
        ("2FA secret key: QR7A BC2D EF3G HI4J", "QR7A BC2D EF3G HI4J"),
        ("nsec1" + "q2w3e4r5t6" * 5 + "y7u8p9a0", "nsec1"),
    ],
)
def test_what_is_handed_over_is_found(text: str, secret: str) -> None:
    found = "".join(text[one.start : one.end] for one in find(text))

    assert secret in found


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p Fotos2024Riva && cp -p Fotos2024Riva ziel",
        "docker run -p8080:80 -w /app notes",
        "Passwort KeePass2Android ist installiert",
        "das Kennwort steht im Tresor, Fach B12",
        "getenv('API_KEY', 'default-value-2024-x')",
        "setdefault('key', 'another_value_12345')",
        "key-value: apple2pearstone3plums",
        "cache_key_data: user_profile_page_2024_v2",
        "authorization: required for 2026-builds",
        "https://docs.example.org/webhooks/webhook-events2",
        "https://example.org/reference/hooks/useState2",
        "the token 2FA code must have been sent then they came",
        "my secret: four word game play will end here",
        f'{{"kty": "EC", "x": "{WORD}", "y": "{WORD}"}}',
        f"public_key_data: {HEXADECIMAL}",
        f"{WORD} is the public key of the server",
        "primary key: Orders-2026-Q3-Riva-North",
        "key: Fach-B12-Regal-3-Keller",
        f"cache key = {HEXADECIMAL}",
        f"public key: {WORD}",
        "CamelCaseNameWithDigits2 is the class of a key",
    ],
)
def test_what_only_looks_handed_over_is_kept(text: str) -> None:
    assert find(text) == []
