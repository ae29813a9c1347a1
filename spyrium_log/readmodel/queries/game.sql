-- How did one game go?
--
-- $game needed: the game: its id, or the beginning of it
--
-- ## result: How it ended
SELECT seat.place, seat.player, seat.total, seat.points, seat.won, seat.colour, seat.seat, seat.turn, game.played,
    game.verdict, game.grades
FROM seat_of($as_recorded) AS seat JOIN game_of($as_recorded) AS game USING (game)
WHERE game.game = $game
ORDER BY seat.place, seat.seat;

-- ## curve: Score if the final count came after the round
-- chart: lines player round score | points (score), after each round
-- colour: colour
-- first: round seat player score points
SELECT standing.round, seat.seat, seat.player, seat.colour, max(amount) FILTER (standing.what = 'score') AS score,
    max(amount) FILTER (role = 'points') AS points
FROM standing_of($as_recorded) AS standing JOIN seat USING (game, seat)
LEFT JOIN resource ON resource.title = seat.game_title AND resource.what = standing.what
WHERE standing.game = $game
GROUP BY standing.round, seat.seat, seat.player, seat.colour
ORDER BY standing.round, seat.seat;

-- ## sources: Where the points came from
SELECT part AS cause, seat.seat, seat.player, score_part.points
FROM score_part_of($as_recorded) AS score_part JOIN seat USING (game, seat)
WHERE score_part.game = $game
ORDER BY cause, seat.seat;

-- ## cards: What everybody took, and what came of it
SELECT seat.seat, seat.player, holding.round, holding.kind, holding.card, holding.paid, holding.uses, holding.returned,
    holding.final_points
FROM holding_of($as_recorded) AS holding JOIN seat USING (game, seat)
WHERE holding.game = $game
ORDER BY seat.seat, holding.nth;

-- ## pace: Seconds an action
SELECT seat.seat, seat.player, count(*) AS actions, median(seconds) AS median, sum(seconds) AS total
FROM decision_of($as_recorded) AS decision JOIN seat USING (game, seat)
WHERE decision.game = $game AND seconds IS NOT NULL
GROUP BY seat.seat, seat.player
ORDER BY seat.seat;

-- ## findings: What the audit says
SELECT n, rule, number, expected, found, about, status
FROM finding_of($as_recorded) AS finding
WHERE game = $game
ORDER BY n, i, rule, expected, found;
