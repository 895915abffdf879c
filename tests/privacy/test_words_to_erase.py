"""Words to erase are found in every form a wiki may hold them in, and known again without being
kept.
"""

import json
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.language.headline import headline
from companion.language.names.naming_contradictions import name_contradiction
from companion.pages.names import slug
from companion.privacy import erased_words, words_to_erase
from companion.privacy.words_to_erase import TooShort, Words

KEY = bytes(range(32))
SECRET = 'Zebra-77 horse"staple'
MARK = "erased-2026-11-22-1a2b"

texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"),
    min_size=6,
    max_size=40,
).filter(
    lambda text: (
        sum(map(len, erased_words.tokens(text))) >= words_to_erase.LEAST
    )
)


def clean(text: str, secret: str = SECRET) -> str:
    return words_to_erase.cleaner([Words(secret, MARK)])(text.encode()).decode()


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        SECRET.upper(),
        json.dumps(SECRET),
        json.dumps(json.dumps(SECRET)),
        quote(SECRET),
        f"entries/{slug.slugify(SECRET)}.md",
        SECRET.replace(" ", "\n"),
    ],
)
def test_every_form_goes(form: str) -> None:
    secret = SECRET.replace(" ", "\n") if "\n" in form else SECRET
    cleaned = clean(f"before {form} after", secret)
    assert MARK in cleaned and "horse" not in cleaned.lower()
    assert cleaned.startswith("before ") and cleaned.endswith(" after")


def test_a_token_cut_in_a_title_goes_with_its_beginning() -> None:
    token = "ghp_" + "aB3" * 30
    assert clean(f"title: {token[:60]}\n", token) == f"title: {MARK}\n"
    assert (
        clean(f"{token[:10]} is no sign of it", token)
        == f"{token[:10]} is no sign of it"
    )


def test_the_mark_may_stand_anywhere() -> None:
    assert (
        slug.slugify(MARK)
        == MARK
        == json.loads(json.dumps(MARK))
        == quote(MARK)
    )


@pytest.mark.parametrize("text", ["", "a", "12345", "  -- !! "])
def test_what_would_be_found_everywhere_is_refused(text: str) -> None:
    with pytest.raises(TooShort):
        words_to_erase.require(text)


@given(before=st.text(max_size=20), secret=texts, after=st.text(max_size=20))
@example(before="", secret="\u017fecret-\u017f", after="")
def test_nothing_of_the_words_is_left(
    before: str, secret: str, after: str
) -> None:
    secret = secret.strip()
    data = f"{before} {secret} {after}".encode("utf-8", "replace")
    cleaned = words_to_erase.cleaner([Words(secret, MARK)])(data)
    assert (
        re.search(re.escape(secret.encode()), cleaned) is None or secret in MARK
    )


# -- the door --------------------------------------------------------------------------------------


@given(secret=texts, glue=st.sampled_from(["", " ", "x", "9=", "\n"]))
def test_words_are_known_again_wherever_they_stand(
    secret: str, glue: str
) -> None:
    known = [erased_words.remember(secret, MARK, KEY)]
    text = f"some {glue}{secret}{glue} more"
    found = list(erased_words.find(text, known, KEY))
    assert found, "it would come in again"
    left = erased_words.redact(text, known, KEY)
    assert not list(erased_words.find(left, known, KEY))


def test_the_record_says_nothing_without_the_key() -> None:
    item = erased_words.remember(SECRET, MARK, KEY)
    assert not list(
        erased_words.find(
            SECRET,
            [
                item._replace(
                    check=erased_words.remember(SECRET, MARK, bytes(32)).check
                )
            ],
            bytes(32),
        )
    )
    assert not list(erased_words.find(SECRET.replace("77", "78"), [item], KEY))
    assert item.hash == erased_words.keyed("zebra 77 horse staple", KEY)


def test_the_keyed_hash_is_hmac() -> None:
    import hashlib
    import hmac

    assert (
        erased_words.keyed("zebra", KEY)
        == hmac.new(KEY, b"zebra", hashlib.sha256).hexdigest()
    )


def test_titles_made_of_a_note_are_erased_with_it() -> None:
    """A page that contests is named by a clause of the note; a title once ended at "Dr"."""
    told = (
        "Rolf on the phone: the main water tap is out in the shaft by the gate."
    )
    enough = "One signature is enough for the keys of the main pharmacy."
    vet = "Our vet for all the animals is Dr. Wong. She is kind."
    made = name_contradiction(told, "The main water tap")

    assert made == "The main water tap (is out in the shaft by the gate)"
    named = name_contradiction(enough, "Keys of the main pharmacy")
    assert named == "Keys of the main pharmacy (One signature is enough)"
    for text, title in (
        (told, made),
        (enough, named),
        (told, headline(told)),
        (vet, headline(vet)),
        (vet, "Our vet for all the animals is Dr"),
    ):
        clean = words_to_erase.cleaner([Words(text, MARK)])
        assert MARK.encode() in clean(title.encode()), title


def _spread(text: str, hidden: str) -> str:
    return hidden.join(text)


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u00ad", "\u200d\u2060", "\ufe0f"]
)
@pytest.mark.parametrize(
    "form", [SECRET, json.dumps(SECRET)[1:-1], quote(SECRET)]
)
def test_words_with_characters_of_no_width_between_go(
    hidden: str, form: str
) -> None:
    spread = _spread(form, hidden)
    assert clean(f"a{hidden}b {spread} c") == f"a{hidden}b {MARK} c"


@pytest.mark.parametrize("write", [json.dumps, quote])
def test_what_hides_may_be_escaped(write: Callable[[str], str]) -> None:
    text = write(SECRET[:4] + "\u200b" + SECRET[4:])
    assert clean(text).strip('"') == MARK


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("hidden", ["", "\u200b"])
@pytest.mark.parametrize("before", ["", "Я", "# Door\r\n\r\n\U0001f511 "])
def test_a_page_in_utf_16_stays_one(
    encoding: str, hidden: str, before: str
) -> None:
    data = f"{before}{_spread(SECRET, hidden)} opens".encode(encoding)
    cleaned = words_to_erase.cleaner([Words(SECRET, MARK)])(data)
    assert cleaned.decode(encoding) == f"{before}{MARK} opens"


@given(st.binary(max_size=60))
def test_other_bytes_stay(data: bytes) -> None:
    assert words_to_erase.cleaner([Words(SECRET, MARK)])(data) == data


def test_words_given_with_hidden_characters_are_the_words() -> None:
    assert words_to_erase.require(_spread(SECRET, "\u200b")) == SECRET


@pytest.mark.parametrize("secret", ["Zebra77x", "Zebra-77 horse"])
def test_hidden_characters_bring_no_erased_words_back(secret: str) -> None:
    known = [erased_words.remember(secret, MARK, KEY)]
    text = f"it is {_spread(secret, chr(0x200B))}, no more"
    assert erased_words.redact(text, known, KEY) == f"it is {MARK}, no more"
    assert list(erased_words.find("ze\u200bbra crossing", known, KEY)) == []
