-- What is there to know of one player?
-- needs: scores
--
-- $player needed: whose page it is
-- `edge` is the final score less the mean of the game; `edge_low` and `edge_high` bound its mean with 95 %
-- confidence: Student's t over games. `expected` wins are those
-- of somebody who wins as often as any other seat. `win_low` and `win_high` are Wilson's of `win_rate`. Old score sheets and games
-- of which moves were missed count wherever a score is all that is asked.
--
-- ## summary: Games, wins and scores
-- first: title players games won expected win_rate edge mean
-- percent: win_rate win_low win_high
-- signed: edge
-- intervals: win_rate win_low win_high | edge edge_low edge_high | mean low high
WITH seats AS (
    SELECT *, total - avg(total) OVER (PARTITION BY game) AS edge, count(*) FILTER (won) OVER (PARTITION BY game) AS winners
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'scores', of_repeated := $repeated
    )
)
SELECT title, players, count(DISTINCT game) AS games, count(*) FILTER (won) AS won,
    count(*) FILTER (won) / count(*) AS win_rate, wilson_low(count(*) FILTER (won), count(*)) AS win_low,
    wilson_high(count(*) FILTER (won), count(*)) AS win_high, sum(winners / players) AS expected, avg(total) AS mean,
    avg(total) - half_width(stddev_samp(total), count(*)) AS low,
    avg(total) + half_width(stddev_samp(total), count(*)) AS high, max(total) AS best, min(total) AS worst, avg(edge) AS edge,
    avg(edge) - half_width(stddev_samp(edge), count(*)) AS edge_low,
    avg(edge) + half_width(stddev_samp(edge), count(*)) AS edge_high
FROM seats
WHERE player = $player
GROUP BY title, players
ORDER BY title, players;

-- ## sources: Where the points came from, beside those of everybody
-- chart: means cause mean low high | points of the player, mean of a seat (mean), with its 95 % interval
-- n: n
-- first: title cause mean everybody n
-- intervals: mean low high
-- `everybody`: all seats of the games that count, those of the player too. `low` and `high` bound the player's mean.
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source, of_aspect := 'amounts'
    )
),
causes AS (
    SELECT DISTINCT seats.title, part AS cause FROM seats JOIN score_part USING (game, seat)
)
SELECT seats.title, causes.cause, avg(coalesce(score_part.points, 0)) FILTER (seats.player = $player) AS mean,
    count(*) FILTER (seats.player = $player) AS n,
    mean - half_width(stddev_samp(coalesce(score_part.points, 0)) FILTER (seats.player = $player), n) AS low,
    mean + half_width(stddev_samp(coalesce(score_part.points, 0)) FILTER (seats.player = $player), n) AS high,
    avg(coalesce(score_part.points, 0)) AS everybody
FROM seats
JOIN causes ON causes.title = seats.title
LEFT JOIN score_part ON score_part.game = seats.game AND score_part.seat = seats.seat AND score_part.part = causes.cause
GROUP BY seats.title, causes.cause
HAVING count(*) FILTER (seats.player = $player) > 0
ORDER BY seats.title, mean DESC, causes.cause;

-- ## cards: What the player takes, beside what everybody takes
-- first: kind card n share everybody
-- percent: share low high everybody
-- intervals: share low high
-- `share` of the player's seats that had the card, with Wilson's interval, and of all seats.
WITH seats AS (
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source, of_aspect := 'amounts'
    )
)
SELECT seats.title, card.kind, card.card,
    count(*) FILTER (seats.player = $player AND taken.card IS NOT NULL) AS n,
    count(*) FILTER (seats.player = $player AND taken.card IS NOT NULL) / count(*) FILTER (seats.player = $player) AS share,
    wilson_low(n, count(*) FILTER (seats.player = $player)) AS low,
    wilson_high(n, count(*) FILTER (seats.player = $player)) AS high,
    count(taken.card) / count(*) AS everybody
FROM seats
JOIN card ON card.title = seats.title AND card.kind IN (SELECT kind FROM taken)
LEFT JOIN taken ON taken.game = seats.game AND taken.seat = seats.seat AND taken.card = card.card
GROUP BY seats.title, card.kind, card.card
HAVING count(*) FILTER (seats.player = $player) > 0
ORDER BY seats.title, share DESC, card.kind, card.card;

-- ## against: Against whom
-- first: player games ahead level behind margin
-- signed: margin
-- intervals: margin low high
-- `margin` is the player's score less the other's, whoever else sat there; `low` and `high` bound its mean.
SELECT own.title, other.player, count(DISTINCT own.game) AS games, count(*) FILTER (own.place < other.place) AS ahead,
    count(*) FILTER (own.place = other.place) AS level, count(*) FILTER (own.place > other.place) AS behind,
    avg(own.total - other.total) AS margin,
    margin - half_width(stddev_samp(own.total - other.total), count(*)) AS low,
    margin + half_width(stddev_samp(own.total - other.total), count(*)) AS high
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_aspect := 'scores', of_repeated := $repeated
) AS own JOIN seat AS other USING (game)
WHERE own.player = $player AND other.player != own.player
GROUP BY own.title, other.player
ORDER BY own.title, games DESC, other.player;

-- ## games: The last twenty games
-- first: played players total place won game
SELECT title, played, players, total, place, won, game
FROM results(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'scores', of_repeated := $repeated
)
ORDER BY played DESC NULLS LAST, game, seat
LIMIT 20;

-- ## left-out: Games left out, and why
-- first: title players games counts reason files
FROM left_out_in_part(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'amounts', of_repeated := $repeated
);
