"""Where somebody works, told without "works", and German verbs with a part at the end."""

import pytest

from companion.language.claims.extract import LightExtractor

AT = "2026-09-28T08:00:00.000000Z"


def keys(text: str) -> dict[str, str]:
    """Return what *text* says by its matter."""
    claims = LightExtractor().extract(text, event_time=AT)
    return {one.key[1]: one.object for one in claims}


@pytest.mark.parametrize(
    "text",
    [
        "Nora started as a nurse at the Charité.",
        "Nora has begun as a nurse at the Charité.",
        "Nora works as a nurse at the Charité.",
    ],
)
def test_who_starts_as_something_works_there(text: str) -> None:
    assert keys(text) == {"work as": "nurse", "work for": "Charité"}


@pytest.mark.parametrize(
    "text",
    [
        "Nora hat als Ärztin an der Charité angefangen.",
        "Nora fängt als Ärztin an der Charité an.",
        "Nora arbeitet als Ärztin an der Charité.",
    ],
)
def test_wer_als_etwas_anfängt_arbeitet_dort(text: str) -> None:
    assert keys(text) == {"arbeiten als": "Ärztin", "arbeiten bei": "Charité"}


@pytest.mark.parametrize(
    ("text", "matter", "where"),
    [
        ("Nora has a new job at Siemens.", "work for", "Siemens"),
        ("Jonas hat eine neue Stelle bei Brandl.", "arbeiten bei", "Brandl"),
    ],
)
def test_who_has_a_job_somewhere_works_there(
    text: str, matter: str, where: str
) -> None:
    assert keys(text) == {matter: where}


@pytest.mark.parametrize(
    "text",
    [
        "The film started as a comedy at the Odeon.",
        "Nora has a new coat at Siemens.",
        "Tom ist größer als Anna.",
        "Er kam, als Anna ging.",
    ],
)
def test_other_starts_and_havings_are_no_work(text: str) -> None:
    matters = keys(text)
    assert not {"work for", "work as", "arbeiten bei", "arbeiten als"} & set(
        matters
    )


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Nora fängt bei Siemens an.", "anfangen bei"),
        ("Wir ziehen nach Kiel um.", "umziehen nach"),
        ("Sabine ist nach Kiel gezogen und macht Pause.", "ziehen nach"),
        ("Smoker liegt im Schuppen, Feuerzeug daneben.", "liegen im"),
    ],
)
def test_a_german_verb_is_put_together(text: str, matter: str) -> None:
    assert list(keys(text)) == [matter]


def test_a_strong_past_is_a_verb() -> None:
    assert keys("Der Schwarm hing in der Kirsche.") == {"hängen in": "Kirsche"}
