"""A worker's copy of a shard, as a job pins it: made of a bundle, or beside the shard's own folder.

Beside the folder, git reads the shard's objects where they lie, and what is derived (the index and
the vectors) is copied: so nothing is packed, moved or built anew. Both say which commit or content
they are of; what is missing or newer than the job's commit is brought there as after any pull.
"""

import os

from companion.fleet.protocol import Job
from companion.storage.cold import cold_memory
from companion.storage.files import durable
from companion.storage.files_in_git import leave_in_git
from companion.storage.git import layout, setup
from companion.storage.git.capture_buffer import BUFFER
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.index.schema import copy_database
from companion.storage.vectors import find_vectors

_OBJECTS = "shard-objects"


def copy_shard(job: Job, folder: str) -> Place:
    """Return the place of a copy of the shard in the empty *folder*, as *job* pins it."""
    setup.create(folder)
    place = layout.make_place(os.path.join(folder, job.prefix))
    assert place is not None
    setup.configure(place, list(job.settings.items()))
    run_git(place, "symbolic-ref", "HEAD", job.branch)
    beside = os.path.dirname(folder)
    if job.folder:
        _borrow(job, place, beside)
    else:
        _unpack(job, place, beside)
    run_git(place, "update-ref", job.branch, job.tip)
    for ref, tree in ((BUFFER, job.buffer), (cold_memory.REF, job.cold)):
        if tree is not None:
            run_git(place, "update-ref", ref, tree)
    leave_in_git(place)
    return place


def _unpack(job: Job, place: Place, beside: str) -> None:
    """Take in the objects of the job's bundle."""
    path = os.path.join(beside, "job.bundle")
    with open(path, "wb") as file:
        file.write(job.bundle)
    kept = [f"+{ref}*:{ref}*" for ref in (BUFFER, cold_memory.REF)]
    fetch = ("fetch", "--quiet", "--no-tags", "--update-head-ok")
    run_git(place, *fetch, path, f"+{job.branch}:{job.branch}", *kept)


def _borrow(job: Job, place: Place, beside: str) -> None:
    """Read the objects of the shard in its folder, and copy what is derived of them."""
    shard = layout.find_place(job.folder)
    # git reads one path a line here: this one has no line break, whatever the shard's is called
    link = os.path.join(beside, _OBJECTS)
    os.symlink(os.path.join(shard.common_dir, "objects"), link)
    info = os.path.join(place.common_dir, "objects", "info", "alternates")
    durable.write_new(info, f"{link}\n".encode(), sync=False)
    durable.make_dirs(place.state, mode=0o700)
    copy_database(shard.index_db, place.index_db)
    copy_database(find_vectors(shard.state), find_vectors(place.state))
