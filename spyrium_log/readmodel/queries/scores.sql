-- Where the points of a final score come from, by title and number of players, and what wins.
--
-- part `total`: the mean final score of a seat, and how often a seat wins.
-- part `cause`: the mean points of a seat from one cause, with zero for the seats that got none from it, so that the
--   means of the causes add up to the mean total. `scored` seats got something from it; `won` of those won (a shared
--   win is a win), `win_rate` is their share.
-- part `left out`: how many games are left out, why, and (in `note`) which logs; at most twenty are named.
--
-- Counts games with a final count, a log that can be read to its end, and no open finding.
-- `low` and `high` bound the mean with 95 % confidence: Student's t over the games' own means, one value a game, for
--   the seats of one game are not independent. `win_low` and `win_high`: Wilson's interval over the scored seats.
-- $least = 10: where fewer games are counted, causes are listed and not ranked.
WITH graded AS (
    SELECT
        game,
        title,
        seats AS players,
        file,
        CASE
            WHEN verdict = 'unusable' THEN 'cannot be read to its end'
            WHEN source = 'scoresheet' AND events = 0 THEN 'scores only'
            WHEN NOT final THEN 'no final count'
            WHEN open_findings > 0 THEN 'open findings'
        END AS reason
    FROM game
),
played AS (
    SELECT graded.title, graded.players, seat.game, seat.seat, seat.total, seat.won
    FROM graded JOIN seat USING (game)
    WHERE graded.reason IS NULL
),
scored AS (
    SELECT game, seat, why, sum(amount)::BIGINT AS points
    FROM ledger
    WHERE what = 'points'
    GROUP BY game, seat, why
),
causes AS (
    SELECT DISTINCT played.title, played.players, scored.why FROM played JOIN scored USING (game, seat)
),
shares AS (
    SELECT 'total' AS part, title, players, NULL AS why, game, total AS points, true AS has, won FROM played
    UNION ALL
    SELECT
        'cause',
        played.title,
        played.players,
        causes.why,
        played.game,
        coalesce(scored.points, 0),
        scored.points IS NOT NULL,
        played.won
    FROM played
    JOIN causes USING (title, players)
    LEFT JOIN scored ON scored.game = played.game AND scored.seat = played.seat AND scored.why = causes.why
),
by_game AS (
    SELECT
        part,
        title,
        players,
        why,
        game,
        avg(points) AS mean,
        count(*) AS seats,
        count_if(has) AS scored,
        count_if(has AND won) AS won
    FROM shares
    GROUP BY part, title, players, why, game
),
summed AS (
    SELECT
        part,
        title,
        players,
        why,
        count(*) AS games,
        sum(seats)::BIGINT AS seats,
        avg(mean) AS middle,
        t975(count(*) - 1) * stddev_samp(mean) / sqrt(count(*)) AS half,
        sum(scored)::BIGINT AS scored,
        sum(won)::BIGINT AS won
    FROM by_game
    GROUP BY part, title, players, why
),
listed AS (
    SELECT
        part,
        title,
        players,
        why,
        games,
        seats,
        middle AS mean,
        middle - half AS low,
        middle + half AS high,
        CASE WHEN part = 'cause' AND games >= $least
            THEN rank() OVER (PARTITION BY part, title, players ORDER BY middle DESC) END AS rank,
        scored,
        won,
        won / scored AS win_rate,
        wilson_low(won, scored) AS win_low,
        wilson_high(won, scored) AS win_high,
        CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
    FROM summed
    UNION ALL BY NAME
    SELECT
        'left out' AS part,
        title,
        players,
        reason AS why,
        count(*) AS games,
        array_to_string(list(file ORDER BY file)[1:20], ', ')
            || CASE WHEN count(*) > 20 THEN ' and ' || (count(*) - 20) || ' more' ELSE '' END AS note
    FROM graded
    WHERE reason IS NOT NULL
    GROUP BY title, players, reason
)
SELECT *
FROM listed
ORDER BY title, players, list_position(['total', 'cause', 'left out'], part), mean DESC, why
