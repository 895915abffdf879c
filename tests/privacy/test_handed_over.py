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


# everyday notes; the wide rules of first refused most of them
KEPT = (
    "Passwort Office365-Konto geändert",
    "Passwort FRITZ!Box7590 steht unten am Gerät",
    "Passwort iPhone15Pro vergessen",
    "Passwort WLAN-Gast2 auf dem Zettel",
    "Passwort A1-Telekom: anrufen",
    "password KeePassXC-2.7 stores them now",
    "Password 8-12Zeichen reichen nicht",
    "Passwort Windows11-Laptop neu gesetzt.",
    "Report-2024-Q3-Final.pdf is the file with the key figures",
    "Protokoll_2024-05-12_v2.docx ist das Protokoll zum Passwort",
    "github.com/Acme/app1/pull/42 is the change to the keyboard",
    "Foto_IMG2024-05-Abend1.jpg ist das Foto der Monkey Bar",
    "Room4B-Floor2-House7 is the room with the keyboard",
    "The project key is COMP-12345",
    "Project key: COMPANION2 in Jira",
    "project key = COMP2024",
    "The admin key is B12-Keller now",
    "Server key is Schrank-4b left",
    "Kennwort im Roman: Sesam",
    "Passwort am Empfang: nachfragen",
    "Das Passwort beim Kunden: Termin",
    "Passwort im Tresor: Kuvert",
    "password from Tom: waiting",
    "token in use: JWT-RS256",
    "secret in the sauce: paprika2go",
    "https://github.com/octocat/webhook/commit/7fd1a60b01f91b314f59955a4e4d4e80d8edf11d",
    "https://docs.example.com/webhooks/v2/oauth2",
    "https://pre-commit.com/hooks/v4/flake8",
    "https://react.dev/reference/hooks/react19/useState2",
    'curl -s -D - -o /dev/null -w "%{http_code}" https://x.example',
    "docker run -D --rm -w /workspace/app",
    "mvn clean install -PJdk17Release",
    "mvn package -PspringBoot3",
    "gradle -PreleaseV2Build assemble",
    "2FA: dial 2345 then wait for the beep",
    "2FA code goes to 2345 6767 2323 5454",
    "Password and 2FA: card 4532 7756 2345 6767",
    "2FA: also geht auch iOS7 wohl",
    "self._auth = AuthenticationManager(config)",
    '{"auth": "clientCredentialsFlow"}',
    "'auth': 'django/contrib/auth/middleware'",
    "Authorization: docs/oauth2/authorization-flow.md",
    "Authorization: RFC7235-section-4.2-header",
    "key-value: Redis7-Store-Benchmark",
    "Key-Value: DynamoDB-Tabelle2024",
    "ssh_key_old: /home/Anna/keys/id2_main",
    'Token - "button-padding-large-16px-mobile"',
    'getString("pref_key", "DefaultValueV2Setting")',
    'os.environ.get("TOKEN", "/etc/App/config2.yaml")',
    "Passwort WLAN2Gast5GHz",
    "Passwort USB3Stick2TB",
    "Authorization: OAuth2AuthorizationCodeFlow",
    "server key: ServerRoomKeyBoxNumber42b",
    "token in GitHub: ReadOnlyToken2024",
    "MyBigFile2024Version3Final is the key to success",
    'setItem("token", "MyAppTokenStorage1")',
    "Key = iPhone15ProMaxSiliconeCaseBlack",
)


@pytest.mark.parametrize("text", KEPT)
def test_an_everyday_note_is_kept(text: str) -> None:
    assert find(text) == []
