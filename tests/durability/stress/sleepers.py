"""companion itself, as its own processes: nights, captures and reads."""

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tests.durability.stress import mutants
from tests.durability.stress.ground import Ground, Hand
from tests.living import Living

TOPICS = (
    "Harbour",
    "Ferry",
    "Orchard",
    "Lighthouse",
    "Bakery",
    "Tram",
    "Library",
    "Bridge",
)


class Wiki(Living):
    """The wiki, driven through the program under test, or one in which a defence is switched
    off.
    """

    def __init__(self, ground: Ground, root: Path | None = None) -> None:
        super().__init__(root or ground.wiki)
        if ground.mutant:
            self.program = [
                sys.executable,
                str(Path(mutants.__file__)),
                ground.mutant,
            ]


class Companion(Hand):
    """Runs companion and notes every call."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.wiki = Wiki(self.ground)

    def call(
        self,
        *argv: str,
        may: tuple[int, ...],
        stdin: bytes = b"",
        stop_after: float | None = None,
    ) -> Any:
        """Return the document of a call that must end with a code of *may*; None where it printed
        none.
        """
        begun = time.monotonic()
        child = self.wiki.start("--json", *argv)
        if stop_after is not None:
            time.sleep(stop_after)
            child.send_signal(signal.SIGINT)
        out, err = child.communicate(stdin, timeout=120)
        took, code = time.monotonic() - begun, child.returncode
        run = (
            _run_of(out)
            if argv[0] in ("adopt", "consolidate", "undo")
            else None
        )
        why = _error_of(out) if code == 75 else None
        self.note("call", verb=argv[0], code=code, took=took, run=run, why=why)
        if code not in may:
            self.note(
                "failed",
                what=f"{' '.join(argv)} ended with {code}",
                trace=(err + out).decode("utf-8", "replace"),
            )
        return json.loads(out) if code == 0 and out else None


def _run_of(out: bytes) -> str | None:
    try:
        found = json.loads(out).get("run")
    except ValueError:
        return None  # it was interrupted before it could say anything
    return None if found is None else str(found)


def _error_of(out: bytes) -> str:
    return str(json.loads(out)["error"]["message"])


class Night(Companion):
    """Adopts and consolidates again and again; at times takes a run back, or is told to stop."""

    kind = "night"

    def once(self) -> None:
        for verb in ("adopt", "consolidate"):
            stop = (
                self.random.uniform(0.1, 0.6)
                if self.random.random() < 0.08
                else None
            )
            # Python itself says 1, or dies, of a signal that comes before the program has begun.
            done = self.call(
                verb,
                may=(0, 75)
                if stop is None
                else (0, 75, 130, 1, -signal.SIGINT),
                stop_after=stop,
            )
            if done and done["run"] and self.random.random() < 0.1:
                self.call("undo", done["run"], may=(0, 1, 75))
        # The second one is there to find the first at work.
        self.rest(0.0, 0.4 if self.number == 0 else 8.0)


class Capture(Companion):
    """Captures, at times under the title of a page, and at times as a stream."""

    kind = "capture"

    def once(self) -> None:
        tokens = [self.token() for _ in range(self.random.choice((1, 1, 2, 5)))]
        self._stream(tokens) if self.random.random() < 0.2 else self._bulk(
            tokens
        )
        self.rest(0.1, 1.0)

    def _bulk(self, tokens: list[str]) -> None:
        titles = [self.random.choice((*TOPICS, None)) for _ in tokens]
        notes = [
            {"text": f"Something new, {t}.", "title": title}
            for t, title in zip(tokens, titles, strict=True)
        ]
        done = self.call(
            "ingest",
            "--jsonl",
            "-",
            may=(0,),
            stdin="".join(json.dumps(note) + "\n" for note in notes).encode(),
        )
        if done:
            for token, capture in zip(tokens, done["captures"], strict=True):
                self.note(
                    "wrote",
                    token=token,
                    capture=capture["id"],
                    state=capture["status"],
                )

    def _stream(self, tokens: list[str]) -> None:
        child = self.wiki.start("--json", "triage", "-")
        assert child.stdin and child.stdout
        for token in tokens:
            child.stdin.write(f"Said in passing, {token}.\n".encode())
            child.stdin.flush()
            said = json.loads(child.stdout.readline())
            self.note(
                "wrote", token=token, capture=said["id"], state=said["status"]
            )
            self.rest(0.0, 0.3)
        child.communicate(timeout=60)
        self.note(
            "call", verb="triage", code=child.returncode, took=0.0, run=None
        )
        if child.returncode != 0:
            self.note(
                "failed", what=f"triage ended with {child.returncode}", trace=""
            )


class Read(Companion):
    """Searches, shows and asks for the status: none may fail, and none may wait for anybody."""

    kind = "read"

    def once(self) -> None:
        topic = self.random.choice(TOPICS)
        # 1: no page has that name now; 2: more than one has.
        if self.random.random() < 0.4:
            self.call("search", topic, may=(0, 1))
        elif self.random.random() < 0.5:
            self.call("show", topic, may=(0, 1, 2))
        else:
            self.call("status", may=(0,))
        self.rest(0.05, 0.4)
