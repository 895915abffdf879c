"""Write the answers of judges as JSON, as the verdict log keeps them, and read them again."""

from companion.language.protocols import Preference, Summary
from companion.values.claims import Claim, Period, Span
from companion.values.events import JsonDocument
from companion.values.relations import Relation

_SCORES = ("score", "opposition", "update", "similarity")


def encode_relation(answer: Relation) -> JsonDocument:
    """Return a relation as the log keeps it: scores to 1e-6, zeros left out."""
    document: JsonDocument = {"label": answer.label, "reason": answer.reason}
    for name in _SCORES:
        score = round(getattr(answer, name), 6)
        if score:
            document[name] = score
    return document


def decode_relation(document: JsonDocument) -> Relation:
    """Return the relation that *document* was written from."""
    return Relation(**{"score": 0.0, **document})


def encode_claims(answer: list[Claim]) -> JsonDocument:
    """Return claims as the log keeps them."""
    return {"claims": [_encode_claim(claim) for claim in answer]}


def _encode_claim(claim: Claim) -> JsonDocument:
    return {
        **claim._asdict(),
        "key": list(claim.key),
        "period": claim.period._asdict(),
        "span": list(claim.span),
    }


def decode_claims(document: JsonDocument) -> list[Claim]:
    """Return the claims that *document* was written from."""
    return [_decode_claim(each) for each in document["claims"]]


def _decode_claim(document: JsonDocument) -> Claim:
    typed = {
        "key": tuple(document["key"]),
        "period": Period(**document["period"]),
        "span": Span(*document["span"]),
    }
    return Claim(**{**document, **typed})


def encode_summary(answer: Summary) -> JsonDocument:
    """Return a summary as the log keeps it."""
    return {
        "title": answer.title,
        "text": answer.text,
        "spans": [list(span) for span in answer.spans],
    }


def decode_summary(document: JsonDocument) -> Summary:
    """Return the summary that *document* was written from."""
    spans = tuple(Span(*span) for span in document["spans"])
    return Summary(document["title"], document["text"], spans)


def encode_preference(answer: Preference) -> JsonDocument:
    """Return a preference as the log keeps it: the confidence to 1e-6."""
    return {**answer._asdict(), "confidence": round(answer.confidence, 6)}


def decode_preference(document: JsonDocument) -> Preference:
    """Return the preference that *document* was written from."""
    return Preference(**document)
