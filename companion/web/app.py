"""The addresses of the web page, and what each answers. Only this file and `serve` use starlette.

One request works at a time, as commands of one person do: each opens the wiki anew, since a night
may have come in between.
"""

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from companion.errors import CompanionError
from companion.lookup.find import Ambiguous, find_target
from companion.lookup.index import current_index
from companion.lookup.time_words import read_as_of
from companion.reading.entry.show import show_target
from companion.usage.record_read import record_read
from companion.web import guard
from companion.web.elements import (
    address_of,
    bullets,
    element,
    link,
    write_page,
)
from companion.web.pages.branches import make_branch_page, make_branches_page
from companion.web.pages.entry import make_entry_page
from companion.web.pages.graph import make_graph_page
from companion.web.pages.linked import make_linked_page
from companion.web.pages.review import (
    make_question_page,
    make_review_page,
    record_answer,
)
from companion.web.pages.search import make_search_page
from companion.workspace import Workspace

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Open = Callable[[], Workspace]
Explain = Callable[[BaseException], CompanionError]
Page = Callable[[Workspace, Request], str | Response]

_NOT_FOUND = 404
_NO_CONTENT = 204
_LONGEST_ANSWER = 4096  # bytes of a form
_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "htmx.min.js": "text/javascript; charset=utf-8",
}
#: exit codes of errors as a browser knows them; the others are 500
_STATUS = {1: 404, 2: 400, 65: 400, 75: 503}


def make_app(
    open_wiki: Open, explain: Explain, port: int, token: str
) -> "ASGIApp":
    """Return the application of the wiki that *open_wiki* opens, behind its guard.

    *explain* makes of any exception an error that can be told.
    """
    turn = threading.Lock()

    def page(make: Page) -> Callable[[Request], Response]:
        """Return what answers a request by *make*; an error is a page, too."""

        def answer(request: Request) -> Response:
            """Answer one request, when its turn comes."""
            with turn:
                return _answer(make, open_wiki, explain, request)

        return answer

    async def post_answer(request: Request) -> Response:
        """Record an answer of `review`, and show the question again."""
        from starlette.concurrency import run_in_threadpool

        choice = await _read_choice(request)

        def record(ws: Workspace, request: Request) -> Response:
            """Record the answer in the name of the person."""
            id = request.path_params["id"]
            record_answer(ws, id, choice)
            return RedirectResponse(f"/review/{id}", 303)

        return await run_in_threadpool(page(record), request)

    routes = [
        Route("/", page(_search)),
        Route("/find", page(_find)),
        Route("/page/{id:path}", page(_entry)),
        Route("/graph", page(_graph)),
        Route("/links", page(_linked)),
        Route("/branches", page(lambda ws, _: make_branches_page(ws))),
        Route("/branches/{name}", page(_branch)),
        Route("/review", page(lambda ws, _: make_review_page(ws))),
        Route("/review/{id}", page(_question), methods=["GET"]),
        Route("/review/{id}", post_answer, methods=["POST"]),
        Route("/static/{name}", _send_static),
        Route("/favicon.ico", lambda _: Response(status_code=_NO_CONTENT)),
    ]
    return _Guarded(Starlette(routes=routes), port, token)


def _answer(
    make: Page, open_wiki: Open, explain: Explain, request: Request
) -> Response:
    try:
        made = make(open_wiki(), request)
    except Ambiguous as error:
        return HTMLResponse(_write_choice(error), 300)
    except Exception as error:  # noqa: BLE001 - nobody else would tell the person
        known = explain(error)
        status = _STATUS.get(known.exit_code, 500)
        return HTMLResponse(_write_error(known), status)
    return made if isinstance(made, Response) else HTMLResponse(made)


def _write_choice(error: Ambiguous) -> str:
    paths = [link(path, address_of(path)) for path in error.choices]
    return write_page("Which one?", element("h1", f"{error}"), bullets(paths))


def _write_error(error: CompanionError) -> str:
    hint = element("p", error.hint, klass="soft") if error.hint else ""
    return write_page("Not possible", element("h1", f"{error}"), hint)


# -- pages -----------------------------------------------------------------------------------------


def _search(ws: Workspace, request: Request) -> str:
    return make_search_page(ws, request.query_params.get("q", ""))


def _find(ws: Workspace, request: Request) -> Response:
    """Lead a link to the page that it names."""
    shown = show_target(ws, request.query_params.get("name", ""))
    return RedirectResponse(address_of(shown["id"]), 303)


def _entry(ws: Workspace, request: Request) -> str:
    id = request.path_params["id"]
    asked = request.query_params
    version = _read_number(asked.get("v", ""))
    as_of = asked.get("as_of") or None
    if as_of is not None:
        read_as_of(ws, as_of)
    made = make_entry_page(ws, id, version=version, as_of=as_of)
    if "HX-Request" not in request.headers:
        # A person who reads here reads: what they open must not fade. A slider that moves does not.
        journal = ws.journal()
        db = current_index(ws, journal)
        opened = find_target(ws, db, journal, id, words=True)
        record_read(ws, "show", "", [opened.id])
    return made


def _read_number(text: str) -> int | None:
    """Return a number of an address; None for what is none, or none that a person asks for."""
    return int(text) if text.isdecimal() and len(text) < 9 else None


def _linked(ws: Workspace, request: Request) -> str:
    asked = request.query_params
    after = _read_number(asked.get("after", "")) or 0
    return make_linked_page(ws, asked.get("page", ""), after)


def _graph(ws: Workspace, request: Request) -> str:
    return make_graph_page(ws, request.query_params.get("page"))


def _branch(ws: Workspace, request: Request) -> str:
    return make_branch_page(ws, request.path_params["name"])


def _question(ws: Workspace, request: Request) -> str:
    return make_question_page(ws, request.path_params["id"])


async def _read_choice(request: Request) -> str:
    """Return the answer of a form; what is none is empty."""
    from urllib.parse import parse_qs

    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST_ANSWER:
            return ""
    fields = parse_qs(body.decode("utf-8", "replace"))
    return fields.get("choice", [""])[0]


def _send_static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC:
        return PlainTextResponse("not found", _NOT_FOUND)
    folder = os.path.join(os.path.dirname(__file__), "static")
    with open(os.path.join(folder, name), "rb") as file:
        return Response(file.read(), media_type=_STATIC[name])


# -- the guard -------------------------------------------------------------------------------------


class _Guarded:
    """An application that answers only what `guard.judge` lets pass."""

    def __init__(self, app: "ASGIApp", port: int, token: str) -> None:
        self._app = app
        self._port = port
        self._token = token

    async def __call__(
        self, scope: "Scope", receive: "Receive", send: "Send"
    ) -> None:
        """Answer one request, with the headers that bind the browser."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        verdict = guard.judge(_describe(scope), self._port, self._token)
        app = self._app
        if verdict.status != 200:
            app = _refuse(verdict)

        async def send_guarded(message: "Message") -> None:
            """Send a part of the answer; the first with our headers."""
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                headers += [
                    (name.lower().encode(), value.encode())
                    for name, value in guard.HEADERS.items()
                ]
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, send_guarded)


def _describe(scope: "Scope") -> guard.Request:
    headers = {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in scope["headers"]
    }
    query = scope["query_string"].decode("latin-1")
    return guard.Request(scope["method"], scope["path"], query, headers)


def _refuse(verdict: guard.Verdict) -> Response:
    if verdict.location:
        response: Response = RedirectResponse(verdict.location, verdict.status)
        response.headers["set-cookie"] = verdict.cookie
        return response
    return PlainTextResponse(verdict.reason + "\n", verdict.status)
