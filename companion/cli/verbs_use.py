"""The verbs about use: one app call each, one answer printed."""

from companion.cli.output import Ui

NOTHING_FOUND = 1


def feedback(ui: Ui, *, verdict: list[str], agent: str | None) -> int:
    from companion.cli import render_use
    from companion.usage.feedback import list_queries, record_feedback
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    if verdict:
        said, *target = verdict
        doc = record_feedback(ws, said, " ".join(target) or None)
        ui.result(doc, render_use.feedback)
        if said.lower() == "wrong":
            ui.hint("what is so instead is worth a note: `companion ingest`.")
        return 0
    doc = list_queries(ws)
    ui.result(doc, render_use.feedback)
    if not doc["queries"]:
        ui.hint("nothing was asked or searched yet.")
        return NOTHING_FOUND
    ui.hint("`companion feedback good|bad ID` says what you think of one, without ID of the last.")
    return 0
