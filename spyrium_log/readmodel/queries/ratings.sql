-- How strong are the players?
--
-- Two ratings, game by game in the order they were played (by day, then by id; those without a day first). `elo` counts
-- a game as a duel with each of the others; everybody starts at 1500. `mean` and `deviation` are Plackett-Luce's
-- (openskill), `low` and `high` are three deviations away from it; ordered by `low`: what is sure.
-- Games count in which at least two different people sat and nobody sat twice. Old score sheets count, too.
--
-- ## ratings: After all games
-- made by: ratings
-- chart: means player mean low high
SELECT scored.title, scored.game, scored.player, scored.place
FROM scored
WHERE scored.game IN (
    SELECT game FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) WHERE reason IS NULL OR reason = 'scores only'
)
ORDER BY scored.title, scored.played NULLS FIRST, scored.game, scored.seat;

-- ## course: Elo from game to game
-- made by: course
-- chart: lines player game_number elo
-- The players with the most games, at most nine of them.
SELECT scored.title, scored.game, scored.player, scored.place
FROM scored
WHERE scored.game IN (
    SELECT game FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) WHERE reason IS NULL OR reason = 'scores only'
)
ORDER BY scored.title, scored.played NULLS FIRST, scored.game, scored.seat;

-- ## left-out: Games left out, and why
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
)
WHERE reason != 'scores only';
