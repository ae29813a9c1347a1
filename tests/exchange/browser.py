"""`python -m tests.exchange.browser [OUT]`: every sample page in a real browser without a network.

Steps through each game, looks for complaints, runs axe-core, takes pictures on a phone and a desk, light and dark, and
prints.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.exchange.devtools import Tab
from tests.exchange.looking import Looking, looked
from tests.exchange.samples import SAMPLES, Sample, sample

SCREENS: Mapping[str, tuple[int, int, bool]] = {
    "phone-320": (320, 640, True),
    "phone": (390, 844, True),
    "tablet": (768, 1024, True),
    "desk": (1280, 900, False),
}
SMALL = """[...document.querySelectorAll('button, a[href], input, summary, label')].filter((one) => {
  const box = one.getBoundingClientRect();
  const inline = getComputedStyle(one).display === 'inline';
  return box.width && !inline && (box.height < 44 && !one.closest('.was') || box.width < 24)
    && !one.classList.contains('skip') && !(one.matches('input[type=radio]') && one.closest('label'));
}).map((one) => one.outerHTML.slice(0, 90))"""


def main(out: str | None = None) -> int:
    return looked(out, _all_checked)


def _all_checked(looking: Looking) -> int:
    failed = [one for one in SAMPLES if not _checked(looking, one)]
    print(f"{len(SAMPLES) - len(failed)} pages passed, {len(failed)} failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


def _checked(looking: Looking, name: str) -> bool:
    """One page from end to end; what is wrong with it is printed."""
    tab, pictures = looking.tab, looking.pictures
    one = sample(name)
    file = pictures / f"{name}.html"
    raw = one.page()
    file.write_bytes(raw)
    url = file.resolve().as_uri()
    tab.complaints.clear()
    tab.requests.clear()
    wrong = _stepped(tab, url, one)
    wrong += _moved_about(tab, url, one)
    wrong += _by_keys(tab, url, one)
    wrong += _varied(tab)
    wrong += _still(tab, url, pictures / f"{name}-still.png", one)
    wrong += _downloaded(tab, one, pictures)
    for screen, (width, height, is_phone) in SCREENS.items():
        for scheme in ("light", "dark"):
            wrong += _pictured(tab, url, pictures / f"{name}-{screen}-{scheme}.png", (width, height), scheme, is_phone)
            wrong += looking.accessible(url, f"{screen} {scheme}")
    (pictures / f"{name}.pdf").write_bytes(_printed(tab, url))
    wrong += [f"complaint: {complaint}" for complaint in tab.complaints]
    foreign = [asked for asked in tab.requests if not asked.startswith(("file:", "data:", "blob:"))]
    wrong += [f"asked the network for {asked}" for asked in foreign]
    print(f"{name}: {len(raw):,} bytes, log {len(one.raw):,}, {len(one.done.events)} events, {len(wrong)} wrong")
    for each in wrong:
        print(f"  {each}")
    return not wrong


def _stepped(tab: Tab, url: str, one: Sample) -> list[str]:
    """From the start to the end by button and key, each sentence seen, and by links."""
    wrong = []
    tab.ask("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    tab.goto(url)
    steps = len(one.done.events)
    tab.key("Home")
    seen = [tab.run("document.querySelector('#now .sentence').textContent")]
    for step in range(steps):
        if step % 2:
            tab.key("ArrowRight")
        else:
            tab.run("document.getElementById('forward').click()")
        seen.append(tab.run("document.querySelector('#now .sentence').textContent"))
    told = tab.run("[...document.querySelectorAll('#standing .say')].map((said) => said.textContent)")
    shown = [sentence if sentence.endswith(said) else "" for sentence, said in zip(seen, told, strict=True)]
    if "" in shown or len(told) != steps + 1:
        wrong.append(f"expected {steps + 1} sentences one after the other, found other ones")
    if not tab.run("document.getElementById('forward').disabled"):
        wrong.append("expected the last step to be the end")
    tab.key("Home")
    tab.key("End")
    last = tab.run("document.querySelector('[aria-current=step]').id")
    if steps and last != f"e{one.done.name_of(one.done.events[-1])}":
        wrong.append(f"expected End to be the last event, found '{last}'")
    recorded = tab.run("histories.recorded.map((step) => step.id)")
    for id_ in recorded:
        tab.run(f"jump({json.dumps(id_)})")
    if recorded and not tab.run("document.getElementById('standing').hidden"):
        wrong.append("expected the history as recorded, found the one that stands")
    if tab.run("document.querySelectorAll('img, iframe, object, embed').length"):
        wrong.append("expected no image, found one")
    return wrong


INSIDE = """(() => {
  const [list, box] = [byId('moves'), document.querySelector('[aria-current=step]').getBoundingClientRect()];
  return list.scrollHeight <= list.clientHeight + 1 || (box.top >= 0 && box.top < window.innerHeight);
})()"""
AT = "document.querySelector('[aria-current=step]').id"


def _moved_about(tab: Tab, url: str, one: Sample) -> list[str]:
    """It opens at the beginning or where the address says; f and n go on to findings and notes, a finger steps."""
    names = [one.done.name_of(event) for event in one.done.events]
    if not names:
        return []
    wrong = []

    def expect(id_: str, after: str) -> None:
        found = tab.run(AT)
        if found != id_:
            wrong.append(f"expected {id_} after {after}, found {found}")

    tab.goto("about:blank")
    tab.goto(url)
    expect("e0", "opening")
    for address in (names[-1], f"e{names[-1]}"):
        tab.goto("about:blank")
        tab.goto(f"{url}#{address}")
        expect(f"e{names[-1]}", f"opening #{address}")
    if tab.run("document.getElementById('link').hash") != f"#e{names[-1]}":
        wrong.append("expected a link to this move, found another one")
    for key, kind in (("f", "finding"), ("n", "remark")):
        with_it = tab.run(
            f"histories.standing.map((step) => step.id).filter((id) => byId(id).querySelector('.{kind}'))"
        )
        tab.run("document.activeElement.blur()")
        tab.key("Home")
        # round about once, and not to the start, where the first one may stand
        for id_ in [*(id_ for id_ in with_it if id_ != "e0"), *with_it][: len(with_it)]:
            tab.key(key)
            expect(id_, key)
    tab.run("window.scrollTo(0, 0)")
    tab.key("End")
    if not tab.run(INSIDE):
        wrong.append("expected the last move in the window, found it outside")
    tab.key("Home")
    tab.run("byId('table').scrollIntoView()")
    height = tab.run("byId('table').getBoundingClientRect().top") + 40
    for start, end, at in ((300, 100, f"e{names[0]}"), (100, 300, "e0")):
        tab.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": start, "y": height}])
        tab.ask("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": end, "y": height}])
        tab.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        expect(at, "a finger")
    return wrong


def _by_keys(tab: Tab, url: str, one: Sample) -> list[str]:
    """Keys play at a pace, go round by round and list themselves; after the last move stands where points came from."""
    steps = len(one.done.events)
    if not steps:
        return []
    wrong = []

    def expect(found: Any, expected: Any, what: str) -> None:
        if found != expected:
            wrong.append(f"expected {what} {expected}, found {found}")

    tab.goto("about:blank")
    tab.goto(url)
    rounds = [position for position, _ in one.done.list_rounds()]
    for position in rounds:
        tab.key("r")
        expect(tab.run("at"), position, "the round at")
    for position in reversed(rounds[:-1]):
        tab.key("R")
        expect(tab.run("at"), position, "the round before at")
    tab.key("?")
    expect(tab.run("Number(byId('keys').open)"), 1, "open lists of keys:")
    tab.key("End")
    tab.run("byId('hide-keys').click()")
    expect(tab.run("Number(byId('keys').open)"), 0, "open lists of keys:")
    tab.key("Home")
    expect(tab.run("byId('end').childElementCount"), 0, "parts before the end:")
    for key in "+++-":
        tab.key(key)
    expect(tab.run("byId('pace').value"), "2", "the pace")
    tab.key("+")
    tab.run("document.activeElement.blur()")
    tab.key(" ")
    tab.run("new Promise((done) => setTimeout(done, 1000))")
    expect(tab.run("Math.min(at, 2)"), min(steps, 2), "at least so many moves by itself:")
    # a short game has ended by now
    if tab.run("playing > 0"):
        tab.key("p")
    expect(tab.run("playing"), 0, "a stopped clock")
    tab.key("End")
    expect(tab.run("byId('end').querySelectorAll('table').length"), 1, "tables of points at the end:")
    return wrong


def _varied(tab: Tab) -> list[str]:
    """A variation is stepped through from a click on one of its moves, and left for the game."""
    wrong = []
    for variation in tab.run("page.variations"):
        ids = [step["id"] for step in variation["steps"]]
        tab.run(f"document.querySelector('#standing a[href=\"#{ids[0]}\"]').click()")
        found = [tab.run(AT)]
        for _ in ids[1:]:
            tab.key("ArrowRight")
            found.append(tab.run(AT))
        if found != ids:
            wrong.append(f"expected the moves of a variation {ids}, found {found}")
        if tab.run("document.getElementById('standing').hidden || !document.getElementById('forward').disabled"):
            wrong.append("expected the end of a variation beside the moves of the game, found something else")
        tab.key("Escape")
        if tab.run(AT) != variation["base"]:
            wrong.append(f"expected to be back in the game at {variation['base']}, found {tab.run(AT)}")
    return wrong


DRAWN = """(() => {
  const board = document.createElement('div');
  const last = histories.standing[histories.standing.length - 1].seen;
  board.append(...draw(last, last));
  return board.innerHTML;
})()"""
STILL = """(() => {
  const still = document.querySelector('.still').cloneNode(true);
  still.querySelector('h2').remove();
  return still.innerHTML;
})()"""


def _still(tab: Tab, url: str, to: Path, one: Sample) -> list[str]:
    """Without scripts the last table is drawn, and it is the one that the script draws."""
    tab.ask("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    tab.goto(url)
    drawn = tab.run(DRAWN)
    tab.ask("Emulation.setScriptExecutionDisabled", value=True)
    tab.goto(url)
    is_there = tab.run("!!document.querySelector('.still')")
    still = tab.run(STILL) if is_there else ""
    shot: dict[str, Any] = tab.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
    to.write_bytes(base64.b64decode(shot["data"]))
    wide = tab.run("document.documentElement.scrollWidth")
    tab.ask("Emulation.setScriptExecutionDisabled", value=False)
    wrong = [f"expected a page of 1280 pixels without scripts, found {wide}"] if wide > 1280 else []
    if one.done.is_scores_only:
        return wrong + (["expected no table of an old score sheet, found one"] if is_there else [])
    return wrong + ([] if still == drawn else [f"expected without scripts {drawn}, found {still}"])


def _downloaded(tab: Tab, one: Sample, folder: Path) -> list[str]:
    """The link gives the log back."""
    target = folder / f"{one.done.header.game}.jsonl"
    target.unlink(missing_ok=True)
    tab.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve()))
    tab.run("document.getElementById('log').click()")
    for _ in range(100):
        if target.exists() and target.read_bytes() == one.raw:
            target.unlink()
            return []
        tab.run("new Promise((done) => setTimeout(done, 50))")
    return ["expected the log to be downloaded, found " + ("other bytes" if target.exists() else "nothing")]


def _pictured(tab: Tab, url: str, to: Path, size: tuple[int, int], scheme: str, is_phone: bool) -> list[str]:  # noqa: FBT001 - a field of the screen
    width, height = size
    tab.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
    tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    tab.goto(url)
    tab.run("show('standing', Math.floor(histories.standing.length * 0.6))")
    tab.run("new Promise((done) => setTimeout(done, 600))")
    tab.run("window.scrollTo(0, 0)")
    shot: dict[str, Any] = tab.ask("Page.captureScreenshot", format="png")
    to.write_bytes(base64.b64decode(shot["data"]))
    whole = tab.run("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": min(whole, 3200), "scale": 1}
    shot = tab.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    to.with_stem(f"{to.stem}-long").write_bytes(base64.b64decode(shot["data"]))
    wrong = []
    wide = tab.run("document.documentElement.scrollWidth")
    if wide > width:
        wrong.append(f"expected a page of {width} pixels, found {wide}")
    wrong += [f"smaller than a finger at {width}: {small}" for small in tab.run(SMALL)]
    return wrong


def _printed(tab: Tab, url: str) -> bytes:
    tab.ask("Emulation.clearDeviceMetricsOverride")
    tab.ask("Emulation.setEmulatedMedia", features=[])
    tab.goto(url)
    said = tab.ask("Page.printToPDF", printBackground=False, paperWidth=8.27, paperHeight=11.69)
    return base64.b64decode(said["data"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
