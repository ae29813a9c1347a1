"""`python -m tests.analysis.browser [OUT]`: the page of every report in a real browser without a network.

Sorts each table by keys, looks for text that lies on text or is cut, for complaints and for what is asked of the
network, runs axe-core, and takes pictures on a phone and a desk, light and dark.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping

from spyrium_log.analysis.figures import Chart, Figure, Reported
from spyrium_log.analysis.page import report_page
from spyrium_log.analysis.reports import run_report
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.analysis.test_oracle import archive
from tests.analysis.test_pages import NEEDED
from tests.exchange.devtools import Tab
from tests.exchange.looking import Looking, looked

SCREENS: Mapping[str, tuple[int, int, bool]] = {
    "phone": (390, 844, True),
    "tablet": (768, 1024, True),
    "desk": (1280, 900, False),
}
TALLEST = 3200
ODD = (
    "W" * 9,
    "<<>>",
    "田中さくら",
    "Christopher-Alexander von Habsburg-Lothringen",
    "i",
    "MMMMMMMMMMMMMMMMMMMMMMMMMMMMM",
    "mw" * 40,
)
# Words of a picture that lie on each other or outside of it.
CLASHES = """[...document.querySelectorAll('[role=img]')].flatMap((picture) => {
  const frame = picture.getBoundingClientRect();
  const texts = [...picture.querySelectorAll('text')].filter((one) => one.getClientRects().length)
    .map((one) => [one.textContent, one.getBoundingClientRect()]);
  const out = texts.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
    || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(([said]) => `cut: ${said}`);
  const over = texts.flatMap(([said, box], at) => texts.slice(at + 1).filter(([, other]) => box.left < other.right - 1
    && other.left < box.right - 1 && box.top + 3 < other.bottom - 3 && other.top + 3 < box.bottom - 3)
    .map(([other]) => `${said} lies on ${other}`));
  return [...out, ...over];
})"""
# A click on every head, twice: what stands in a column is in order then, and what has no value stays below.
DISORDERS = """[...document.querySelectorAll('table')].flatMap((table) => [...table.tHead.rows[0].cells]
  .flatMap((head, column) => [1, 2].flatMap(() => {
    head.querySelector('button').click();
    const sign = head.getAttribute('aria-sort') === 'ascending' ? 1 : -1;
    const keys = [...table.tBodies[0].rows].map((row) => row.cells[column].dataset.value
      ?? row.cells[column].textContent);
    const is = (one, other) => one === '' ? other === '' : other === '' || sign * (head.classList.contains('number')
      ? Number(one) - Number(other) : one.localeCompare(other)) <= 0;
    return keys.slice(1).every((key, at) => is(keys[at], key)) ? [] : [`${head.textContent} is in no order`];
  })))"""


def main(out: str | None = None) -> int:
    return looked(out, _all_checked)


def _all_checked(looking: Looking) -> int:
    index = looking.folder / "index.duckdb"
    bring_up_to_date(index, archive(60, seed=1).sources())
    pages = [run_report(index, report.name, NEEDED.get(report.name, {})) for report in reports()]
    wrong = sum(_checked(looking, one) for one in (*pages, odd()))
    print(f"{len(pages) + 1} pages, {wrong} faults")
    return 1 if wrong else 0


def odd() -> Reported:
    """Each name alone in a picture, so that no other one makes room for it."""
    bars = Chart(kind="bars", label="who", value="n")
    lines = Chart(kind="lines", label="who", x="x", value="n")
    columns = ("title", "who", "x", "n")
    found = [
        (rows, chart)
        for name in ODD
        for rows in (
            [("t", name, 1, 0.5)],
            [(title, who, x, -0.001234) for title in (name, "t") for who in ("x", "y") for x in (1, 2)],
        )
        for chart in (bars, lines)
    ]
    figures = (
        Figure(name=f"f{nth}", title=f"{chart.kind} {nth}", columns=columns, rows=rows, sql="", chart=chart)
        for nth, (rows, chart) in enumerate(found)
    )
    return Reported(
        name="odd", question="What is odd?", explanation="", options={"player": ODD[-1]}, figures=tuple(figures)
    )


def _checked(looking: Looking, reported: Reported) -> int:
    """One page from end to end; what is wrong with it is printed."""
    tab, pictures = looking.tab, looking.pictures
    name = reported.name
    file = pictures / f"{name}.html"
    raw = report_page(reported)
    file.write_bytes(raw)
    url = file.resolve().as_uri()
    tab.complaints.clear()
    tab.requests.clear()
    wrong: list[str] = []
    for screen, (width, height, is_phone) in SCREENS.items():
        tab.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        for scheme in ("light", "dark"):
            tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            tab.goto(url)
            whole = tab.run("document.documentElement.scrollHeight")
            clip = {"x": 0, "y": 0, "width": width, "height": min(whole, TALLEST), "scale": 1}
            shot = tab.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
            (pictures / f"{name}-{screen}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
            wide = tab.run("document.documentElement.scrollWidth")
            wrong += [f"expected a page of {width} pixels, found {wide}"] if wide > width else []
            wrong += [f"{screen}: {clash}" for clash in tab.run(CLASHES)]
            wrong += looking.accessible(url, f"{screen} {scheme}")
    tab.goto(url)
    sorted_ = tab.run("document.querySelectorAll('th button').length")
    wrong += [] if _sorts_by_key(tab) else ["expected Enter on a head to sort by it"]
    wrong += tab.run(DISORDERS)
    wrong += [f"complaint: {complaint}" for complaint in tab.complaints]
    wrong += [f"asked for {asked}" for asked in tab.requests if not asked.startswith(("file:", "data:"))]
    print(f"{name}: {len(raw):,} bytes, {sorted_} columns sorted, {len(wrong)} wrong")
    for each in wrong:
        print(f"  {each}")
    return len(wrong)


def _sorts_by_key(tab: Tab) -> bool:
    """Enter as somebody presses it."""
    tab.run("(document.querySelector('th button') ?? document.body).focus()")
    for kind in ("keyDown", "keyUp"):
        tab.ask("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
    return bool(tab.run("document.activeElement.closest('th')?.hasAttribute('aria-sort')"))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
