"""German nouns in the genitive, as they stand in the nominative."""

import pytest

from companion.language.claims.extract import LightExtractor
from companion.language.words.genitives import find_nominative

AT = "2026-09-28T08:00:00.000000Z"


@pytest.mark.parametrize(
    ("genitive", "nominative"),
    [
        ("Hundes", "Hund"),
        ("Autos", "Auto"),
        ("Arztes", "Arzt"),
        ("Hauses", "Haus"),
        ("Käses", "Käse"),
        ("Gebäudes", "Gebäude"),
        ("Gerätes", "Gerät"),
        ("Gegenstandes", "Gegenstand"),
        ("Kindergeldes", "Kindergeld"),
        ("Ergebnisses", "Ergebnis"),
        ("Vornamens", "Vorname"),
        ("Sees", "See"),
        ("Campus", "Campus"),
        ("Jungen", "Jungen"),
    ],
)
def test_a_noun_stands_in_the_nominative(
    genitive: str, nominative: str
) -> None:
    assert find_nominative(genitive) == nominative
    assert find_nominative(genitive.lower()) == nominative.lower()


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Der Name des Hundes ist Bello.", "Hund"),
        ("Das Treffen des Imkervereins ist im Bürgerhaus.", "Imkerverein"),
        ("Das Passwort des neuen Routers ist tulpe.", "neuen Router"),
        # a person's name is left as it is
        ("Die Frau des Herrn Peters heißt Ute.", "Herrn Peters"),
        ("Der Hausmeister der Schule ist Herr Lang.", "Schule"),
    ],
)
def test_whose_it_is_is_named_in_the_nominative(text: str, thing: str) -> None:
    [claim] = LightExtractor().extract(text, event_time=AT)
    assert claim.subject == thing
