-- Which openings were played, and how did they fare?
--
-- An opening is what a seat took from the market in the first round, in order; of each title fifty are listed, those with a rank
-- first and then those that were played most. `edge` is its final score less the mean of its game, so that games of many
-- points do not count as good openings; `low` and `high` bound it with 95 % confidence: Student's t over games, for seats
-- of one game depend on each other. `win_low` and `win_high` are Wilson's of `win_rate`.
--
-- ## openings: Final score over the mean of the game, by the first round of a seat
-- chart: means opening edge low high | points over the mean of the game (edge), with its 95 % interval
-- first: opening rank n games edge low high win_rate note
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    )
),
opened AS (
    SELECT game, seat, string_agg(card, ' › ' ORDER BY step) AS opening
    FROM decision
    WHERE round = 1 AND space IS NOT NULL
    GROUP BY game, seat
),
by_game AS (
    SELECT title, coalesce(opening, '(nothing)') AS opening, game, count(*) AS n, sum(total) AS total,
        sum(edge) AS edge, count(*) FILTER (won) AS won
    FROM seats LEFT JOIN opened USING (game, seat)
    WHERE $player IS NULL OR player = $player
    GROUP BY ALL
),
pulled AS (
    SELECT *, pow(edge - n * sum(edge) OVER same / sum(n) OVER same, 2) AS pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, opening)
),
counts AS (
    SELECT title, opening, sum(n)::BIGINT AS n, count(*) AS games, sum(total) / sum(n) AS mean,
        sum(edge) / sum(n) AS edge, game_half_width(sum(pull), count(*), sum(n)) AS half, sum(won)::BIGINT AS won
    FROM pulled
    GROUP BY title, opening
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
    wilson_low(won, n) AS win_low,
    wilson_high(won, n) AS win_high,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM (
    SELECT *, CASE WHEN games >= $least
        THEN rank() OVER (PARTITION BY title, games >= $least ORDER BY round(edge, 9) DESC) END AS rank
    FROM counts
)
QUALIFY row_number() OVER (PARTITION BY title ORDER BY rank NULLS LAST, n DESC, opening) <= 50
ORDER BY title, rank NULLS LAST, n DESC, opening;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    of_player := $player
);
