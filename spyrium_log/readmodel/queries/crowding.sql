-- How crowded is the market, and what does it cost?
--
-- Who activates a card pays £1 for each other worker beside it, unless Lobbying pays it: the cause `crowd` less what
-- `lobbying` saved. `crowded` is the share of activations that paid for at least one; `extra` the mean paid for others,
-- all activations counted.
--
-- ## rounds: Paid for other workers, by round
-- chart: lines line round extra | £ paid for other workers, mean of an activation (extra), by round
-- first: players round games activations crowded extra most note
WITH activated AS (
    SELECT seats.title, seats.players, decision.game, decision.round, decision.card,
        coalesce((
            SELECT -sum(amount) FROM ledger
            WHERE ledger.game = decision.game AND ledger.n = decision.n AND ledger.i = decision.i
                AND ledger.why IN ('crowd', 'lobbying') AND ledger.what = 'money'
        ), 0) AS extra
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.verb IN ('hire', 'build', 'learn') AND ($player IS NULL OR seats.player = $player)
)
SELECT title, players, title || ', ' || players || ' players' AS line, round, count(DISTINCT game) AS games,
    count(*) AS activations, count(*) FILTER (extra > 0) / count(*) AS crowded, avg(extra) AS extra, max(extra) AS most,
    CASE WHEN count(DISTINCT game) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM activated
GROUP BY title, players, round
ORDER BY title, players, round;

-- ## cards: Paid for other workers, by card
-- chart: bars card extra | £ paid for other workers, mean of an activation (extra)
-- first: card games activations crowded extra most note
WITH activated AS (
    SELECT seats.title, decision.game, decision.card,
        coalesce((
            SELECT -sum(amount) FROM ledger
            WHERE ledger.game = decision.game AND ledger.n = decision.n AND ledger.i = decision.i
                AND ledger.why IN ('crowd', 'lobbying') AND ledger.what = 'money'
        ), 0) AS extra
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.verb IN ('hire', 'build', 'learn') AND ($player IS NULL OR seats.player = $player)
)
SELECT title, card, count(DISTINCT game) AS games, count(*) AS activations,
    count(*) FILTER (extra > 0) / count(*) AS crowded, avg(extra) AS extra, max(extra) AS most,
    CASE WHEN count(DISTINCT game) < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM activated
GROUP BY title, card
ORDER BY title, extra DESC, card;

-- ## left-out: Games left out, and why
-- first: players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);
