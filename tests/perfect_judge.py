"""A perfect judge for tests and benches: an OpenAI-like server on loopback that reads the prompts of
`companion.judges.llm.relate` and answers by a rule.

What it proves is the ceiling of everything behind the judge: what becomes of notes that were heard.
"""

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest import mock

MODEL = "perfect"

# (earlier words, later words) -> what it says of the two
Rule = Callable[[str, str], dict[str, Any]]

_TEXT = re.compile(
    r"^Text (\d+)[^\n]*:\n<source (\w+)>\n(.*?)\n</source \2>$", re.S | re.M
)
_QUESTION = re.compile(
    r"^\d+\. earlier: (?:text (\d+)|your knowledge); later: text (\d+)$", re.M
)


def say(
    label: str,
    *,
    opposition: float = 0.0,
    update: float = 0.0,
) -> dict[str, Any]:
    """Return an answer of which the judge is sure."""
    return {
        "label": label,
        "basis": "other",
        "confidence": 0.97,
        "opposition": opposition,
        "update": update,
    }


NEUTRAL = say("neutral")
CONTRADICTS = say("contradicts", opposition=0.95)
UPDATES = say("contradicts", opposition=0.9, update=0.95)


class PerfectJudge:
    """The server; it counts its calls and remembers what it was asked."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.prompts: list[str] = []
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        serve = self.http.serve_forever
        threading.Thread(target=serve, daemon=True).start()

    @property
    def address(self) -> str:
        """The base of its API."""
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def answer(self, prompt: str) -> str:
        """Return the typed answers to the questions of *prompt*."""
        self.prompts.append(prompt)
        words = {number: text for number, _, text in _TEXT.findall(prompt)}
        answers = []
        for place, (earlier, later) in enumerate(_QUESTION.findall(prompt), 1):
            said = self.rule(words.get(earlier, ""), words[later])
            answers.append({"question": place, **said})
        return json.dumps({"answers": answers})

    def close(self) -> None:
        """Stop serving."""
        self.http.shutdown()
        self.http.server_close()


@contextmanager
def serve_judge(rule: Rule, folder: Path) -> Iterator[PerfectJudge]:
    """Let the `llm` library, with its settings in *folder*, know the judge as `perfect`."""
    judge = PerfectJudge(rule)
    entry = (
        f"- model_id: {MODEL}\n  model_name: {MODEL}\n"
        f"  api_base: {judge.address}\n  supports_schema: true\n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "extra-openai-models.yaml").write_text(entry)
    settings = {"LLM_USER_PATH": str(folder), "OPENAI_API_KEY": "none"}
    with mock.patch.dict(os.environ, settings):
        try:
            yield judge
        finally:
            judge.close()


def _handler_of(judge: PerfectJudge) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))
            answer = judge.answer(asked["messages"][-1]["content"])
            body = json.dumps(_describe_completion(answer)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    return Handler


def _describe_completion(answer: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 100,
        "total_tokens": 1000,
    }
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [choice],
        "usage": usage,
    }
