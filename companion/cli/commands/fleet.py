"""`companion fleet`: nights of many wikis at once."""

from collections.abc import Iterator

from companion.cli.errors import Usage, no_such_action
from companion.cli.format import Doc
from companion.cli.lines import Field
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Do the night of many wikis at once.\n\n"
    "A shard is one ordinary wiki. `night SHARD...` does the ordinary night of each (notes "
    "become pages, unused pages fade, pages are tested), in processes of its own, or on Dask or "
    "Ray; a worker that is lost is replaced, and a shard that cannot sleep is set aside with its "
    "reason. `status SHARD...` tells what waits. `project SHARD...` brings what they hold into a "
    "PostgreSQL database, where `companion search --fleet` and `companion ask --fleet` find it; "
    "`drop` takes it out again. `compare SHARD...` tells each what others there say differently of "
    "its subjects: its next night weighs that. `work` does one job from standard input: fleets "
    "call it.",
    argument=Argument(
        "action",
        "ACTION",
        "night SHARD..., status SHARD..., project SHARD..., compare SHARD..., "
        "drop, or work.",
        True,
        True,
    ),
    options=(
        Option(
            "workers",
            ("--workers",),
            "How many nights at a time; else 2.",
            "count",
            metavar="N",
        ),
        Option(
            "engine",
            ("--engine",),
            "What runs the workers.",
            "choice",
            default="processes",
            choices=("processes", "dask", "ray"),
        ),
        Option(
            "address",
            ("--address",),
            "A running Dask scheduler or Ray cluster; else one is started here.",
            metavar="ADDRESS",
        ),
        Option(
            "database",
            ("--database",),
            "A PostgreSQL database: a URL, or service=NAME of libpq.",
            metavar="DATABASE",
        ),
    ),
)


def run(
    ui: Ui,
    *,
    action: list[str],
    workers: int | None,
    engine: str,
    address: str | None,
    database: str | None,
) -> int:
    """Do one action; raises Usage if *action* is none."""
    match action:
        case ["night", *shards] if shards:
            return _night(ui, shards, workers, engine, address)
        case ["status", *shards] if shards:
            return _status(ui, shards)
        case ["project", *shards] if shards:
            return _project(ui, shards, _named(database))
        case ["compare", *shards] if shards:
            return _compare(ui, shards, _named(database))
        case ["drop"]:
            return _drop(ui, _named(database))
        case ["work"]:
            return _work()
        case _:
            raise no_such_action(
                "fleet",
                "night, status, project or compare with SHARD..., or drop",
                action,
                ("night", "status", "project", "compare", "drop"),
            )


def _night(
    ui: Ui,
    shards: list[str],
    workers: int | None,
    engine: str,
    address: str | None,
) -> int:
    from companion.fleet.engines.choose import open_engine
    from companion.fleet.night import WORKERS, sleep_shards
    from companion.values.time import format_instant
    from companion.workspace import fixed_now, real_now

    at = fixed_now() or format_instant(real_now())
    many_at_once = workers or WORKERS
    with open_engine(engine, many_at_once, address) as do:
        near = address is None
        doc = sleep_shards(shards, at, many_at_once, do, near=near)
    ui.result(doc, text(doc))
    return doc["exit_code"]


def _status(ui: Ui, shards: list[str]) -> int:
    from companion.fleet.night import read_shards

    doc = read_shards(shards)
    ui.result(doc, text(doc))
    return doc["exit_code"]


def _named(database: str | None) -> str:
    """Return the database that was named. Raises Usage."""
    if database is None:
        raise Usage(
            "which database?",
            hint="`--database postgresql://host/name`, or `--database service=NAME`.",
        )
    return database


def _project(ui: Ui, shards: list[str], database: str) -> int:
    from companion.fleet.together.project import project

    doc = project(shards, database)
    ui.result(doc, text(doc))
    return doc["exit_code"]


def _compare(ui: Ui, shards: list[str], database: str) -> int:
    from companion.fleet.together.compare import compare_shards

    doc = compare_shards(shards, database)
    ui.result(doc, text(doc))
    return doc["exit_code"]


def _drop(ui: Ui, database: str) -> int:
    from companion.fleet.together.project import drop

    doc = drop(database)
    ui.result(doc, text(doc))
    return 0


def _work() -> int:
    """Answer the job on standard input, whatever --json says."""
    import sys

    from companion.fleet.work import work_on

    answer = work_on(sys.stdin.buffer.read())
    sys.stdout.buffer.write(answer)
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield what became of the nights, what waits, or what is in the database now."""
    if "dropped" in doc:
        count = many(doc["dropped"], "shard")
        yield f"{count} taken out of the database; the shards are as they were"
    elif "compared" in doc:
        yield from compare_text(doc)
    elif "projected" in doc:
        yield from project_text(doc)
    elif "at" in doc:
        yield from night_text(doc)
    else:
        yield from status_text(doc)


def project_text(doc: Doc) -> Iterator[str]:
    """Yield which state of each shard is in the database."""
    for one in doc["projected"]:
        if one["problem"] or one["tree"] is None:
            yield from _set_aside(one)
        else:
            how = "brought up to" if one["replaced"] else "is at"
            yield f"{one['shard']}: {how} tree {one['tree'][:12]}"
    yield from _total(doc)


def compare_text(doc: Doc) -> Iterator[str]:
    """Yield what concerns which shard, and what became of it there."""
    for one in doc["findings"]:
        yield f"{one['owner']}: {one['kind']}: {one['about']}: {one['reason']}"
    for one in doc["compared"]:
        if one["problem"]:
            yield from _set_aside(one)
        else:
            notes = many(one["notes"], "note")
            yield f"{one['shard']}: {notes} more for its next night"
    yield from _total(doc)


def night_text(doc: Doc) -> Iterator[str]:
    """Yield what each shard's night came to."""
    for one in doc["shards"]:
        if one["problem"]:
            yield from _set_aside(one)
        else:
            yield from _steps_text(one)
    yield from _total(doc)


def _steps_text(one: Doc) -> Iterator[str]:
    """Yield what the steps of one shard's night came to."""
    lost = one["workers"] - 1
    again = f", after {many(lost, 'lost worker')}" if lost else ""
    is_quiet = True
    for step in one["steps"]:
        if step["exit_code"]:
            yield f"{one['shard']}: {step['name']} failed: {step['words']}"
        elif step["run"] is not None:
            yield f"{one['shard']}: run {step['run']}{again}"
        else:
            continue
        is_quiet = False
    if is_quiet:
        yield f"{one['shard']}: there was nothing to do."


def status_text(doc: Doc) -> Iterator[str]:
    """Yield what waits in each shard."""
    for one in doc["shards"]:
        if one["problem"]:
            yield from _set_aside(one)
        else:
            notes = many(one["waiting"], "note")
            yield f"{one['shard']}: {notes} not in a page yet"
    yield from _total(doc)


def _set_aside(one: Doc) -> Iterator[str]:
    yield f"{one['shard']}: set aside: {one['problem']}"
    if one["hint"]:
        yield f"  {one['hint']}"


def _total(doc: Doc) -> Iterator[str]:
    for name in ("projected", "compared", "shards"):
        if name in doc:
            break
    total = many(len(doc[name]), "shard")
    yield Field("total", f"{total}, {doc['set_aside']} set aside")
