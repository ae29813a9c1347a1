-- How do scores and incomes grow, round by round?
--
-- `score` is what a seat would have if the final count came after that round; `points` what lies on the board; `income`
-- what it gained of money in that round, prices apart. Means over seats; the interval is Student's t over games' means.
--
-- ## scores: Score if the final count came after the round
-- chart: lines line round score
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
        of_player := $player
    )
),
after_round AS (
    SELECT
        seats.title,
        seats.players,
        seats.game,
        standing.round,
        avg(standing.amount) FILTER (standing.what = 'score') AS score,
        avg(standing.amount) FILTER (standing.what = 'points') AS points
    FROM seats JOIN standing USING (game, seat)
    WHERE standing.what IN ('score', 'points')
    GROUP BY ALL
)
SELECT
    title,
    players,
    title || ', ' || players || ' players' AS line,
    round,
    count(*) AS games,
    avg(score) AS score,
    avg(score) - half_width(stddev_samp(score), count(*)) AS low,
    avg(score) + half_width(stddev_samp(score), count(*)) AS high,
    avg(points) AS points,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM after_round
GROUP BY title, players, round
ORDER BY title, players, round;

-- ## incomes: Money gained in the round
-- chart: lines line round income
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
        of_player := $player
    )
),
rounds AS (
    SELECT DISTINCT seats.title, seats.players, seats.game, seats.seat, standing.round
    FROM seats JOIN standing USING (game, seat)
    WHERE standing.round > 0
),
gained AS (
    SELECT game, seat, round, sum(amount) AS income FROM ledger WHERE what = 'money' AND amount > 0 AND step > 0 GROUP BY ALL
),
by_game AS (
    SELECT title, players, rounds.game, rounds.round, avg(coalesce(income, 0)) AS income
    FROM rounds LEFT JOIN gained USING (game, seat, round)
    GROUP BY ALL
)
SELECT
    title,
    players,
    title || ', ' || players || ' players' AS line,
    round,
    count(*) AS games,
    avg(income) AS income,
    avg(income) - half_width(stddev_samp(income), count(*)) AS low,
    avg(income) + half_width(stddev_samp(income), count(*)) AS high,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM by_game
GROUP BY title, players, round
ORDER BY title, players, round;

-- ## left-out: Games left out, and why
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);
