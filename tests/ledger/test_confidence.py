"""How sure a claim is: what raises it, what lowers it, and that the order of telling is none of it."""

from typing import Any

from companion.ledger.confidence import combine, weigh_telling
from companion.ledger.settlement import Rules
from companion.ledger.supersession import resolve
from companion.values.claims import Assertion

KEY = ("anna", "lives in")
CLASSES = [("registry", 1.5), ("gossip", 0.5)]
END = "2099"


def told(
    value: str, source: str, at: str = "2026-01-01", **more: Any
) -> Assertion:
    a = Assertion(
        f"{value}-{source}-{at}",
        KEY,
        value,
        at,
        more.pop("valid_from", "2026"),
        source=source,
        confidence=0.8,
        given=True,
        **more,
    )
    return weigh_telling(a, CLASSES)


def sure(*tellings: Assertion, known_at: str = END) -> Any:
    return combine(resolve(tellings, at=END, known_at=known_at, rules=Rules()))


def test_one_voice_is_as_sure_as_its_trust_class() -> None:
    assert sure(told("oslo", "mail")) == {"oslo": 0.8}
    assert sure(told("oslo", "registry"))["oslo"] > 0.8
    assert sure(told("oslo", "gossip"))["oslo"] < 0.8


def test_a_second_voice_raises_it_and_a_repetition_does_not() -> None:
    mail, chat = told("oslo", "mail"), told("oslo", "chat")
    again = told("oslo", "mail", "2026-02-01")

    assert sure(mail, again) == sure(mail)
    assert sure(mail, chat) == {"oslo": 0.96} == sure(chat, mail)


def test_two_that_dispute_each_other_share() -> None:
    assert sure(told("oslo", "mail"), told("kyiv", "chat")) == {
        "oslo": 0.4,
        "kyiv": 0.4,
    }


def test_what_was_taken_back_counts_for_nothing_from_then_on() -> None:
    back = told("oslo", "mail", "2026-03-01", mood="retracted")
    both = (told("oslo", "mail"), told("oslo", "chat"), back)

    assert sure(*both) == {"oslo": 0.8}
    assert sure(*both, known_at="2026-02-01") == {"oslo": 0.96}


def test_a_possibility_is_half_as_sure() -> None:
    assert sure(told("oslo", "mail", mood="tentative")) == {"oslo": 0.4}
