-- Which openings were played, and how did they fare?
-- needs: openings
--
-- An opening is what a seat took from the market in the first round, in order; of each title the fifty that were played
-- most are listed. `edge` is its final score less the mean of its game, so that games of many points do not count as good
-- openings. It is raw: an opening that strong players like has their credit. `adjusted` compares each player only with
-- himself, at the same number of players: how many points more he made with it than with others. Use that one; rank goes
-- by it. Where many are compared, one interval of twenty misses by chance alone; of those with `stands_out` at most one
-- of twenty does so (a false discovery rate of 5 %). Intervals are of 95 %: Student's t over games, for seats of one game depend on each other.
--
-- ## openings: Final score over the mean of the game, by the first round of a seat
-- chart: means opening adjusted adjusted_low adjusted_high | points more than by the same player with other openings (adjusted), 95 % interval
-- n: n
-- first: opening n edge adjusted win_rate stands_out rank games mean note
-- percent: win_rate win_low win_high
-- signed: edge adjusted
-- intervals: edge low high | adjusted adjusted_low adjusted_high | win_rate win_low win_high
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source, of_aspect := 'openings'
    )
),
opened AS (
    SELECT game, seat, string_agg(card, ' › ' ORDER BY step) AS opening
    FROM decision
    WHERE round = 1 AND space IS NOT NULL
    GROUP BY game, seat
),
played AS (
    SELECT title, coalesce(opening, '(nothing)') AS opening, players, player, game, total, edge, won
    FROM seats LEFT JOIN opened USING (game, seat)
    WHERE $player IS NULL OR player = $player
),
by_game AS (
    SELECT title, opening, game, count(*) AS n, sum(total) AS total, sum(edge) AS edge, count(*) FILTER (won) AS won
    FROM played
    GROUP BY title, opening, game
),
pulled AS (
    SELECT *, pow(edge - n * sum(edge) OVER same / sum(n) OVER same, 2) AS pull,
        pow(won - n * sum(won) OVER same / sum(n) OVER same, 2) AS win_pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, opening)
),
counts AS (
    SELECT title, opening, sum(n)::BIGINT AS n, count(*) AS games, sum(total) / sum(n) AS mean,
        sum(edge) / sum(n) AS edge, game_half_width(sum(pull), count(*), sum(n)) AS half, sum(won)::BIGINT AS won,
        sum(win_pull) AS win_pull
    FROM pulled
    GROUP BY title, opening
    QUALIFY row_number() OVER (PARTITION BY title ORDER BY sum(n) DESC, opening) <= 50
),
-- Of each opening the players who had it and had another one, with their other seats.
strata AS (
    SELECT title, opening, players, player, with_it.n / n_all AS share, total_all / n_all AS mean
    FROM (
        SELECT title, opening, players, player, count(*) AS n FROM played GROUP BY title, opening, players, player
    ) AS with_it
    JOIN (
        SELECT title, players, player, count(*) AS n_all, sum(total) AS total_all
        FROM played
        GROUP BY title, players, player
    ) AS all_seats USING (title, players, player)
    SEMI JOIN counts USING (title, opening)
    WHERE with_it.n < n_all
),
own_by_game AS (
    SELECT title, strata.opening, game, count(*) AS n,
        bool_or(played.opening = strata.opening) AS with_it, bool_or(played.opening != strata.opening) AS without_it,
        sum(pow((played.opening = strata.opening)::INTEGER - share, 2)) AS square,
        sum(((played.opening = strata.opening)::INTEGER - share) * (total - mean)) AS crossed
    FROM strata JOIN played USING (title, players, player)
    GROUP BY title, strata.opening, game
),
own_pulled AS (
    SELECT *, pow(crossed - sum(crossed) OVER same / sum(square) OVER same * square, 2) AS pull
    FROM own_by_game
    WINDOW same AS (PARTITION BY title, opening)
),
own AS (
    SELECT title, opening, sum(crossed) / sum(square) AS adjusted,
        least(count(*) FILTER (with_it), count(*) FILTER (without_it)) AS few,
        cluster_half_width(
            sum(square), sum(pull), least(count(*) FILTER (with_it), count(*) FILTER (without_it)), sum(n),
            (SELECT count(*) FROM strata WHERE strata.title = own_pulled.title AND strata.opening = own_pulled.opening)
        ) AS half
    FROM own_pulled
    GROUP BY title, opening
),
noted AS (
    SELECT counts.*, own.adjusted, own.half AS own_half, coalesce(own.few, 0) AS few,
        CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked'
            WHEN coalesce(own.few, 0) < $least THEN 'fewer than ' || $least || ' games of players with it and with others: not ranked'
        END AS note
    FROM counts LEFT JOIN own USING (title, opening)
),
compared AS (
    SELECT *, CASE WHEN note IS NULL THEN chance(adjusted, own_half, few) END AS by_chance,
        count(*) FILTER (note IS NULL) OVER (PARTITION BY title) AS n_compared
    FROM noted
),
-- Benjamini and Hochberg: of all that stand out, at most one of twenty does so by chance alone.
judged AS (
    SELECT *, max(CASE WHEN by_chance <= 0.05 * nth / n_compared THEN by_chance END) OVER (PARTITION BY title) AS bar
    FROM (SELECT *, row_number() OVER (PARTITION BY title ORDER BY by_chance NULLS LAST) AS nth FROM compared)
)
SELECT
    title,
    opening,
    CASE WHEN note IS NULL
        THEN rank() OVER (PARTITION BY title, note IS NULL ORDER BY round(adjusted, 9) DESC) END AS rank,
    n,
    games,
    mean,
    edge,
    edge - half AS low,
    edge + half AS high,
    adjusted,
    adjusted - own_half AS adjusted_low,
    adjusted + own_half AS adjusted_high,
    few AS adjusted_games,
    CASE WHEN note IS NULL THEN coalesce(by_chance <= bar, false) END AS stands_out,
    won,
    won / n AS win_rate,
    rate_low(won, n, win_pull, games) AS win_low,
    rate_high(won, n, win_pull, games) AS win_high,
    note
FROM judged
ORDER BY title, rank NULLS LAST, n DESC, opening;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'openings'
);
