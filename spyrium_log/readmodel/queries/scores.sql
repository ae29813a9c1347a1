-- Where do the points of a final score come from, and what wins?
-- needs: scores
--
-- `low` and `high` bound the mean with 95 % confidence: Student's t over the games' own means, one value a game, for
-- the seats of one game are not independent. `win_low` and `win_high` are Wilson's 95 % interval, for as many seats as
-- say as much; the win rate of all seats has none, for it follows from the number of players. Old score sheets
-- and games of which moves were missed count for the final scores; of causes they say nothing.
--
-- ## totals: Final scores
-- first: title players games seats mean won win_rate
-- percent: win_rate win_low win_high
-- intervals: mean low high | win_rate win_low win_high
WITH by_game AS (
    SELECT title, players, game, avg(total) AS mean, count(*) AS seats, sum(total) AS total, count(*) FILTER (won) AS won
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
    )
    GROUP BY title, players, game
)
SELECT
    title,
    players,
    count(*) AS games,
    sum(seats)::BIGINT AS seats,
    sum(total) / sum(seats) AS mean,
    avg(mean) - half_width(stddev_samp(mean), count(*)) AS low,
    avg(mean) + half_width(stddev_samp(mean), count(*)) AS high,
    sum(won)::BIGINT AS won,
    sum(won) / sum(seats) AS win_rate,
    -- all seats of a game win together as often as games end: only of one player the rate says something
    CASE WHEN $player IS NOT NULL THEN wilson_low(sum(won), sum(seats)) END AS win_low,
    CASE WHEN $player IS NOT NULL THEN wilson_high(sum(won), sum(seats)) END AS win_high
FROM by_game
GROUP BY title, players
ORDER BY title, players;

-- ## causes: Mean points of a seat from each cause
-- chart: means cause mean low high | points, mean of a seat (mean), with its 95 % interval
-- n: games
-- first: players cause games mean win_rate rank scored title note
-- percent: win_rate win_low win_high
-- intervals: mean low high | win_rate win_low win_high
-- Seats that got nothing from a cause count with 0, so the means add up to the mean total. `scored` seats got something
-- from it; `won` of those won, a shared win too.
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, as_recorded := $as_recorded, of_aspect := 'amounts'
    )
),
causes AS (
    SELECT DISTINCT seats.title, seats.players, part AS cause FROM seats JOIN score_part_of($as_recorded) AS score_part USING (game, seat)
),
by_game AS (
    SELECT
        seats.title,
        seats.players,
        causes.cause,
        seats.game,
        avg(coalesce(score_part.points, 0)) AS mean,
        sum(coalesce(score_part.points, 0)) AS points,
        count(*) AS seats,
        count(score_part.points) AS scored,
        count(*) FILTER (score_part.points IS NOT NULL AND seats.won) AS won
    FROM seats
    JOIN causes ON causes.title = seats.title AND causes.players = seats.players
    LEFT JOIN score_part_of($as_recorded) AS score_part
        ON score_part.game = seats.game AND score_part.seat = seats.seat AND score_part.part = causes.cause
    GROUP BY seats.title, seats.players, causes.cause, seats.game
),
pulled AS (
    SELECT *, pow(won - scored * sum(won) OVER same / nullif(sum(scored) OVER same, 0), 2) AS pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, players, cause)
)
SELECT
    title,
    players,
    cause,
    CASE WHEN count(*) >= $least THEN rank() OVER (
        PARTITION BY title, players, count(*) >= $least ORDER BY sum(points) / sum(seats) DESC
    ) END AS rank,
    count(*) AS games,
    sum(seats)::BIGINT AS seats,
    sum(points) / sum(seats) AS mean,
    avg(mean) - half_width(stddev_samp(mean), count(*)) AS low,
    avg(mean) + half_width(stddev_samp(mean), count(*)) AS high,
    sum(scored)::BIGINT AS scored,
    sum(won)::BIGINT AS won,
    sum(won) / nullif(sum(scored), 0) AS win_rate,
    rate_low(sum(won), sum(scored), sum(pull), count(*) FILTER (scored > 0)) AS win_low,
    rate_high(sum(won), sum(scored), sum(pull), count(*) FILTER (scored > 0)) AS win_high,
    CASE WHEN count(*) < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM pulled
GROUP BY title, players, cause
ORDER BY title, players, mean DESC, cause;

-- ## left-out: Games left out, and why
-- first: title players games counts reason files
FROM left_out_in_part(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, as_recorded := $as_recorded, of_aspect := 'amounts', of_repeated := $repeated
);
