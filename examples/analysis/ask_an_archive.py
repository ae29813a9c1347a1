"""A notebook in cells: open it in an editor that knows `# %%`, or run it: `python examples/analysis/ask_an_archive.py`.

It asks the recorded stories of this repository; give it the folder of your own archive instead.
"""

# %% An archive is a folder of logs. The index beside it is made when it is first asked.
import shutil
import sys
import tempfile
from pathlib import Path

from spyrium_log import open_archive
from spyrium_log.readmodel.tables import SeatRow

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
else:
    folder = Path(tempfile.mkdtemp())
    for log in Path(__file__).parent.parent.joinpath("spyrium").glob("*.jsonl"):
        shutil.copy(log, folder)

archive = open_archive(folder)
print(len(archive.names()), "logs")

# %% A question in SQL. `$name` is a parameter; the answer is columns and rows.
answer = archive.query("SELECT player, count(*) AS games, avg(total) AS mean FROM result GROUP BY ALL ORDER BY ALL")
for row in answer.rows:
    print(*row)

# %% Rows of a table, each with its type. Old score sheets do not say how a score came to be.
recorded = "won AND game IN (SELECT game FROM game WHERE NOT scores_only)"
best = max(archive.rows(SeatRow, recorded), key=lambda seat: seat.total)
print(best.player, "won with", best.total)

# %% One game from the log itself: states, ledger, findings.
done = archive.replay(best.game)
gained = [entry.amount for entry in done.ledger if entry.who == best.seat and entry.what == "points"]
assert sum(gained) == best.total
print(done.verdict, "after", len(done.events), "events")

# %% A report: the same figures as `spyrium report technique-scores`, each with what is left out.
reported = archive.report("technique-scores", least=1)
for figure in reported.figures:
    print(figure.title, len(figure.rows))

# %% With polars or pandas there, an answer is a frame: archive.frame("FROM technique_scores()").
