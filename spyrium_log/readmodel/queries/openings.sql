-- Which openings were played, and how did they fare?
--
-- An opening is what a seat activated in the first round, in order; of each title fifty are listed, those with a rank
-- first and then those that were played most. Games in which moves were missed are left out. `edge` is its final score
-- less the mean of its game, so that games of many points do not count as good openings; `low` and `high` bound it with
-- 95 % confidence: Student's t over seats.
--
-- ## openings: Final score over the mean of the game, by the first round of a seat
-- chart: means opening edge low high | points over the mean of the game (edge), with its 95 % interval
-- first: opening rank n games edge low high mean note
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    )
    WHERE game NOT IN (SELECT game FROM game WHERE gaps)
),
opened AS (
    SELECT game, seat, string_agg(card, ' › ' ORDER BY step) AS opening
    FROM decision
    WHERE round = 1 AND verb IN ('hire', 'build', 'learn')
    GROUP BY game, seat
),
counts AS (
    SELECT
        title,
        coalesce(opening, '(nothing)') AS opening,
        count(*) AS n,
        count(DISTINCT game) AS games,
        avg(total) AS mean,
        avg(edge) AS edge,
        half_width(stddev_samp(edge), count(*)) AS half,
        count(*) FILTER (won) AS won
    FROM seats LEFT JOIN opened USING (game, seat)
    WHERE $player IS NULL OR player = $player
    GROUP BY title, coalesce(opening, '(nothing)')
)
SELECT
    title,
    opening,
    rank,
    n,
    games,
    mean,
    edge,
    edge - half AS low,
    edge + half AS high,
    won,
    won / n AS win_rate,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM (
    SELECT *, CASE WHEN games >= $least
        THEN rank() OVER (PARTITION BY title, games >= $least ORDER BY round(edge, 9) DESC) END AS rank
    FROM counts
)
QUALIFY row_number() OVER (PARTITION BY title ORDER BY rank NULLS LAST, n DESC, opening) <= 50
ORDER BY title, rank NULLS LAST, n DESC, opening;

-- ## left-out: Games left out, and why
-- first: players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
)
UNION ALL BY NAME
SELECT chosen.title, chosen.players, 'gaps' AS reason, count(*) AS games,
    array_to_string(list(chosen.file ORDER BY chosen.file)[1:20], ', ')
        || CASE WHEN count(*) > 20 THEN ' and ' || (count(*) - 20) || ' more' ELSE '' END AS files
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
) AS chosen JOIN game USING (game)
WHERE chosen.reason IS NULL AND game.gaps
GROUP BY chosen.title, chosen.players
ORDER BY title, players, reason;
