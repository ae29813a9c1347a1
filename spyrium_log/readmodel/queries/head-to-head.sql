-- How do two players fare against each other?
-- needs: scores
--
-- $player needed: the one it is told from
-- $against needed: the other one
-- Games that both played, whoever else sat there; not those in which one of them had two seats. `margin` is the one's
-- score less the other's; `low` and `high` bound its mean with 95 % confidence: Student's t over games. Old score
-- sheets count, too, and so do games of which moves were missed.
--
-- ## summary: Who came out ahead
-- first: title players games ahead level behind margin worst best
-- signed: margin worst best
-- intervals: margin low high
FROM head_to_head(
    $player, $against,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_repeated := $repeated, as_recorded := $as_recorded
);

-- ## games: Game by game
-- chart: bars label margin | points ahead (margin); left of 0 the other one is ahead
-- signed: margin
-- The latest game first.
-- first: label margin total other_total place other_place players game
SELECT one.title, row_number() OVER earlier || coalesce(', ' || one.played, '') AS label, one.total,
    other.total AS other_total, one.total - other.total AS margin, one.place, other.place AS other_place, one.players,
    one.game
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
) AS one JOIN seat_of($as_recorded) AS other USING (game)
WHERE one.player = $player AND other.player = $against AND $player != $against
    AND (SELECT count(*) FROM seat WHERE seat.game = one.game AND seat.player IN ($player, $against)) = 2
WINDOW earlier AS (PARTITION BY one.title ORDER BY one.played NULLS FIRST, one.game)
ORDER BY one.title, one.played DESC NULLS LAST, one.game DESC;

-- ## left-out: Games left out, and why
-- first: title players games reason files
-- Of those that both played.
WITH met AS (
    SELECT game, count(*) AS seats FROM seat WHERE player IN ($player, $against)
    GROUP BY game
    HAVING count(DISTINCT player) = 2
),
reasons AS (
    SELECT chosen.title, chosen.players, chosen.file,
        coalesce(chosen.reason, CASE WHEN met.seats > 2 THEN 'one of them sat twice' END) AS reason
    FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
    ) AS chosen JOIN met USING (game)
)
SELECT title, players, reason, count(*) AS games, few_named(list(file)) AS files
FROM reasons
WHERE reason IS NOT NULL
GROUP BY ALL
ORDER BY title, players, reason;
