"""`python -m tests.bench extraction --data DIR`: what the light Extractor reads out of sets with
known answers.

Each set is split in two by a hash of its items: *dev* was looked at while patterns were written,
*score* was not; both are printed. Measures:

keys      FactConsolidation: facts whose claim has the fact's object; facts that fall into one key exactly where
          (subject, relation) are one, merges of different ones counted; precision: claims that are such a fact.
moods     MemOps operations: the mood over an operation's evidence against what the set calls it, where "forget" means
          retracted; accuracy, balanced accuracy, F1 of tentative, over confirmed and tentative ones and over all three.
spans     MemOps confirmed operations: recall, a claim in the evidence whose object holds or shares half of the words of
          the new value; precision, confirmed claims that share a word with the value or the target.
prose     LoCoMo: the sentences noted for one turn, in the third person, as a paragraph; subject the person, object the
          answer to a one-hop question about that turn. *Partially*: some claim has the subject and an object that
          shares half of the answer's content words; *exactly*: subject and answer, articles and case aside.
"""

import hashlib
import json
import re
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from companion.language.claims.extract import LightExtractor
from companion.values.claims import Claim
from tests.bench.words import LITTLE_WORDS

NOW = "2026-06-15T12:00:00.000000Z"
SIDES = ("dev", "score")


class Read(NamedTuple):
    """What is read out of items with known answers: shares of both halves."""

    items: int
    found: float  # in part where a set distinguishes
    exactly: float | None = None
    precision: float | None = None


def extraction(data: Path) -> dict[str, Read]:
    """Print and return every measure for the sets under *data*; a set that is not there is named."""
    extractor = LightExtractor()
    reads = {}
    for name, measure in (
        ("factconsolidation", keys),
        ("memops", moods),
        ("memops", spans),
        ("locomo", prose),
    ):
        if (data / name).is_dir():
            reads[measure.__name__] = measure(data / name, extractor)
        else:
            print(f"{name}: not in {data}")
    pace(data, extractor)
    start()
    return reads


def side(name: str) -> str:
    """Return the half to which an item belongs."""
    return SIDES[int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2]


# -- keys ------------------------------------------------------------------------------------------


def keys(data: Path, extractor: LightExtractor) -> Read:
    facts = json.loads((data / "factconsolidation_6k_facts.json").read_text())
    whole = "\n".join(f"{fact['serial']}. {fact['text']}" for fact in facts)
    found = extractor.extract(whole, event_time=NOW)
    by_line: dict[int, list[Claim]] = defaultdict(list)
    starts = [match.start() for match in re.finditer(r"^", whole, re.MULTILINE)]
    for claim in found:
        by_line[sum(at <= claim.span.start for at in starts) - 1].append(claim)
    for half in (*SIDES, "both"):
        chosen = [
            n
            for n, fact in enumerate(facts)
            if half in ("both", side(fact["relation_id"] + fact["subject"]))
        ]
        read = _keys_line(
            half, [facts[n] for n in chosen], [by_line[n] for n in chosen]
        )
    return read


def _keys_line(
    half: str, facts: list[dict[str, Any]], claims: list[list[Claim]]
) -> Read:
    matter: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    reverse: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    right = single = 0
    for fact, found in zip(facts, claims, strict=True):
        own = (fact["relation_id"], fact["subject"])
        good = [claim for claim in found if _same(claim.object, fact["object"])]
        right += bool(good)
        single += any(claim.functional for claim in good)
        for claim in good[:1]:
            matter[own].add(claim.key)
            reverse[claim.key].add(own)
    count = sum(len(found) for found in claims)
    two = [
        own
        for own, n in Counter(
            (f["relation_id"], f["subject"]) for f in facts
        ).items()
        if n > 1
    ]
    print(
        f"keys {half:5} {len(facts)} facts: object {right / len(facts):.3f}, functional"
        f" {single / len(facts):.3f}, "
        f"two-valued on one key {sum(len(matter[own]) == 1 for own in two)}/{len(two)}, "
        f"wrong merges {sum(len(owns) > 1 for owns in reverse.values())}, precision"
        f" {right / max(1, count):.3f}"
    )
    share = right / len(facts)
    return Read(len(facts), share, precision=right / max(1, count))


# -- moods and spans -------------------------------------------------------------------------------


def operations(data: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield (half, operation, evidence) of every MemOps operation with evidence."""
    for path in sorted(data.glob("*.json")):
        for operation in json.loads(path.read_text())["operations"]:
            evidence = "\n\n".join(
                span["quote"] for span in operation["evidence_spans"]
            )
            if evidence:
                yield side(path.name), operation, evidence


def mood_over(claims: Iterable[Claim], text: str) -> str:
    """Return the mood of an evidence: retracted or tentative if any statement in it is."""
    from companion.language.claims.grammar import grammar_of
    from companion.language.claims.verbs import mood_of
    from companion.language.sentences import find_sentences

    words = grammar_of("en")
    said = {claim.mood for claim in claims} | {
        mood_of(text[a:b], words) for a, b in find_sentences(text)
    }
    return next(
        (mood for mood in ("retracted", "tentative") if mood in said),
        "confirmed",
    )


def moods(data: Path, extractor: LightExtractor) -> Read:
    for half in (*SIDES, "both"):
        pairs = [
            (
                "retracted" if op["type"] == "forget" else op["validity"],
                mood_over(extractor.extract(text, event_time=NOW), text),
            )
            for where, op, text in operations(data)
            if half in ("both", where)
        ]
        _moods_line(
            half,
            "two ",
            [pair for pair in pairs if pair[0] != "retracted"],
            ("confirmed", "tentative"),
        )
        right = _moods_line(
            half, "all ", pairs, ("confirmed", "tentative", "retracted")
        )
    return Read(len(pairs), right)


def _moods_line(
    half: str, what: str, pairs: list[tuple[str, str]], names: tuple[str, ...]
) -> float:
    right = sum(a == b for a, b in pairs) / len(pairs)
    each = {name: [a == b for a, b in pairs if a == name] for name in names}
    told = [a == "tentative" for a, b in pairs if b == "tentative"]
    recall = sum(each["tentative"]) / len(each["tentative"])
    precision = sum(told) / max(1, len(told))
    balanced = sum(sum(hits) / len(hits) for hits in each.values()) / len(each)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    shares = " ".join(
        f"{name} {sum(hits)}/{len(hits)}" for name, hits in each.items()
    )
    print(
        f"moods {half:5} {what} accuracy {right:.3f}, balanced {balanced:.3f}, tentative F1"
        f" {f1:.3f} ({shares})"
    )
    return right


def spans(data: Path, extractor: LightExtractor) -> Read:
    for half in (*SIDES, "both"):
        total = exact = recalled = claims = good = any_claim = 0
        for where, operation, text in operations(data):
            if (
                half not in ("both", where)
                or operation["validity"] != "confirmed"
                or not operation["new_value"]
                or operation["type"] == "reflect"
            ):
                continue
            found = extractor.extract(text, event_time=NOW)
            value = operation["new_value"]
            topic = _content(value) | _content(
                (operation["target"] or {}).get("target_name", "")
            )
            total += 1
            any_claim += bool(found)
            recalled += any(_half(claim.object, value) for claim in found)
            exact += any(_same(claim.object, value) for claim in found)
            claims += len(found)
            good += sum(
                bool(topic & (_content(claim.object))) for claim in found
            )
        print(
            f"spans {half:5} {total} operations: any claim {any_claim / total:.3f}, "
            f"value partially {recalled / total:.3f}, "
            f"exactly {exact / total:.3f}, precision {good / max(1, claims):.3f} of {claims} claims"
        )
    return Read(total, recalled / total, exact / total, good / max(1, claims))


# -- prose -----------------------------------------------------------------------------------------


def paragraphs(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield (half, paragraph, subject, object)."""
    for sample in json.loads((data / "locomo_3.json").read_text()):
        noted: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for session in sample["observation"].values():
            for person, lines in session.items():
                for line, where in lines:
                    for one in where if isinstance(where, list) else [where]:
                        noted[one].append((person, line))
        for question in sample["qa"]:
            evidence = question.get("evidence") or []
            if (
                question["category"] not in (1, 4)
                or len(evidence) != 1
                or evidence[0] not in noted
                or "answer" not in question
            ):
                continue
            person = noted[evidence[0]][0][0]
            text = " ".join(line for _, line in noted[evidence[0]])
            answer = str(question["answer"])
            if _content(answer) and _content(answer) <= _content(text):
                yield side(question["question"]), text, person, answer


def prose(data: Path, extractor: LightExtractor) -> Read:
    for half in (*SIDES, "both"):
        total = partly = exactly = 0
        for where, text, subject, answer in paragraphs(data):
            if half not in ("both", where):
                continue
            found = [
                claim
                for claim in extractor.extract(text, event_time=NOW)
                if subject.lower() in claim.subject.lower()
            ]
            total += 1
            partly += any(_half(claim.object, answer) for claim in found)
            exactly += any(
                _same(claim.object, answer) and claim.subject == subject
                for claim in found
            )
        print(
            f"prose {half:5} {total} paragraphs: partially {partly / total:.3f}, exactly"
            f" {exactly / total:.3f}"
        )
    return Read(total, partly / total, exactly / total)


# -- speed -----------------------------------------------------------------------------------------


def pace(data: Path, extractor: LightExtractor) -> None:
    texts = (
        [text for _, _, text in operations(data / "memops")]
        if (data / "memops").is_dir()
        else []
    )
    if not texts:
        return
    extractor.extract(texts[0], event_time=NOW)
    begun = time.process_time()
    for text in texts:
        extractor.extract(text, event_time=NOW)
    spent = time.process_time() - begun
    print(
        f"pace: {len(texts) / spent:,.0f} texts and {sum(map(len, texts)) / spent / 1000:,.0f}"
        " kB per CPU second"
    )


def start() -> None:
    """Print the CPU time of a cold extraction as a ratio to an empty interpreter, interleaved."""
    code = (
        "from companion.language.claims.extract import LightExtractor\n"
        f"LightExtractor().extract('I moved to Porto in March.', event_time='{NOW}')"
    )
    spent: dict[str, list[float]] = {"pass": [], code: []}
    for _ in range(7):
        for program, times in spent.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", program], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(
                after.ru_utime
                + after.ru_stime
                - before.ru_utime
                - before.ru_stime
            )
    bare, cold = (sorted(times)[3] for times in spent.values())
    print(f"cold start: {cold / bare:.1f} x `python -c pass`")


# -- words -----------------------------------------------------------------------------------------


def _plain(said: str) -> str:
    return " ".join(
        word
        for word in re.findall(r"[\w$€£%.'\u2019-]+", said.lower().rstrip(". "))
        if word not in ("a", "an", "the")
    )


def _content(said: str) -> set[str]:
    return (
        {word.strip(".'\u2019-") for word in _plain(said).split()}
        - LITTLE_WORDS
        - {""}
    )


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _half(said: str, wanted: str) -> bool:
    words = _content(wanted)
    return bool(words) and 2 * len(words & _content(said)) >= len(words)
