-- Does it matter who begins?
--
-- `turn` is the place in the order of the first round: 1 began. `expected` is how often a seat would win if it did not
-- matter: one win a game, a shared one counts for each who shares it. `edge` is the mean of a seat's score less the
-- mean of its game, so that strong tables do not count as good seats; its interval is Student's t over games.
--
-- ## seats: Wins by place in the order
-- chart: means seat win_rate low high
-- first: seat n won win_rate low high expected mean edge title note
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge, count(*) FILTER (won) OVER (PARTITION BY game) AS winners
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    )
)
SELECT
    title,
    players,
    turn,
    turn || ' of ' || players AS seat,
    count(*) AS n,
    avg(total) AS mean,
    avg(edge) AS edge,
    avg(edge) - half_width(stddev_samp(edge), count(*)) AS edge_low,
    avg(edge) + half_width(stddev_samp(edge), count(*)) AS edge_high,
    count(*) FILTER (won) AS won,
    count(*) FILTER (won) / count(*) AS win_rate,
    wilson_low(count(*) FILTER (won), count(*)) AS low,
    wilson_high(count(*) FILTER (won), count(*)) AS high,
    avg(winners) / players AS expected,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM seats
GROUP BY title, players, turn
ORDER BY title, players, turn;

-- ## left-out: Games left out, and why
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);
