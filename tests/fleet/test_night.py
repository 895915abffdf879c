"""A fleet's night: the tree of a serial one, whatever happens to workers and to other shards."""

import json
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import __version__
from companion.fleet.engines.processes import work_in_process
from companion.fleet.night import read_shards, sleep_shards
from companion.fleet.protocol import (
    Answer,
    Job,
    OtherVersion,
    WorkerLost,
    encode,
    read_answer,
)
from companion.fleet.shards import land, pin
from companion.fleet.work import work, work_on
from companion.maintenance.remotes.device import name_device
from companion.storage.files import lock
from companion.values.time import format_instant
from tests.fleet.shards import (
    check_same,
    list_runs,
    runs,
    serial,
    shard,
    sleep_alone,
)
from tests.wiki import check_index


@pytest.mark.parametrize("near", [False, True])
def test_trees_and_runs_are_those_of_serial_nights(
    tmp_path: Path, near: bool
) -> None:
    wikis = [shard(tmp_path, number) for number in range(3)]
    twins = [
        serial(wiki, tmp_path / f"twin{number}")
        for number, wiki in enumerate(wikis)
    ]
    names = [str(wiki.root) for wiki in wikis]
    assert read_shards(names)["waiting"] == 12
    at = format_instant(twins[0].now)
    doc = sleep_shards([*names, names[0] + "/"], at, workers=3, near=near)
    assert doc["exit_code"] == 0, doc
    for wiki, twin, night in zip(wikis, twins, doc["shards"], strict=True):
        check_same(wiki, twin)
        assert set(list_runs(night["steps"])) <= set(runs(wiki))
        assert [step["name"] for step in night["steps"]][:2] == [
            "consolidate",
            "decay",
        ]
        assert night["commit"] == wiki.head
        assert night["workers"] == 1
    again = sleep_shards(names[:1], at)
    assert list_runs(again["shards"][0]["steps"]) == [], again
    check_same(wikis[0], twins[0])


def test_a_fleets_night_is_the_named_device_of_its_shard(
    tmp_path: Path,
) -> None:
    wiki = shard(tmp_path)
    name_device(wiki.ws, "office server")
    twin = serial(wiki, tmp_path / "twin")
    sleep_shards([str(wiki.root)], format_instant(twin.now))
    check_same(wiki, twin)
    assert "Companion-Device: office server" in wiki.git(
        "log", "-1", "--format=%B"
    )


@pytest.mark.parametrize("near", [False, True])
def test_a_second_night_follows_the_first(tmp_path: Path, near: bool) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    sleep_shards([str(wiki.root)], format_instant(twin.now), near=near)
    wiki.now = twin.now
    for one in (wiki, twin):
        one.ingest("Alice moved to Bern, not to Rome.")
        one.ingest("The staging database runs PostgreSQL 16 now.")
    sleep_alone(twin)
    sleep_shards([str(wiki.root)], format_instant(twin.now), near=near)
    check_same(wiki, twin)
    check_index(wiki)


@pytest.mark.parametrize(
    "where",
    [
        "publish.files:after",
        pytest.param("sync.tree:before", marks=pytest.mark.slow),
    ],
)
def test_a_worker_killed_in_the_middle_is_replaced(
    tmp_path: Path, where: str
) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    lost = []

    def kill_first(job: Job) -> Answer:
        if lost:
            return work_in_process(job)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COMPANION_FAULT", f"{where}:kill")
            try:
                return work_in_process(job)
            except WorkerLost as error:
                lost.append(str(error))
                raise

    at = format_instant(twin.now)
    doc = sleep_shards([str(wiki.root)], at, engine=kill_first)
    assert "-9" in lost[0]
    assert doc["shards"][0]["workers"] == 2
    check_same(wiki, twin)


def test_an_answer_that_is_lost_is_made_again(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    commits = []

    def lose_first(job: Job) -> Answer:
        answer = work(job)
        commits.append((job.result, answer.commit))
        if len(commits) == 1:
            raise WorkerLost
        return answer

    at = format_instant(twin.now)
    doc = sleep_shards([str(wiki.root)], at, engine=lose_first)
    assert doc["shards"][0]["workers"] == 2
    assert commits[0] == commits[1]
    check_same(wiki, twin)


def test_a_straggler_comes_too_late_for_a_shard_that_slept(
    tmp_path: Path,
) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")

    def be_late(job: Job) -> Answer:
        answer = work(job)
        if list_runs(answer.steps):
            wiki.ingest("Meanwhile somebody told this.")
            wiki.consolidate()
        return answer

    doc = sleep_shards(
        [str(wiki.root)], format_instant(twin.now), engine=be_late
    )
    night = doc["shards"][0]
    assert (night["workers"], list_runs(night["steps"])) == (2, []), doc
    assert wiki.commits() == twin.commits()
    assert read_shards([str(wiki.root)])["waiting"] == 0


def test_a_job_done_twice_lands_once(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    at = format_instant(twin.now)
    jobs = [pin(wiki.ws, at) for _ in range(2)]
    assert jobs[0].result == jobs[1].result
    answers = [work(job) for job in jobs]
    assert answers[0].commit == answers[1].commit == twin.head
    for job, answer in zip(jobs, answers, strict=True):
        assert land(wiki.ws, job, answer)
        assert wiki.head == twin.head


def test_a_damaged_shard_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    wikis = [shard(tmp_path, number) for number in range(3)]
    twin = serial(wikis[2], tmp_path / "twin")
    shutil.rmtree(wikis[0].root / ".git/objects/pack")
    (wikis[1].root / ".git/refs/heads/main").write_text("no commit\n")
    names = [str(wiki.root) for wiki in wikis]
    names.append(str(tmp_path / "none"))
    doc = sleep_shards(names, format_instant(twin.now))
    assert [bool(one["problem"]) for one in doc["shards"]] == [
        True,
        True,
        False,
        True,
    ], doc
    assert doc["set_aside"] == 3
    assert doc["exit_code"] == doc["shards"][0]["exit_code"] != 0
    check_same(wikis[2], twin)
    status = read_shards(names)
    assert "no companion wiki" in status["shards"][3]["problem"]


def test_a_page_of_your_own_in_the_way_is_kept(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    path = next(name for name in twin.files() if name.endswith(".md"))
    wiki.write(path, "mine\n")
    head = wiki.head
    doc = sleep_shards([str(wiki.root)], format_instant(twin.now))
    assert doc["set_aside"] == 1
    assert "adopt" in doc["shards"][0]["hint"]
    assert (wiki.read(path), wiki.head) == ("mine\n", head)


def test_what_was_told_in_private_stays(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    wiki.ingest("The code of the safe is in the blue book.", scope="private")
    twin = serial(wiki, tmp_path / "twin")
    bundles = []

    def look(job: Job) -> Answer:
        bundles.append(job.bundle)
        return work(job)

    sleep_shards([str(wiki.root)], format_instant(twin.now), engine=look)
    (bundle,) = bundles
    path = tmp_path / "job.bundle"
    path.write_bytes(bundle)
    heads = wiki.git("bundle", "list-heads", str(path))
    assert "refs/companion/buffer" in heads
    assert "private" not in heads
    assert "refs/companion/private" in wiki.git("for-each-ref")
    assert wiki.tree == twin.tree


def test_two_fleets_do_not_meet_on_one_shard(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    path = os.path.join(wiki.ws.place.state, "fleet.lock")
    with lock.lock_file(path, "a fleet"):
        doc = sleep_shards([str(wiki.root)], format_instant(wiki.now))
    assert doc["shards"][0]["exit_code"] == 75
    assert doc["shards"][0]["steps"] == []


def test_two_fleets_on_one_set_of_shards_do_each_night_once(
    tmp_path: Path,
) -> None:
    wikis = [shard(tmp_path, number) for number in range(2)]
    twins = [
        serial(wiki, tmp_path / f"twin{number}")
        for number, wiki in enumerate(wikis)
    ]
    names = [str(wiki.root) for wiki in wikis]
    at = format_instant(twins[0].now)
    with ThreadPoolExecutor(2) as pool:
        fleets = list(
            pool.map(
                lambda order: sleep_shards(order, at, 1), (names, names[::-1])
            )
        )
    for wiki, twin in zip(wikis, twins, strict=True):
        nights = [
            one
            for fleet in fleets
            for one in fleet["shards"]
            if one["shard"] == str(wiki.root)
        ]
        # the other found the shard taken, or nothing left to do
        assert {one["exit_code"] for one in nights} <= {0, 75}
        (night,) = {run for one in nights for run in list_runs(one["steps"])}
        assert night in runs(twin)
        check_same(wiki, twin)


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(OtherVersion, match=r"0\.0\.1"):
        read_answer(encode(Answer((), "commit", version="0.0.1")))
    with pytest.raises(WorkerLost):
        read_answer(b'{"run": ')


def test_a_worker_refuses_a_job_of_another_version(tmp_path: Path) -> None:
    wiki = shard(tmp_path)

    def ask_for_another(job: Job) -> Answer:
        return read_answer(work_on(encode(job._replace(version="0.0.1"))))

    doc = sleep_shards(
        [str(wiki.root)], format_instant(wiki.now), engine=ask_for_another
    )
    assert "0.0.1" in doc["shards"][0]["problem"], doc
    assert read_shards([str(wiki.root)])["waiting"] == 4


def test_a_worker_without_git_is_told_from_a_damaged_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    sent = []

    def lose_git_once(job: Job) -> Answer:
        sent.append(job)
        with pytest.MonkeyPatch.context() as patch:
            if len(sent) == 1:
                patch.setenv("PATH", str(tmp_path))
            return read_answer(work_on(encode(job)))

    at = format_instant(twin.now)
    doc = sleep_shards([str(wiki.root)], at, engine=lose_git_once)
    assert doc["shards"][0]["workers"] == 2, doc
    check_same(wiki, twin)


@pytest.mark.parametrize("years", [-30, 40])
def test_the_clock_of_a_worker_decides_nothing(
    tmp_path: Path, years: int
) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")

    def work_at_another_time(job: Job) -> Answer:
        wrong = time.time() + years * 365 * 86400
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.workspace.time.time", lambda: wrong)
            return work(job)

    at = format_instant(twin.now)
    sleep_shards([str(wiki.root)], at, engine=work_at_another_time)
    check_same(wiki, twin)


STEP = {
    "name": "decay",
    "outcome": "done",
    "words": "",
    "run": None,
    "exit_code": 0,
}
ANSWER_VALUES = st.one_of(
    st.lists(st.dictionaries(st.sampled_from([*STEP, "more"]), st.integers())),
    st.just([STEP]),
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=9),
    st.lists(st.text()),
)


@given(
    st.dictionaries(
        st.sampled_from((*Answer._fields, "more")), ANSWER_VALUES
    ).map(lambda fields: {"version": __version__, **fields})
)
def test_an_answer_of_strange_fields_is_none_or_harmless(
    fields: dict[str, object],
) -> None:
    try:
        answer = read_answer(json.dumps(fields).encode() + b"\nbundle")
    except WorkerLost as error:
        assert str(error)
        return
    assert isinstance(answer.problem, str) and isinstance(answer.hint, str)
    assert type(answer.exit_code) is int
    assert answer.commit is None or isinstance(answer.commit, str)
    assert all(step.keys() == STEP.keys() for step in answer.steps)


@pytest.mark.parametrize("what", ["cut", "another"])
def test_a_result_that_is_damaged_is_not_taken(
    tmp_path: Path, what: str
) -> None:
    wiki = shard(tmp_path)
    head = wiki.head

    def damage(job: Job) -> Answer:
        answer = work(job)
        if what == "cut":
            return answer._replace(bundle=answer.bundle[:-40])
        return answer._replace(commit="0" * 40)

    doc = sleep_shards(
        [str(wiki.root)], format_instant(wiki.now), engine=damage
    )
    assert "a worker's result is" in doc["shards"][0]["problem"], doc
    assert (wiki.head, wiki.status()) == (head, "")
    assert "refs/companion/fleet" not in wiki.git("for-each-ref")


def test_a_killed_worker_leaves_no_copy_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, alive = tmp_path / "companion-fleet-1", tmp_path / "companion-fleet-2"
    for folder in (dead, alive):
        folder.mkdir()
        (folder / "worker.lock").write_text("1 a fleet's worker\n")
    # of workers that have no lock yet: one was killed, the other begins
    killed, young = (
        tmp_path / "companion-fleet-3",
        tmp_path / "companion-fleet-4",
    )
    for folder in (killed, young):
        (folder / "wiki").mkdir(parents=True)
    os.utime(killed, (0, time.time() - 7200))
    wiki = shard(tmp_path)
    with lock.lock_file(str(alive / "worker.lock"), "a fleet's worker"):
        work(pin(wiki.ws, format_instant(wiki.now)))
    assert sorted(tmp_path.glob("companion-fleet-*")) == [alive, young]
    assert not dead.exists()


def test_workers_that_are_always_lost_leave_the_shard_as_it_was(
    tmp_path: Path,
) -> None:
    wiki = shard(tmp_path)
    jobs = []

    def lose(job: Job) -> Answer:
        jobs.append(job)
        raise WorkerLost("it was killed")

    head = wiki.head
    at = format_instant(wiki.now)
    doc = sleep_shards([str(wiki.root)], at, engine=lose)
    assert (len(jobs), doc["shards"][0]["problem"]) == (3, "it was killed")
    assert wiki.head == head
    assert read_shards([str(wiki.root)])["waiting"] == 4
