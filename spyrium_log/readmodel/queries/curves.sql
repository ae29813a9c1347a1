-- How do scores and incomes grow, round by round?
-- needs: amounts
--
-- `score` is what a seat would have if the final count came after that round; `points` what lies on the board; `income`
-- the money that came in in that round: of each event what was left of it, and nothing where it cost more than it
-- brought. Means over seats; `low` and `high` (`points_low`, `points_high`) bound them with 95 % confidence: Student's t
-- over games' means. Round 0 is how the game is laid out, and has none.
--
-- ## scores: Score if the final count came after the round
-- chart: lines line round score low high | points, mean of a seat (score), after each round
-- n: games
-- first: title players round games score points note
-- intervals: score low high | points points_low points_high
WITH after_round AS (
    SELECT seats.title, seats.players, game, standing.round,
        avg(standing.amount) FILTER (standing.what = 'score') AS score,
        avg(standing.amount) FILTER (resource.role = 'points') AS points
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, as_recorded := $as_recorded, of_aspect := 'amounts'
    ) AS seats JOIN standing_of($as_recorded) AS standing USING (game, seat) LEFT JOIN resource USING (title, what)
    WHERE standing.what = 'score' OR resource.role = 'points'
    GROUP BY ALL
)
SELECT title, players, title || ', ' || players || ' players' AS line, round, count(*) AS games, avg(score) AS score,
    -- round 0 is how the game is laid out: it does not vary
    CASE WHEN round > 0 THEN avg(score) - half_width(stddev_samp(score), count(*)) END AS low,
    CASE WHEN round > 0 THEN avg(score) + half_width(stddev_samp(score), count(*)) END AS high, avg(points) AS points,
    CASE WHEN round > 0 THEN avg(points) - half_width(stddev_samp(points), count(*)) END AS points_low,
    CASE WHEN round > 0 THEN avg(points) + half_width(stddev_samp(points), count(*)) END AS points_high,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM after_round
GROUP BY title, players, round
ORDER BY title, players, round;

-- ## incomes: Money that came in in the round
-- chart: lines line round income low high | money, mean of a seat (income), in each round
-- n: games
-- first: title players round games income note
-- intervals: income low high
WITH gained AS (
    SELECT game, seat, round, sum(greatest(net, 0)) AS income
    FROM (
        SELECT game, ledger.seat, ledger.round, ledger.step, sum(ledger.amount) AS net
        FROM ledger_of($as_recorded) AS ledger JOIN game USING (game) JOIN resource USING (title, what)
        WHERE resource.role = 'money' AND ledger.step > 0
        GROUP BY ALL
    )
    GROUP BY ALL
),
-- Each seat has one score a round, also in rounds in which no money came in.
by_game AS (
    SELECT seats.title, seats.players, game, round, avg(coalesce(income, 0)) AS income
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, as_recorded := $as_recorded, of_aspect := 'amounts'
    ) AS seats JOIN standing_of($as_recorded) AS standing USING (game, seat) LEFT JOIN gained USING (game, seat, round)
    WHERE standing.what = 'score' AND standing.round > 0
    GROUP BY ALL
)
SELECT title, players, title || ', ' || players || ' players' AS line, round, count(*) AS games, avg(income) AS income,
    avg(income) - half_width(stddev_samp(income), count(*)) AS low,
    avg(income) + half_width(stddev_samp(income), count(*)) AS high,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM by_game
GROUP BY title, players, round
ORDER BY title, players, round;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, as_recorded := $as_recorded, of_aspect := 'amounts'
);
