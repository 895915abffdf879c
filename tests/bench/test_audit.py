"""A sample of what `python -m tests.bench suspensions` measures: planted entries in a wiki that is
lived in.
"""

from pathlib import Path

from companion.storage.index.tables.use import list_queries
from tests.bench import planted, suspensions
from tests.bench.planted import KINDS
from tests.usage.test_show import db


def test_what_leads_astray_goes_what_is_needed_stays_and_what_nobody_needs_is_lighter() -> (
    None
):
    names = ("harmful", "foundation, a hub", "dead weight")
    fates = suspensions.fates(
        101, [kind for kind in KINDS if kind.name in names], each=1
    )

    assert [(fate.kind, fate.result, fate.after) for fate in fates] == [
        ("harmful", "improved", "archived, lighter"),
        ("foundation, a hub", "degraded", "active"),
        ("dead weight", "unchanged", "active, lighter"),
    ]


def test_questions_come_on_record_by_real_reads_in_the_order_in_which_pages_were_opened(
    tmp_path: Path,
) -> None:
    made = planted.world(
        100, tmp_path / "wiki", 1, [KINDS[0]._replace(asked=(30, 30))]
    )
    planted.month(made, 0)

    queries = list_queries(db(made.wiki))
    ids = {made.wiki.show(each.title)["id"] for each in made.planted}
    passed_on = [query for query in queries if len(query.opened) == 2]
    assert len(queries) > 20 and {query.verb for query in queries} == {
        "search",
        "ask",
    }
    assert passed_on and all(query.opened[0] in ids for query in passed_on), (
        "who looks on opened the entry first"
    )
    assert any(
        query.shown.index(query.opened[0]) > query.shown.index(query.opened[1])
        for query in passed_on
    )
