"""Nights on a real wiki with a simulated machine: when they begin, how they end, what they record."""

import errno
import os
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion import errors
from companion.maintenance.doctor.run import examine
from companion.operations.audit import run as auditing
from companion.operations.consolidate import run as consolidating
from companion.operations.contextualize import run as contextualizing
from companion.operations.decay import run as decaying
from companion.reading.morning.collect import collect_morning
from companion.runs import publication
from companion.sleep import night as nights_work
from companion.sleep import nights, safe_points
from companion.sleep.decision.state import Body
from companion.sleep.decision.stop import Stop
from companion.sleep.machine import wakes
from companion.sleep.machine.readings import SimulatedBody
from companion.sleep.night import Order
from companion.storage.files import lock
from companion.storage.git import setup
from companion.storage.git.objects import Pack, release_packs
from companion.values.allowance import Allowance
from tests.operations.contextualize.sources import drop
from tests.wiki import Wiki, check_captures, check_health, check_index

GOOD = Body(
    load=0.1, heat=0.4, on_mains=True, battery=0.9, metered=False, free=1 << 36
)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def sleep(wiki: Wiki, *bodies: Body, **order: Any) -> dict[str, Any]:
    readings = SimulatedBody(*(bodies or (GOOD,)))
    return dict(
        nights_work.sleep(
            wiki.ws,
            Order(**order),
            readings=readings,
            pause=lambda seconds: None,
        )
    )


def outcomes(doc: dict[str, Any]) -> dict[str, str]:
    return {step["name"]: step["outcome"] for step in doc["steps"]}


def test_a_night_makes_few_packs_of_many(wiki: Wiki) -> None:
    common = wiki.ws.place.common_dir
    for n in range(setup.MOST_PACKS + 1):
        with Pack(common) as pack:
            pack.add("blob", b"%d" % n)
    release_packs(common)
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)

    assert sleep(wiki)["outcome"] == "slept"

    assert len(list(Path(common, "objects", "pack").glob("*.pack"))) < 10
    check_health(wiki)


def test_a_night_comes_when_the_person_is_away(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    assert sleep(wiki)["decision"]["kind"] == "in use"
    wiki.tick(hours=2)

    doc = sleep(wiki)

    assert doc["outcome"] == "slept" and doc["exit_code"] == 0
    assert outcomes(doc)["consolidate"] == "done"
    assert wiki.search("Kiel")[0]["title"]
    check_index(wiki)
    check_health(wiki)


def test_every_step_is_a_run_of_its_own(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.write("mine.md", "# Mine\n")
    commits = wiki.commits()

    doc = sleep(wiki, asked=True)

    runs = [step["run"] for step in doc["steps"] if step["run"]]
    assert len(runs) == len(set(runs)) == wiki.commits() - commits == 2
    assert outcomes(doc)["adopt"] == outcomes(doc)["consolidate"] == "done"


@pytest.mark.parametrize(
    ("metered", "most"), [(False, 7), (True, 0)], ids=["free", "metered"]
)
def test_all_steps_share_the_calls_of_a_night(
    wiki: Wiki,
    monkeypatch: pytest.MonkeyPatch,
    metered: bool,
    most: int,
) -> None:
    """A metered network allows none, in AUDIT and CONTEXTUALIZE neither."""
    spent = []

    def spy(module: Any, name: str) -> None:
        operation = getattr(module, name)

        def asks_a_model(*args: Any, allowance: Allowance, **more: Any) -> Any:
            spent.append((name, allowance, allowance.max_calls))
            return operation(*args, **more)

        monkeypatch.setattr(module, name, asks_a_model)

    spy(consolidating, "consolidate")
    spy(contextualizing, "contextualize")
    spy(auditing, "audit")
    wiki.write("mine.md", "# Mine\n\nSee [[yours]].\n")
    wiki.commit()
    config = ".companion/companion.yaml"
    wiki.write(config, wiki.read(config) + "reasoner: llm\nmodel: none\n")
    wiki.commit()
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=24 * 40)

    sleep(wiki, GOOD._replace(metered=metered), asked=True, max_calls=7)

    assert [name for name, _, _ in spent] == [
        "contextualize",
        "consolidate",
        "audit",
    ]
    assert len({id(allowance) for _, allowance, _ in spent}) == 1
    assert {calls for _, _, calls in spent} == {most}


def test_a_dry_run_changes_nothing(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    before = wiki.head
    doc = sleep(wiki, asked=True, dry_run=True)
    assert doc["decision"]["sleep"] and doc["steps"] == []
    assert doc["decision"]["words"] == (
        "It would sleep now. You asked for it. It would take in your edits, "
        "read sources, turn notes into pages and let unused pages fade."
    )
    assert wiki.head == before and nights.read_nights(wiki.ws) == []
    assert wakes.read_wakes(wiki.ws.place) == wakes.Wakes()


def test_notes_that_wait_wake_no_second_night(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    sleep(wiki, asked=True)
    wiki.tick(days=2, hours=3)
    doc = sleep(wiki)
    assert "consolidate" not in doc["decision"]["steps"]


# -- conditions change -----------------------------------------------------------------------------


@pytest.fixture
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the machine at every safe point."""
    monkeypatch.setattr(safe_points, "EVERY", 0.0)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"on_mains": False}, "unplugged"),
        ({"on_mains": False, "battery": 0.29}, "battery low"),
        ({"heat": 1.0}, "hot"),
        ({"free": 1 << 20}, "disk full"),
        ({"idle": 0.0}, "keyboard in use"),
    ],
)
@pytest.mark.usefixtures("watchful")
def test_it_ends_when_conditions_change_and_goes_on_next_time(
    wiki: Wiki, change: dict[str, Any], kind: str
) -> None:
    told = wiki.ingest("Anna moved to Kiel.", "Ben moved to Bonn.")
    texts = {
        done["id"]: text.encode()
        for done, text in zip(
            told, ("Anna moved to Kiel.", "Ben moved to Bonn."), strict=True
        )
    }
    wiki.tick(hours=2)
    commits = wiki.commits()

    # the decision, adopt's beginning, and then the change
    doc = sleep(wiki, GOOD, GOOD, GOOD, GOOD._replace(**change))

    assert doc["outcome"] == "aborted" and doc["exit_code"] == 0
    record = nights.read_nights(wiki.ws)[-1]
    assert record.kind == kind and record.outcome == nights.ABORTED
    assert wiki.commits() == commits
    check_captures(wiki, texts)
    check_health(wiki)

    wiki.tick(hours=2)
    assert sleep(wiki)["outcome"] == "slept"
    assert wiki.commits() == commits + 1


@pytest.mark.usefixtures("watchful")
def test_it_ends_when_the_person_comes_back(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)
    consolidate = consolidating.consolidate

    def meanwhile(*args: Any, **options: Any) -> Any:
        wiki.ingest("I am back.")
        return consolidate(*args, **options)

    monkeypatch.setattr(consolidating, "consolidate", meanwhile)
    doc = sleep(wiki)
    assert doc["outcome"] == "aborted"
    assert nights.read_nights(wiki.ws)[-1].kind == "in use"


def test_a_closed_lid_lets_it_look_again(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall clock runs on while the machine sleeps, the monotonic one does not."""
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)
    real = safe_points.real_now
    calls = 0

    def after_the_lid() -> Any:
        nonlocal calls
        calls += 1
        return real() + timedelta(hours=3 if calls > 4 else 0)

    monkeypatch.setattr(safe_points, "real_now", after_the_lid)
    unplugged = GOOD._replace(on_mains=False)
    doc = sleep(wiki, GOOD, GOOD, unplugged)
    assert doc["outcome"] == "aborted"
    assert nights.read_nights(wiki.ws)[-1].kind == "unplugged"


# -- what fails ------------------------------------------------------------------------------------


def test_one_failing_step_does_not_skip_the_rest(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest("Anna moved to Kiel.")

    def down(*args: Any, **options: Any) -> Any:
        raise ModelDown("the model server is down")

    monkeypatch.setattr(consolidating, "consolidate", down)
    doc = sleep(wiki, asked=True)
    assert outcomes(doc)["consolidate"] == "failed"
    assert outcomes(doc)["decay"] == "nothing"
    assert doc["exit_code"] == 69 and doc["outcome"] == "failed"

    wiki.tick(minutes=20)
    assert sleep(wiki)["decision"]["kind"] == "in use"
    wiki.tick(minutes=8)
    monkeypatch.undo()
    wiki.tick(hours=6)
    assert sleep(wiki)["outcome"] == "slept"


class ModelDown(errors.CompanionError):
    """The model is down."""

    exit_code = 69


@pytest.mark.parametrize(
    ("error", "code"),
    [(OSError(28, "No space left on device"), 74), (ValueError("a bug"), 70)],
)
def test_any_error_of_a_step_is_recorded(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fails(*args: Any, **options: Any) -> Any:
        raise error

    monkeypatch.setattr(decaying, "decay", fails)
    doc = sleep(wiki, asked=True)
    assert doc["exit_code"] == code
    assert nights.read_nights(wiki.ws)[-1].outcome == nights.FAILED


def test_a_night_that_failed_is_tried_again_later_and_later(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)

    def down(*args: Any, **options: Any) -> Any:
        raise ModelDown("the model server is down")

    monkeypatch.setattr(consolidating, "consolidate", down)
    tries = []
    for wake in range(3 * 24 * 2):
        if sleep(wiki, unattended=True)["outcome"] == "failed":
            tries.append(wake)
        wiki.tick(minutes=20)
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert pauses == sorted(pauses) and pauses[-1] == 12 * 3
    assert len(tries) < 10


def test_a_second_night_does_not_begin(wiki: Wiki) -> None:
    path = Path(wiki.ws.place.state, nights_work.LOCK)
    path.parent.mkdir(exist_ok=True)
    with lock.lock_file(str(path), "a night"), pytest.raises(lock.Busy):
        sleep(wiki, asked=True)


def test_a_step_that_finds_the_lock_held_is_skipped(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.search("Kiel")
    with lock.lock_file(
        str(Path(wiki.ws.place.state, "sleep.lock")), "an audit"
    ):
        doc = sleep(wiki, asked=True)
    assert set(outcomes(doc).values()) == {"skipped"}
    assert doc["exit_code"] == 0 and "an audit" in doc["steps"][0]["words"]


# -- overdue nights --------------------------------------------------------------------------------


def test_an_overdue_night_runs_in_slices(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = wakes.Wakes(pace=0.4)  # five minutes: two notes
    monkeypatch.setattr(wakes, "read_wakes", lambda place: slow)
    for town in ("Kiel", "Bonn", "Ulm", "Trier", "Jena"):
        wiki.ingest(f"The office in {town} opens at nine.")
    wiki.tick(days=5)
    # on its battery, for five minutes' work
    weak = GOOD._replace(on_mains=False, battery=0.33)
    commits = []
    for _ in range(3):
        doc = sleep(wiki, weak)
        assert doc["decision"]["depth"] == "slice", doc["decision"]
        commits.append(wiki.commits())
    assert commits == [commits[0], commits[0] + 1, commits[0] + 2]
    assert wiki.journal().open_count() == 0
    assert sleep(wiki, weak)["decision"]["kind"] == "nothing due"
    check_index(wiki)
    check_health(wiki)


def test_an_overdue_wake_waits_for_a_quiet_minute(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(days=5)
    wiki.ingest("I am here.")
    waited = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        wiki.tick(minutes=1)

    class Passing(nights_work.Workspace):
        """Time passes while it waits."""

        def now(self) -> str:
            return wiki.ws.now()

    ws = Passing(wiki.ws.place, wiki.ws.now())
    doc = nights_work.sleep(
        ws, Order(unattended=True), readings=SimulatedBody(GOOD), pause=pause
    )
    assert doc["outcome"] == "slept" and len(waited) == 5


# -- clocks ----------------------------------------------------------------------------------------


def test_a_clock_that_jumped_ahead_once_keeps_no_night_away(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)
    today = wiki.now
    wiki.now = today + timedelta(days=900)
    assert sleep(wiki)["outcome"] == "slept"
    wiki.now = today + timedelta(days=3)
    wiki.ingest("Ben moved to Bonn.")
    wiki.tick(hours=3)

    doc = sleep(wiki)
    assert doc["outcome"] == "slept", doc


def test_a_clock_set_back_keeps_no_night_away_and_takes_no_note_twice(
    wiki: Wiki,
) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=2)
    assert sleep(wiki)["outcome"] == "slept"
    wiki.now -= timedelta(days=400)
    wiki.ingest("Ben moved to Bonn.")
    wiki.tick(hours=3)

    doc = sleep(wiki)

    assert doc["outcome"] == "slept", doc["decision"]
    consumed = [event["capture"] for event in wiki.events("consumed")]
    assert len(consumed) == len(set(consumed)) == 2
    worse = [each.kind for each in examine(wiki.ws) if each.severity != "note"]
    assert worse == ["time-ahead"], "doctor asks whether the clock is right"


def test_settings_may_keep_edits_for_the_person(wiki: Wiki) -> None:
    path = ".companion/companion.yaml"
    wiki.write(path, wiki.read(path).replace("adopt: commit", "adopt: ask"))
    wiki.commit("ask me")
    wiki.write("mine.md", "# Mine\n")
    doc = sleep(wiki, asked=True)
    assert outcomes(doc)["adopt"] == "skipped"
    assert "mine.md" in wiki.status()


def test_a_night_says_what_it_kept_back_or_could_not_read(wiki: Wiki) -> None:
    secret = "# Access\n\nThe key is AKIA2E0A8F3B244C9986 for now.\n"
    drop(wiki, "access.txt", secret.encode("utf-16"))
    drop(wiki, "broken.pdf", b"%PDF-1.7 nothing", media_type="application/pdf")
    drop(wiki, "sleep.md")
    doc = sleep(wiki, asked=True)
    words = {step["name"]: step["words"] for step in doc["steps"]}
    assert words["contextualize"] == (
        "Read 1 source. 1 source could not be read. Kept back 1 source with a"
        " secret: `companion review`."
    )
    night = collect_morning(wiki.ws)["last_night"]
    assert night is not None
    assert "kept back 1 source with a secret" in night["did"]


def test_a_slice_yields_when_the_person_comes_and_the_next_is_smaller(
    wiki: Wiki,
) -> None:
    for town in ("Kiel", "Bonn", "Ulm", "Trier"):
        wiki.ingest(f"The office in {town} opens at nine.")
    wiki.tick(days=5)
    weak = GOOD._replace(on_mains=False, battery=0.33, idle=60)
    commits = wiki.commits()

    doc = sleep(wiki, weak, weak._replace(idle=0))

    assert doc["decision"]["depth"] == "slice"
    assert doc["stopped"] == "Somebody came back to the keyboard."
    assert wiki.commits() == commits
    # the first step ended, so that CONSOLIDATE tells nothing of its pace
    assert wakes.read_wakes(wiki.ws.place).pace == wakes.FASTEST


def test_a_slice_of_what_waited_six_days_is_finished_beside_the_person(
    wiki: Wiki,
) -> None:
    wiki.ingest("The office in Kiel opens at nine.")
    wiki.tick(days=6)
    weak = GOOD._replace(on_mains=False, battery=0.33, idle=60)
    commits = wiki.commits()

    doc = sleep(wiki, weak, weak._replace(idle=0))

    assert doc["outcome"] == "slept" and wiki.commits() == commits + 1


def test_a_consolidation_that_came_too_short_halves_the_next_slice(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    for town in ("Kiel", "Bonn", "Ulm", "Trier"):
        wiki.ingest(f"The office in {town} opens at nine.")
    wiki.tick(days=5)
    weak = GOOD._replace(on_mains=False, battery=0.33)

    def takes_too_long(*_: Any, **__: Any) -> None:
        raise safe_points.Woken(Stop("time is up", "Its time was up."))

    with monkeypatch.context() as slow:
        slow.setattr(consolidating, "consolidate", takes_too_long)
        assert sleep(wiki, weak)["stopped"] == "Its time was up."
    assert wakes.read_wakes(wiki.ws.place).pace == wakes.FASTEST / 2

    assert sleep(wiki, weak)["outcome"] == "slept"
    assert wakes.read_wakes(wiki.ws.place).pace == wakes.FASTEST * 0.625


def test_a_model_server_that_is_down_keeps_its_notes_and_no_other_step(
    wiki: Wiki,
) -> None:
    config = ".companion/companion.yaml"
    wiki.write(config, wiki.read(config) + "reasoner: llm\nmodel: none\n")
    wiki.commit()
    for text in ("Anna lives in Kiel.", "Anna lives in Bonn, not in Kiel."):
        told = wiki.ingest(text)
    wiki.tick(hours=2)

    doc = sleep(wiki)

    assert outcomes(doc)["consolidate"] == "failed" and doc["exit_code"] == 69
    assert "knows no model 'none'" in doc["steps"][2]["words"]
    assert outcomes(doc)["decay"] == "nothing"
    assert told and wiki.journal().open_count() == 2
    check_health(wiki)

    wiki.write(config, wiki.read(config).partition("reasoner: llm")[0])
    wiki.commit()
    wiki.tick(hours=2)
    assert sleep(wiki)["outcome"] == nights.SLEPT
    assert wiki.journal().open_count() == 0


def test_a_disk_that_fills_half_way_costs_one_step_and_no_note(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("Anna moved to Kiel.", "Ben moved to Bonn.")
    told = wiki.ingest(*texts)
    wiki.tick(hours=2)
    commits = wiki.commits()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(publication, "publish_writes", full)
        doc = sleep(wiki)

    assert outcomes(doc)["consolidate"] == "failed"
    assert "No space left on device" in doc["steps"][2]["words"]
    assert outcomes(doc)["decay"] == "nothing" and doc["exit_code"] == 74
    assert wiki.commits() == commits
    held = {
        done["id"]: text.encode()
        for done, text in zip(told, texts, strict=True)
    }
    check_captures(wiki, held)
    check_health(wiki)

    wiki.tick(hours=2)
    assert sleep(wiki)["outcome"] == "slept"
    assert wiki.commits() == commits + 1


def test_a_drive_removed_in_the_middle_costs_this_night_only(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = ("Anna moved to Kiel.", "Ben moved to Bonn.")
    told = wiki.ingest(*texts)
    wiki.tick(hours=2)
    commits = wiki.commits()
    publish = publication.publish_writes

    def pull_out(*words: Any, **options: Any) -> Any:
        wiki.root.rename(tmp_path / "away")
        return publish(*words, **options)

    with monkeypatch.context() as drive:
        drive.setattr(publication, "publish_writes", pull_out)
        with pytest.raises(safe_points.WikiGone, match="went away"):
            sleep(wiki)
    assert not wiki.root.exists(), "nothing was written in its place"

    (tmp_path / "away").rename(wiki.root)
    assert wiki.commits() == commits
    held = {
        done["id"]: text.encode()
        for done, text in zip(told, texts, strict=True)
    }
    check_captures(wiki, held)
    check_health(wiki)
    wiki.tick(hours=2)
    assert sleep(wiki)["outcome"] == "slept"
    assert wiki.commits() == commits + 1


def test_the_vector_names_the_buffer_and_the_next_session(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.", "Ben moved to Bonn.")
    words = dict(sleep(wiki, dry_run=True)["words"])

    assert words["buffer"] == "1% full; 200 notes or 50 sources wake a night"
    assert words["next session"] == "not predicted"
    names = {"last use", "last night", "a night", "rhythm", "usual hours"}
    body = {"processor", "heat", "battery", "network", "disk"}
    assert names | body <= words.keys()
