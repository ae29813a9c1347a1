-- How long does an action take?
-- needs: time
--
-- Only games whose lines have times. An action takes from the event before it to itself, pauses taken off, so it is the
-- time of whoever decides and of whoever records. Half of the actions took `median` seconds or less, nine tenths
-- `ninth_tenth`.
-- `low` and `high` bound the mean with 95 % confidence: Student's t over games, whose actions depend on each other. Rank 1
-- took longest.
--
-- ## players: Seconds an action, by player
-- chart: means player mean low high | seconds an action took (mean), with its 95 % interval
-- n: games
-- first: player rank games actions mean median ninth_tenth note
-- intervals: mean low high
WITH timed AS (
    SELECT seats.title, seats.player, game, decision.seconds
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, of_aspect := 'time'
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.seconds IS NOT NULL
),
by_game AS (
    SELECT title, player, game, count(*) AS n, sum(seconds) AS seconds FROM timed GROUP BY ALL
),
pulled AS (
    SELECT *, pow(seconds - n * sum(seconds) OVER same / sum(n) OVER same, 2) AS pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, player)
),
halves AS (
    SELECT title, player, game_half_width(sum(pull), count(*), sum(n)) AS half FROM pulled GROUP BY title, player
),
counts AS (
    SELECT title, player, count(DISTINCT game) AS games, count(*) AS actions, median(seconds) AS median,
        avg(seconds) AS mean, quantile_cont(seconds, 0.9) AS ninth_tenth, sum(seconds) AS total
    FROM timed
    GROUP BY title, player
)
SELECT title, player,
    CASE WHEN games >= $least THEN
        rank() OVER (PARTITION BY title, games >= $least ORDER BY round(mean, 9) DESC)
    END AS rank,
    games, actions, median, mean, mean - half AS low, mean + half AS high, ninth_tenth, total,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM counts JOIN halves USING (title, player)
ORDER BY title, rank NULLS LAST, mean DESC, player;

-- ## verbs: Seconds an action, by what was done
-- chart: means verb mean low high | seconds an action took (mean), with its 95 % interval, by phase and verb
-- n: games
-- first: phase verb rank games actions mean median ninth_tenth note
-- intervals: mean low high
WITH timed AS (
    SELECT seats.title, decision.phase, decision.verb, game, decision.seconds
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, of_aspect := 'time'
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.seconds IS NOT NULL
),
by_game AS (
    SELECT title, phase, verb, game, count(*) AS n, sum(seconds) AS seconds FROM timed GROUP BY ALL
),
pulled AS (
    SELECT *, pow(seconds - n * sum(seconds) OVER same / sum(n) OVER same, 2) AS pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, phase, verb)
),
halves AS (
    SELECT title, phase, verb, game_half_width(sum(pull), count(*), sum(n)) AS half
    FROM pulled
    GROUP BY title, phase, verb
),
counts AS (
    SELECT title, phase, verb, count(DISTINCT game) AS games, count(*) AS actions, median(seconds) AS median,
        avg(seconds) AS mean, quantile_cont(seconds, 0.9) AS ninth_tenth
    FROM timed
    GROUP BY title, phase, verb
)
SELECT title, phase, verb,
    CASE WHEN games >= $least THEN
        rank() OVER (PARTITION BY title, games >= $least ORDER BY round(mean, 9) DESC)
    END AS rank,
    games, actions, median, mean, mean - half AS low, mean + half AS high, ninth_tenth,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM counts JOIN halves USING (title, phase, verb)
ORDER BY title, rank NULLS LAST, mean DESC, phase, verb;

-- ## games: Minutes a game, by number of players
-- first: title players games minutes shortest longest
-- intervals: minutes low high
-- `low` and `high` bound the mean with 95 % confidence: Student's t over games.
SELECT chosen.title, chosen.players, count(*) AS games, avg(game.seconds) / 60 AS minutes,
    avg(game.seconds) / 60 - half_width(stddev_samp(game.seconds), count(*)) / 60 AS low,
    avg(game.seconds) / 60 + half_width(stddev_samp(game.seconds), count(*)) / 60 AS high,
    min(game.seconds) / 60 AS shortest, max(game.seconds) / 60 AS longest
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source, of_aspect := 'time'
) AS chosen JOIN game USING (game)
WHERE chosen.reason IS NULL AND game.seconds IS NOT NULL
GROUP BY chosen.title, chosen.players
ORDER BY chosen.title, chosen.players;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'time'
)
UNION ALL BY NAME
SELECT chosen.title, chosen.players, 'no times' AS reason, count(*) AS games, few_named(list(chosen.file)) AS files
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'time'
) AS chosen JOIN game USING (game)
WHERE chosen.reason IS NULL AND game.seconds IS NULL
GROUP BY chosen.title, chosen.players
ORDER BY title, players, reason;
