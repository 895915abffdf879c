"""CONSOLIDATE with judges: what contradicts a page is flagged or kept apart; a replay asks nobody
(CON-3, LED-8).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.judges import configured
from companion.judges.configured import Judges
from companion.judges.encode_answers import decode_relation
from companion.operations.consolidate import run as night
from companion.storage.files import arm_faults, durable
from companion.storage.journal.verdicts import Verdicts
from companion.values.relations import Label, Relation
from tests.scripted_judges import Rule, Scripted, neutral, opposed
from tests.wiki import Wiki, check_captures, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """Let a scripted judge sit in place of the configured one."""

    class Use:
        @staticmethod
        def judge(rule: Rule = neutral, **about: object) -> Scripted:
            judge = Scripted(rule, **about)  # type: ignore[arg-type]
            monkeypatch.setattr(
                configured,
                "open_judges",
                lambda config, allowance=None: Judges(None, judge, None, None),
            )
            return judge

    yield Use


def seed(wiki: Wiki) -> str:
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.consolidate()
    return str(wiki.show("Door")["path"])


def contradicts(page: dict[str, Any]) -> dict[str, str | None]:
    return {
        "kind": "contradicts",
        "entry": page["id"],
        "path": page["path"],
        "capture": None,
    }


def test_what_contradicts_a_page_is_kept_apart_and_the_page_stays_as_it_is(
    wiki: Wiki, use: type
) -> None:
    path = seed(wiki)
    before = wiki.read(path)
    use.judge(opposed(0.95))
    captured = wiki.ingest("# Door\n\nThe door to the cellar is shut.")[0]
    done = wiki.consolidate()

    item = done["integrated"][0]
    assert (item["bucket"], item["quarantined"]) == ("low", True)
    assert item["relations"] == [contradicts(wiki.show(path))]
    assert wiki.read(path) == before and item["path"] != path
    assert wiki.show(item["path"])["quarantined"] is True
    flagged = wiki.events("flagged")
    assert [(f["kind"], f["entry"], f["capture"]) for f in flagged] == [
        ("contradiction", item["entry"], captured["id"])
    ]
    verdicts = wiki.events("verdict")
    assert [v["key"] for v in verdicts] == [flagged[0]["key"]]
    quoting = [
        line
        for line in wiki.git(
            "show", f"HEAD:.companion/ledger/2026/11/{done['run']}.jsonl"
        ).splitlines()
        if "cellar" in line
    ]
    assert [json.loads(line)["e"] for line in quoting] == ["claims"]
    check_captures(
        wiki, {captured["id"]: b"# Door\n\nThe door to the cellar is shut."}
    )
    check_index(wiki)
    check_health(wiki)


def test_a_milder_contradiction_is_integrated_and_flagged(
    wiki: Wiki, use: type
) -> None:
    path = seed(wiki)
    use.judge(opposed(0.5))
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    item = wiki.consolidate()["integrated"][0]

    assert (item["bucket"], item["quarantined"], item["path"]) == (
        "mid",
        False,
        path,
    )
    assert item["relations"] == [contradicts(wiki.show(path))]
    assert len(wiki.events("flagged")) == 1


def test_a_later_value_with_a_time_of_its_own_is_an_update_and_no_conflict(
    wiki: Wiki, use: type
) -> None:
    path = seed(wiki)
    use.judge(
        lambda a, b: Relation(
            "contradicts", 0.9, "another value", opposition=0.9, update=0.9
        )
    )
    wiki.ingest(
        "# Door\n\nThe door to the cellar is shut.",
        event_time="2026-12-01T00:00:00.000000Z",
    )
    item = wiki.consolidate()["integrated"][0]

    assert (item["bucket"], item["path"]) == ("high", path)
    assert item["relations"] == [
        {
            "kind": "updates",
            "entry": wiki.show("Door")["id"],
            "path": path,
            "capture": None,
        }
    ]
    assert wiki.events("flagged") == []


@pytest.mark.parametrize(
    ("label", "kinds"),
    [
        ("supports", ["supports"]),
        ("same", ["same"]),
        ("neutral", []),
        ("unsure", []),
    ],
)
def test_what_contradicts_nothing_says_how_it_stands_to_a_page(
    wiki: Wiki, use: type, label: Label, kinds: list[str]
) -> None:
    seed(wiki)
    use.judge(lambda a, b: Relation(label, 0.9, label))
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    for dry_run in (True, False):
        (item,) = wiki.consolidate(dry_run=dry_run)["integrated"]
        assert [relation["kind"] for relation in item["relations"]] == kinds


def test_the_same_without_a_time_of_its_own_is_flagged(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    use.judge(
        lambda a, b: Relation(
            "contradicts", 0.9, "another value", opposition=0.9, update=0.9
        )
    )
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")

    assert wiki.consolidate()["integrated"][0]["bucket"] == "mid"


def test_phase_one_asks_before_the_wiki_is_looked_at_and_only_about_captures(
    wiki: Wiki, use: type
) -> None:
    judge = use.judge(opposed(0.6))
    one, two = wiki.ingest(
        "# Door\n\nThe cellar door is open.",
        "# Door\n\nThe cellar door is shut.",
    )
    done = wiki.consolidate()

    assert [(a.text, b.text) for a, b in judge.asked] == [
        ("The cellar door is open.", "The cellar door is shut.")
    ]
    # 1 - 0.6 / 2 = 0.7: high by a hair
    assert {item["bucket"] for item in done["integrated"]} == {"high"}
    assert (one["id"], two["id"]) == tuple(
        item["capture"] for item in done["integrated"]
    )
    assert [item["relations"] for item in done["integrated"]] == [
        [],
        [contradicts(wiki.show("Door")) | {"capture": one["id"]}],
    ]


def test_what_has_no_candidate_is_not_asked_about_and_nothing_changes_in_the_record(
    wiki: Wiki, use: type
) -> None:
    judge = use.judge(opposed())
    wiki.ingest(
        "# Door\n\nThe door is open.", "# Tea\n\nGreen tea is the best."
    )
    done = wiki.consolidate()

    assert (judge.asked, done["judged"]) == ([], [])
    first = wiki.ledger()[-1][0]
    assert "relate" not in first["judges"] and first["verdicts"] is None


def test_what_was_told_in_private_is_never_judged(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    judge = use.judge(opposed())
    wiki.ingest("# Door\n\nThe door to the cellar is shut.", scope="private")
    wiki.consolidate()

    assert judge.asked == []


def test_links_name_candidates_too(wiki: Wiki, use: type) -> None:
    path = seed(wiki)
    use.judge(opposed(0.95))
    wiki.ingest("The door to the cellar is shut, see [[Door]].")

    (item,) = wiki.consolidate()["integrated"]
    assert [relation["path"] for relation in item["relations"]] == [path]


def test_a_replay_with_a_judge_of_another_mind_gives_the_same_tree(
    wiki: Wiki, tmp_path: Path, use: type
) -> None:
    """CON-3 and LED-8: the log decides, not the mood of the judge; with the log off, the tree is
    another.
    """
    seed(wiki)
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    use.judge(opposed(0.95))
    first = wiki.consolidate(dry_run=True)
    replayed, amnesiac = (
        wiki.copy(tmp_path / "copy"),
        wiki.copy(tmp_path / "amnesiac"),
    )
    moody = use.judge(neutral)
    one, other = wiki.consolidate(), replayed.consolidate()

    assert moody.asked == []
    assert one["run"] == other["run"] is not None and wiki.tree == replayed.tree
    assert one["integrated"] == first["integrated"]
    amnesiac.journal().connection.executescript("DROP TABLE verdicts")
    amnesiac.consolidate()
    assert amnesiac.tree != wiki.tree


def test_a_fresh_clone_replays_from_the_ledger(
    wiki: Wiki, tmp_path: Path, use: type
) -> None:
    seed(wiki)
    use.judge(opposed(0.95))
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    wiki.consolidate()
    other = wiki.clone(tmp_path / "clone")
    db = other.journal()
    verdict = wiki.events("verdict")[0]

    from companion.lookup.index import current_index

    found = Verdicts(db, current_index(other.ws, db)).find([verdict["key"]])[
        verdict["key"]
    ]
    assert found.answer == {**verdict["answer"], "reason": verdict["reason"]}
    assert decode_relation(
        found.answer
    ).label == "contradicts" and db.connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name = 'verdicts'"
    ).fetchone() == (0,)


def test_a_judge_that_stops_leaves_its_captures_waiting_and_nothing_is_lost(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    failing = use.judge(opposed(0.95), name="llm", fails_after=1)
    texts = [
        "# Door\n\nThe door to the cellar is shut.",
        "The door to the cellar was painted, see [[Door]].",
    ]
    captured = wiki.ingest(*texts, "# Tea\n\nGreen tea.")
    done = wiki.consolidate()

    assert [item["capture"] for item in done["waiting"]] == [captured[1]["id"]]
    assert (
        done["waiting"][0]["reason"]
        == "waits for its judge: llm/1/m1 gave no answer"
    )
    assert (
        done["judged"][-1]["unanswered"] == 1
        and "out of order" in done["judged"][-1]["said"]
    )
    assert len(done["integrated"]) == 2 and len(failing.asked) == 1
    repaired = use.judge(neutral, name="llm")
    again = wiki.consolidate()
    assert [item["capture"] for item in again["integrated"]] == [
        captured[1]["id"]
    ]
    assert len(repaired.asked) == 1
    check_captures(
        wiki,
        {c["id"]: t.encode() for c, t in zip(captured, texts, strict=False)},
    )
    check_index(wiki)


def test_a_night_killed_after_the_answers_does_not_ask_again(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    judge = use.judge(opposed(0.95))
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    disarm = arm_faults.arm("publish.intent:eio")
    try:
        with pytest.raises(durable.StorageError, match="Input/output"):
            wiki.consolidate()
    finally:
        disarm()
    assert len(judge.asked) == 1
    moody = use.judge(neutral)

    assert wiki.consolidate()["integrated"][0]["bucket"] == "low"
    assert moody.asked == []


def test_rules_alone_write_decisive_verdicts_and_count_the_rest(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)

    def rule(a: Any, b: Any) -> Any:
        return opposed(0.95)(a, b) if "shut" in b.text else neutral(a, b)

    use.judge(rule, name="light", model="")
    wiki.ingest(
        "# Door\n\nThe door to the cellar is shut. The door to the garden is blue."
    )
    wiki.consolidate()

    assert len(wiki.events("verdict")) == 1
    assert [line["neutral"] for line in wiki.events("judged")] == [1]


def test_a_model_that_is_unsure_asks_a_person_and_rules_do_not(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    unsure = Relation("unsure", 0.0, "no answer that could be read")
    for name, flags in (("light", 0), ("llm", 1)):
        use.judge(lambda a, b: unsure, name=name, model="")
        wiki.ingest(f"# Door\n\nThe door to the cellar is {name}.")
        item = wiki.consolidate()["integrated"][0]
        assert item["bucket"] == "high"
        assert len(wiki.events("flagged")) == flags


def test_calls_are_announced_before_and_counted_after(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.judges.llm.client import Budget
    from companion.judges.llm.relate import Cost

    seed(wiki)
    judge, said = Scripted(neutral, name="llm"), list[str]()
    found = Judges(
        None,
        judge,
        None,
        None,
        budget=Budget(7, 1000),
        estimate=lambda pairs: Cost(1, 90 * len(pairs)),
    )
    monkeypatch.setattr(
        configured, "open_judges", lambda config, allowance=None: found
    )
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    done = night.consolidate(wiki.ws, announce=said.append)

    assert said == [
        "1 question about 1 note: 1 call of the language model and about 90 tokens; "
        "at most 7 calls and 1,000 tokens tonight, 0 made so far"
    ]
    assert (done["judged"][0]["questions"], done["judged"][0]["asked"]) == (
        1,
        1,
    )


def test_an_undone_night_can_be_judged_again_from_the_log(
    wiki: Wiki, use: type
) -> None:
    seed(wiki)
    use.judge(opposed(0.95))
    wiki.ingest("# Door\n\nThe door to the cellar is shut.")
    done = wiki.consolidate()
    wiki.tick()
    undo.undo(wiki.ws, done["run"])

    assert wiki.show("Door")["quarantined"] is False
    check_index(wiki)
    check_health(wiki)


def test_a_page_of_another_title_that_denies_what_a_note_says_is_found_by_nearness(
    wiki: Wiki,
) -> None:
    """A page's frontmatter is no part of what it says: with it in the vector, nothing was ever
    near.
    """
    wiki.ingest(
        "# Deploys\n\nWe deploy on Fridays. The on-call person is Tomek."
    )
    wiki.consolidate()
    wiki.ingest("We never deploy on Fridays.")
    (item,) = wiki.consolidate()["integrated"]
    assert (
        item["bucket"] != "high"
        and contradicts(wiki.show("Deploys")) in item["relations"]
    ), item["reason"]


def test_notes_on_one_matter_are_compared_whatever_their_titles(
    wiki: Wiki, use: type
) -> None:
    use.judge()
    wiki.ingest(
        *[f"# Note {n}\n\nThe director of Hall{n} is Eve." for n in range(6)]
    )
    wiki.consolidate()
    judge = use.judge()
    wiki.ingest(
        "# Elsewhere\n\nThe director of Hall3 is Adam.",
        "# Nowhere\n\nThe director of Hall9 is Adam.",
    )
    wiki.ingest("# Afterwards\n\nThe director of Hall9 is Eve.")
    wiki.consolidate()
    assert [(one.text, two.text) for one, two in judge.asked] == [
        ("The director of Hall9 is Adam.", "The director of Hall9 is Eve."),
        ("The director of Hall3 is Eve.", "The director of Hall3 is Adam."),
    ]
