"""Dask and Ray as they are, on two cores: the trees of serial nights, with every worker killed once."""

import importlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.commands import fleet as verb
from companion.fleet.engines.choose import NoAddress, open_engine
from companion.fleet.night import sleep_shards
from companion.fleet.protocol import Job, WorkerLost
from companion.fleet.work import work_on
from companion.values.time import format_instant
from tests.fleet.shards import check_same, serial, shard

ENGINES = [
    pytest.param("dask", marks=pytest.mark.needs("distributed")),
    pytest.param("ray", marks=pytest.mark.needs("ray")),
]


def kill_once(folder: Path) -> Callable[[bytes], bytes]:
    """Work that is killed in the middle at its first attempt of each job."""
    names = str(folder)

    def work(parcel: bytes) -> bytes:
        import hashlib

        name = hashlib.sha256(parcel).hexdigest()
        try:
            with open(os.path.join(names, name), "x"):
                pass
        except FileExistsError:
            return work_on(parcel)
        os.environ["COMPANION_FAULT"] = "publish.files:after:kill"
        return work_on(parcel)

    return work


@pytest.mark.parametrize("engine", ENGINES)
def test_every_worker_is_killed_once_and_no_tree_differs(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wikis = [shard(tmp_path, number) for number in range(4)]
    twins = [
        serial(wiki, tmp_path / f"twin{number}")
        for number, wiki in enumerate(wikis)
    ]
    kills = tmp_path / "kills"
    kills.mkdir()
    monkeypatch.setattr("companion.fleet.work.work_on", kill_once(kills))
    at = format_instant(twins[0].now)
    with open_engine(engine, 2) as do:
        names = [str(wiki.root) for wiki in wikis]
        doc = sleep_shards(names, at, 2, do, near=True)
    assert doc["exit_code"] == 0, doc
    assert len(list(kills.iterdir())) == 4
    for wiki, twin in zip(wikis, twins, strict=True):
        check_same(wiki, twin)


@pytest.mark.needs("distributed")
def test_a_dask_that_has_lost_all_workers_gives_the_job_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A night waited for ever."""
    from companion.fleet.engines import on_dask

    monkeypatch.setattr(on_dask, "_LOOK", 0.1)
    monkeypatch.setattr(on_dask, "_ALONE", 0.3)
    job = Job("refs/heads/main", "", {}, "0" * 40, None, "2026-11-01T08:00:00Z")
    with (
        on_dask.open_dask(0, None, bytes) as do,
        pytest.raises(WorkerLost, match="no worker of Dask is left"),
    ):
        do(job)


class Elsewhere:
    """What a worker cannot load: its companion has no such module."""

    def __reduce__(self) -> tuple[object, ...]:
        return importlib.import_module, ("companion.of_another_version",)


def need(what: Elsewhere) -> Callable[[bytes], bytes]:
    def work(parcel: bytes) -> bytes:
        return parcel if what else b""

    return work


@pytest.mark.parametrize("engine", ENGINES)
def test_workers_with_another_companion_leave_the_shard_as_it_was(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = shard(tmp_path)
    head = wiki.head
    monkeypatch.setattr("companion.fleet.work.work_on", need(Elsewhere()))
    with open_engine(engine, 1) as do:
        doc = sleep_shards([str(wiki.root)], format_instant(wiki.now), 1, do)
    (night,) = doc["shards"]
    assert night["exit_code"] == WorkerLost.exit_code, doc
    assert "companion" in night["problem"]
    assert wiki.head == head


@pytest.mark.parametrize("engine", ENGINES)
def test_no_cluster_at_that_address(engine: str) -> None:
    from companion.errors import TryLater

    address = "tcp://127.0.0.1:1" if engine == "dask" else "127.0.0.1:1"
    opened = open_engine(engine, 2, address)
    with pytest.raises(TryLater, match="answers at"), opened:
        pass


def test_processes_have_no_address() -> None:
    with pytest.raises(NoAddress), open_engine("processes", 2, "tcp://a:1"):
        pass
    (option,) = [one for one in verb.SPEC.options if one.name == "engine"]
    assert option.choices == ("processes", "dask", "ray")
