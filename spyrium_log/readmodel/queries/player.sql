-- What is there to know of one player?
--
-- $player needed: whose page it is
-- `edge` is the final score less the mean of the game; `edge_low` and `edge_high` bound its mean with 95 %
-- confidence: Student's t over games. `expected` wins are those
-- of somebody who wins as often as any other seat. Old score sheets count wherever a score is all that is asked.
--
-- ## summary: Games, wins and scores
-- first: players games won expected edge edge_low edge_high mean
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge, count(*) FILTER (won) OVER (PARTITION BY game) AS winners
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
        with_scores_only := true
    )
)
SELECT title, players, count(DISTINCT game) AS games, count(*) FILTER (won) AS won, sum(winners / players) AS expected,
    avg(total) AS mean, max(total) AS best, min(total) AS worst, avg(edge) AS edge,
    avg(edge) - half_width(stddev_samp(edge), count(*)) AS edge_low,
    avg(edge) + half_width(stddev_samp(edge), count(*)) AS edge_high
FROM seats
WHERE player = $player
GROUP BY title, players
ORDER BY title, players;

-- ## sources: Where the points came from, beside those of everybody
-- chart: bars cause mean | points of the player, mean of a seat (mean)
-- first: cause mean everybody n
-- `everybody`: all seats of the games that count, those of the player too.
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    )
),
causes AS (
    SELECT DISTINCT seats.title, part AS cause FROM seats JOIN score_part USING (game, seat)
)
SELECT seats.title, causes.cause, avg(coalesce(score_part.points, 0)) FILTER (seats.player = $player) AS mean,
    avg(coalesce(score_part.points, 0)) AS everybody, count(*) FILTER (seats.player = $player) AS n
FROM seats
JOIN causes ON causes.title = seats.title
LEFT JOIN score_part ON score_part.game = seats.game AND score_part.seat = seats.seat AND score_part.part = causes.cause
GROUP BY seats.title, causes.cause
HAVING count(*) FILTER (seats.player = $player) > 0
ORDER BY seats.title, mean DESC, causes.cause;

-- ## cards: What the player takes, beside what everybody takes
-- first: kind card n share everybody
-- `share` of the player's seats that had the card, and of all seats.
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    )
)
SELECT seats.title, card.kind, card.card,
    count(*) FILTER (seats.player = $player AND taken.card IS NOT NULL) AS n,
    count(*) FILTER (seats.player = $player AND taken.card IS NOT NULL) / count(*) FILTER (seats.player = $player) AS share,
    count(taken.card) / count(*) AS everybody
FROM seats
JOIN card ON card.title = seats.title AND card.kind != 'event'
LEFT JOIN taken ON taken.game = seats.game AND taken.seat = seats.seat AND taken.card = card.card
GROUP BY seats.title, card.kind, card.card
HAVING count(*) FILTER (seats.player = $player) > 0
ORDER BY seats.title, share DESC, card.kind, card.card;

-- ## against: Against whom
-- first: player games ahead level behind margin
-- `margin` is the player's score less the other's, whoever else sat there.
SELECT own.title, other.player, count(DISTINCT own.game) AS games, count(*) FILTER (own.place < other.place) AS ahead,
    count(*) FILTER (own.place = other.place) AS level, count(*) FILTER (own.place > other.place) AS behind,
    avg(own.total - other.total) AS margin
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    with_scores_only := true
) AS own JOIN seat AS other USING (game)
WHERE own.player = $player AND other.seat != own.seat
GROUP BY own.title, other.player
ORDER BY own.title, games DESC, other.player;

-- ## games: The last twenty games
-- first: played players total place won game
SELECT title, played, players, total, place, won, game
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    of_player := $player, with_scores_only := true
)
ORDER BY played DESC NULLS LAST, game, seat
LIMIT 20;

-- ## left-out: Games left out, and why
-- first: players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    with_scores_only := true
);
