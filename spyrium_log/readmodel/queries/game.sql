-- How did one game go?
--
-- $game needed: the game: its id, or the beginning of it
--
-- ## result: How it ended
SELECT seat.place, seat.player, seat.colour, seat.turn, seat.points, seat.total, seat.won, game.played, game.verdict,
    game.grades
FROM seat JOIN game USING (game)
WHERE starts_with(game.game, $game)
ORDER BY game.game, seat.place, seat.seat;

-- ## curve: Score if the final count came after the round
-- chart: lines player round score
SELECT standing.round, seat.player, max(amount) FILTER (what = 'score') AS score,
    max(amount) FILTER (what = 'points') AS points
FROM standing JOIN seat USING (game, seat)
WHERE starts_with(standing.game, $game)
GROUP BY standing.game, standing.round, seat.seat, seat.player
ORDER BY standing.game, standing.round, seat.seat;

-- ## sources: Where the points came from
SELECT part AS cause, seat.player, score_part.points
FROM score_part JOIN seat USING (game, seat)
WHERE starts_with(score_part.game, $game)
ORDER BY score_part.game, cause, seat.seat;

-- ## cards: What everybody took, and what came of it
SELECT seat.player, holding.round, holding.kind, holding.card, holding.paid, holding.uses, holding.returned,
    holding.final_points
FROM holding JOIN seat USING (game, seat)
WHERE starts_with(holding.game, $game)
ORDER BY holding.game, seat.seat, holding.nth;

-- ## pace: Seconds an action
SELECT seat.player, count(*) AS actions, median(seconds) AS median, sum(seconds) AS total
FROM decision JOIN seat USING (game, seat)
WHERE starts_with(decision.game, $game) AND seconds IS NOT NULL
GROUP BY decision.game, seat.seat, seat.player
ORDER BY decision.game, seat.seat;

-- ## findings: What the audit says
SELECT n, rule, number, expected, found, about, status
FROM finding
WHERE starts_with(finding.game, $game)
ORDER BY finding.game, n, i;
