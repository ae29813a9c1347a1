-- How strong are the players?
-- needs: scores
--
-- Two ratings, game by game in the order they were played (by day, then by id; those without a day first). `elo` counts
-- a game as a duel with each of the others; everybody starts at 1500. `mean` and `deviation` are Plackett-Luce's
-- (openskill), `low` and `high` are three deviations away from it (99.7 %); rank goes by `low`: what is sure.
-- Games count in which at least two people sat, nobody had two seats, and nobody is called like a policy of the
-- simulation: people are rated against people. Old score sheets count, too,
-- and so do games of which moves were missed.
--
-- ## ratings: After all games
-- made by: ratings
-- chart: means player mean low high | Plackett-Luce's mean, with three deviations to each side (low, high)
-- n: games
-- first: rank player games wins elo mean note
-- intervals: mean low high
WITH games AS (
    SELECT chosen.title, chosen.game, chosen.played
    FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
    ) AS chosen JOIN seat USING (game)
    WHERE chosen.reason IS NULL
    GROUP BY chosen.title, chosen.game, chosen.played, chosen.source
    HAVING count(*) > 1 AND count(*) = count(DISTINCT seat.player)
        AND (chosen.source = 'simulated' OR NOT bool_or(is_policy(seat.player)))
)
SELECT games.title, games.game, seat.player, seat.place, $least AS least
FROM games JOIN seat_of($as_recorded) AS seat USING (game)
ORDER BY games.title, games.played NULLS FIRST, games.game, seat.seat;

-- ## course: Elo from game to game
-- made by: course
-- chart: lines player game_number elo | Elo, after each game of all, in the order they were played
-- first: player game_number elo mean
-- The players with the most games, at most nine of each title.

-- ## left-out: Games left out, and why
-- first: title players games reason files
WITH all_games AS (
    SELECT chosen.title, chosen.players, chosen.file,
        CASE
            WHEN chosen.reason IS NOT NULL THEN chosen.reason
            WHEN count(*) = 1 THEN 'one player'
            WHEN count(*) > count(DISTINCT seat.player) THEN 'somebody sat twice'
            WHEN chosen.source != 'simulated' AND bool_or(is_policy(seat.player)) THEN 'a policy of the simulation played'
        END AS reason
    FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
    ) AS chosen JOIN seat USING (game)
    GROUP BY chosen.title, chosen.players, chosen.file, chosen.game, chosen.source, chosen.reason
)
SELECT title, players, reason, count(*) AS games,
    few_named(list(file)) AS files
FROM all_games
WHERE reason IS NOT NULL
GROUP BY title, players, reason
ORDER BY title, players, reason;
