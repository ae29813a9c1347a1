"""A headless Chromium without a network, spoken to over two pipes: no driver, no socket, no package."""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 30.0


class Tab:
    """One page of a browser. What the page complains of and asks the network for is kept."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._held = b""
        self._last = 0
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._loaded = False

    def open(self) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._last += 1
        number = self._last
        session = {"sessionId": self._session} if self._session else {}
        os.write(
            self._write, json.dumps({"id": number, "method": method, "params": params, **session}).encode() + b"\0"
        )
        while True:
            said = self._next()
            if said.get("id") == number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return dict(said["result"])

    def goto(self, url: str) -> None:
        self._loaded = False
        self.ask("Page.navigate", url=url)
        while not self._loaded:
            self._next()

    def run(self, expression: str) -> Any:
        """What a script in the page comes to; a promise is waited for."""
        said = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            raise RuntimeError(str(said["exceptionDetails"]))
        return said["result"].get("value")

    def key(self, name: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._held:
            if not select.select([self._read], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing more")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise EOFError("the browser has left")
            self._held += part
        raw, _, self._held = self._held.partition(b"\0")
        said: dict[str, Any] = json.loads(raw)
        self._note(str(said.get("method", "")), said.get("params", {}))
        return said

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(params["args"]))
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {params['message']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])


@contextmanager
def browser(program: str, folder: Path) -> Iterator[Tab]:
    """A browser that ends with the block; its profile lies in the folder."""
    to_read, to_write = _high_pipe()
    from_read, from_write = _high_pipe()
    command = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--remote-debugging-pipe",
        f"--user-data-dir={folder / 'profile'}",
    ]
    started = subprocess.Popen(
        command,
        preexec_fn=_as_three_and_four(to_read, from_write),  # noqa: PLW1509 - no threads here, and 3 and 4 it must be
        pass_fds=(3, 4),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(from_write)
    try:
        tab = Tab(from_read, to_write)
        tab.open()
        yield tab
    finally:
        os.close(to_write)
        os.close(from_read)
        started.terminate()
        started.wait()


def _high_pipe() -> tuple[int, int]:
    """A pipe whose ends are neither 3 nor 4, which the browser wants."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]


def _as_three_and_four(read: int, write: int) -> Callable[[], None]:
    def settle() -> None:
        os.dup2(read, 3)
        os.dup2(write, 4)

    return settle
