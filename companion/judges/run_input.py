"""Describe the judges that a run asked, for the run's first line (CON-2).

The mark of the verdict log is a hash of the verdicts that were consulted, with the answers of
persons that no ledger file has yet. A count of the log would differ between machines that know the
same.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from companion.judges.ask import Consultation
from companion.judges.configured import Judges
from companion.language.protocols import Comparer, Relater
from companion.storage.journal.verdicts import Logged, encode_canonical
from companion.values.events import LedgerLine
from companion.values.relations import Relation


def relating_input(
    asked: Sequence[Consultation[Relation]],
    judges: Judges,
    reader: Mapping[str, str],
    answered: Iterable[str],
    *,
    contested: bool,
) -> LedgerLine:
    """Return the judges and readers of a consolidation, and the mark of its verdicts.

    *answered* has the keys of answers by persons, *contested* says whether the judge of protected
    pages was asked.
    """
    named: dict[str, dict[str, str]] = {}
    if reader:
        named["extract"] = dict(reader)
    if asked and judges.relater is not None:
        named["relate"] = _identity(judges.relater)
    if contested and judges.contest is not None:
        named["contest"] = _identity(judges.contest)
    consulted: dict[str, str] = {}
    for batch in asked:
        consulted |= _canonical_answers(batch.used)
    consulted |= dict.fromkeys(answered, "")
    return {"judges": named, "verdicts": _mark(consulted)}


def comparing_input(judge: Comparer, used: Mapping[str, Logged]) -> LedgerLine:
    """Return the judge of an audit whose answers were judged, and the mark of its verdicts."""
    return {
        "judges": {"compare": _identity(judge)},
        "verdicts": _mark(_canonical_answers(used)),
    }


def _canonical_answers(used: Mapping[str, Logged]) -> dict[str, str]:
    return {
        key: encode_canonical(logged.answer) for key, logged in used.items()
    }


def _mark(consulted: Mapping[str, str]) -> str | None:
    if not consulted:
        return None
    text = encode_canonical(sorted(consulted.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _identity(judge: Relater | Comparer) -> dict[str, str]:
    return {
        name: value for name, value in judge.identity._asdict().items() if value
    }
