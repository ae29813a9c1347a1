-- How long does an action take?
--
-- Only games whose lines have times. An action takes from the event before it to itself, pauses taken off, so it is the
-- time of whoever decides and of whoever records. Half of the actions took `median` seconds or less, nine tenths
-- `ninth_tenth`.
--
-- ## players: Seconds an action, by player
-- chart: bars player median | seconds, half of the actions took no longer (median)
-- first: player games actions median mean ninth_tenth total note
WITH timed AS (
    SELECT seats.title, seats.player, decision.*
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.seconds IS NOT NULL AND ($player IS NULL OR seats.player = $player)
)
SELECT title, player, count(DISTINCT game) AS games, count(*) AS actions, median(seconds) AS median,
    avg(seconds) AS mean, quantile_cont(seconds, 0.9) AS ninth_tenth, sum(seconds) AS total,
    CASE WHEN count(DISTINCT game) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM timed
GROUP BY title, player
ORDER BY title, median DESC, player;

-- ## verbs: Seconds an action, by what was done
-- chart: bars verb median | seconds, half of the actions took no longer (median); I and II are the phases
-- first: phase verb games actions median mean ninth_tenth note
WITH timed AS (
    SELECT seats.title, seats.player, decision.*
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.seconds IS NOT NULL AND ($player IS NULL OR seats.player = $player)
)
SELECT title, phase, verb, count(DISTINCT game) AS games, count(*) AS actions, median(seconds) AS median,
    avg(seconds) AS mean, quantile_cont(seconds, 0.9) AS ninth_tenth,
    CASE WHEN count(DISTINCT game) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM timed
GROUP BY title, verb, phase
ORDER BY title, median DESC, phase, verb;

-- ## games: Minutes a game, by number of players
-- first: players games minutes low high shortest longest
-- `low` and `high` bound the mean with 95 % confidence: Student's t over games.
SELECT chosen.title, chosen.players, count(*) AS games, avg(game.seconds) / 60 AS minutes,
    avg(game.seconds) / 60 - half_width(stddev_samp(game.seconds), count(*)) / 60 AS low,
    avg(game.seconds) / 60 + half_width(stddev_samp(game.seconds), count(*)) / 60 AS high,
    min(game.seconds) / 60 AS shortest, max(game.seconds) / 60 AS longest
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
) AS chosen JOIN game USING (game)
WHERE chosen.reason IS NULL AND game.seconds IS NOT NULL
GROUP BY chosen.title, chosen.players
ORDER BY chosen.title, chosen.players;

-- ## left-out: Games left out, and why
-- first: players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
)
UNION ALL BY NAME
SELECT chosen.title, chosen.players, 'no times' AS reason, count(*) AS games,
    array_to_string(list(chosen.file ORDER BY chosen.file)[1:20], ', ')
        || CASE WHEN count(*) > 20 THEN ' and ' || (count(*) - 20) || ' more' ELSE '' END AS files
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
) AS chosen JOIN game USING (game)
WHERE chosen.reason IS NULL AND game.seconds IS NULL
GROUP BY chosen.title, chosen.players
ORDER BY title, players, reason;
