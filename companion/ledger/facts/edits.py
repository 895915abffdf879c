"""Read one edit of a page into the claim ledger: claims of its owner, and claims taken back."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.language.protocols import Extractor
from companion.storage.claim_lines import BEGINNING_OF_TIME
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.claims import Claim, Period, Span

BACK = "hand/back"


class Retraction(NamedTuple):
    """Claims of one value that the owner takes back, and by which kind of edit."""

    example: RecordedClaim
    ids: tuple[str, ...]
    rule: str


class Edit(NamedTuple):
    """The claims that an edit of a page tells and takes back."""

    told: list[Claim]
    retracted: list[Retraction]


class LazyExtractor:
    """Extracts claims; loads the word lists for the first text, which most runs do not have."""

    def __init__(self, moment: str) -> None:
        self.moment = moment
        self._extractor: Extractor | None = None

    def extract(self, text: str) -> list[Claim]:
        """Return what *text* states, told at the moment of the run."""
        if self._extractor is None:
            from companion.language.claims.extract import LightExtractor

            self._extractor = LightExtractor()
        return self._extractor.extract(text, event_time=self.moment)


def retract(claims: Sequence[RecordedClaim], rule: str) -> Retraction:
    """Return the retraction of *claims*, at least one, all of one value."""
    ids = sorted(claim.assertion.id for claim in claims)
    return Retraction(claims[0], tuple(ids), rule)


def retraction_claim(retraction: Retraction) -> Claim:
    """Return *retraction* as the claim that the ledger records for it."""
    claim = retell(retraction.example)
    return claim._replace(
        mood="retracted", rule=retraction.rule, period=Period()
    )


def retell(recorded: RecordedClaim) -> Claim:
    """Return *recorded* as the owner tells it again."""
    assertion = recorded.assertion
    period = Period(
        assertion.valid_from,
        assertion.valid_to,
        assertion.precision,
        assertion.stated,
    )
    return Claim(
        subject=recorded.subject,
        predicate=recorded.predicate,
        object=recorded.object,
        key=assertion.key,
        functional=assertion.functional,
        negated=assertion.negated,
        period=period,
        mood=assertion.mood,
        change=assertion.change,
        span=Span(*recorded.span),
        rule=BACK,
    )


def select_upheld(claims: Sequence[RecordedClaim]) -> list[RecordedClaim]:
    """Return those of *claims* that are no retractions and that no hand took back."""
    retracted: set[str] = set()
    for claim in claims:
        retracted.update(claim.assertion.retracts)
    kept: list[RecordedClaim] = []
    for claim in claims:
        if (
            claim.assertion.mood != "retracted"
            and claim.assertion.id not in retracted
        ):
            kept.append(claim)
    return kept


def begin_with_replaced(
    claim: Claim, replaced: Iterable[RecordedClaim]
) -> Claim:
    """Return *claim*, holding from when the first of what it replaces did.

    A claim that says a time of its own, or a change, stays as it is.
    """
    if claim.period.stated or claim.change:
        return claim
    assertions = [other.assertion for other in replaced]
    if not assertions:
        return claim
    first = min(assertions, key=lambda assertion: assertion.valid_from)
    if first.valid_from == BEGINNING_OF_TIME:
        return claim
    period = Period(
        first.valid_from, claim.period.end, first.precision, first.stated
    )
    return claim._replace(period=period)
