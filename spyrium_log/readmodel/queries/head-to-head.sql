-- How do two players fare against each other?
--
-- $player needed: the one it is told from
-- $against needed: the other one
-- Games that both played, whoever else sat there; not those in which one of them had two seats. `margin` is the one's
-- score less the other's; `low` and `high` bound its mean with 95 % confidence: Student's t over games. Old score
-- sheets count, too.
--
-- ## summary: Who came out ahead
-- first: players games ahead level behind margin low high
FROM head_to_head(
    $player, $against,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);

-- ## games: Game by game
-- chart: bars label margin | points ahead (margin); left of 0 the other one is ahead
-- The latest game first.
-- first: label margin total other_total place other_place players game
SELECT one.title, row_number() OVER earlier || coalesce(', ' || one.played, '') AS label, one.total,
    other.total AS other_total, one.total - other.total AS margin, one.place, other.place AS other_place, one.players,
    one.game
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    with_scores_only := true
) AS one JOIN seat AS other USING (game)
WHERE one.player = $player AND other.player = $against AND $player != $against
    AND (SELECT count(*) FROM seat WHERE seat.game = one.game AND seat.player IN ($player, $against)) = 2
WINDOW earlier AS (PARTITION BY one.title ORDER BY one.played NULLS FIRST, one.game)
ORDER BY one.title, one.played DESC NULLS LAST, one.game DESC;

-- ## left-out: Games left out, and why
-- first: players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    with_scores_only := true
)
UNION ALL BY NAME
SELECT chosen.title, chosen.players, 'one of them sat twice' AS reason, count(*) AS games,
    array_to_string(list(chosen.file ORDER BY chosen.file)[1:20], ', ')
        || CASE WHEN count(*) > 20 THEN ' and ' || (count(*) - 20) || ' more' ELSE '' END AS files
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    with_scores_only := true
) AS chosen
WHERE chosen.reason IS NULL
    AND (
        SELECT count(*) > 2 AND count(DISTINCT player) = 2 FROM seat
        WHERE seat.game = chosen.game AND seat.player IN ($player, $against)
    )
GROUP BY chosen.title, chosen.players
ORDER BY title, players, reason;
