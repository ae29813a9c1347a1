-- How crowded is the market, and what does it cost?
-- needs: amounts
--
-- Who activates a card pays £1 for each other worker beside it, unless Lobbying pays it: the cause `crowd` less what
-- `lobbying` saved. `paid_extra` is the share of activations that paid for at least one; `extra` the mean paid for others,
-- all activations counted. `low` and `high` bound it with 95 % confidence, `paid_extra_low` and `paid_extra_high` the share:
-- Student's t over games, whose activations depend on each other.
--
-- ## rounds: Paid for other workers, by round
-- chart: lines line round extra low high | £ paid for other workers, mean of an activation (extra), by round
-- n: games
-- first: title players round games activations extra paid_extra most note
-- percent: paid_extra paid_extra_low paid_extra_high
-- intervals: extra low high | paid_extra paid_extra_low paid_extra_high
WITH activated AS (
    SELECT seats.title, seats.players, decision.round, decision.game,
        coalesce((
            SELECT -sum(amount) FROM ledger
            WHERE ledger.game = decision.game AND ledger.n = decision.n AND ledger.i = decision.i
                AND ledger.why IN ('crowd', 'lobbying') AND ledger.what = 'money'
        ), 0) AS extra
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, of_aspect := 'amounts'
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.verb IN ('hire', 'build', 'learn')
),
by_game AS (
    SELECT title, players, round, game, count(*) AS n, count(*) FILTER (extra > 0) AS paid_extra, sum(extra) AS extra, max(extra) AS most
    FROM activated
    GROUP BY ALL
),
means AS (
    SELECT *, sum(extra) OVER same / sum(n) OVER same AS mean, sum(paid_extra) OVER same / sum(n) OVER same AS share
    FROM by_game
    WINDOW same AS (PARTITION BY title, players, round)
),
answers AS (
    SELECT title, players, round, count(*) AS games, sum(n)::BIGINT AS activations, any_value(mean) AS mean, any_value(share) AS share,
        game_half_width(sum(pow(extra - n * mean, 2)), count(*), sum(n)) AS half,
        game_half_width(sum(pow(paid_extra - n * share, 2)), count(*), sum(n)) AS share_half, max(most) AS most
    FROM means
    GROUP BY title, players, round
)
SELECT title, players, title || ', ' || players || ' players' AS line, round,
    games, activations,
    share AS paid_extra,
    CASE WHEN games > 1 THEN greatest(0.0::DOUBLE, share - share_half) END AS paid_extra_low,
    CASE WHEN games > 1 THEN least(1.0::DOUBLE, share + share_half) END AS paid_extra_high,
    mean AS extra, mean - half AS low, mean + half AS high,
    most,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games' END AS note
FROM answers
ORDER BY title, players, round;

-- ## cards: Paid for other workers, by card
-- chart: means card extra low high | £ paid for other workers, mean of an activation (extra), with its 95 % interval
-- n: games
-- first: card rank games activations extra paid_extra most note
-- percent: paid_extra paid_extra_low paid_extra_high
-- intervals: extra low high | paid_extra paid_extra_low paid_extra_high
WITH activated AS (
    SELECT seats.title, decision.card, decision.game,
        coalesce((
            SELECT -sum(amount) FROM ledger
            WHERE ledger.game = decision.game AND ledger.n = decision.n AND ledger.i = decision.i
                AND ledger.why IN ('crowd', 'lobbying') AND ledger.what = 'money'
        ), 0) AS extra
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_player := $player, of_aspect := 'amounts'
    ) AS seats JOIN decision USING (game, seat)
    WHERE decision.verb IN ('hire', 'build', 'learn')
),
by_game AS (
    SELECT title, card, game, count(*) AS n, count(*) FILTER (extra > 0) AS paid_extra, sum(extra) AS extra, max(extra) AS most
    FROM activated
    GROUP BY ALL
),
means AS (
    SELECT *, sum(extra) OVER same / sum(n) OVER same AS mean, sum(paid_extra) OVER same / sum(n) OVER same AS share
    FROM by_game
    WINDOW same AS (PARTITION BY title, card)
),
answers AS (
    SELECT title, card, count(*) AS games, sum(n)::BIGINT AS activations, any_value(mean) AS mean, any_value(share) AS share,
        game_half_width(sum(pow(extra - n * mean, 2)), count(*), sum(n)) AS half,
        game_half_width(sum(pow(paid_extra - n * share, 2)), count(*), sum(n)) AS share_half, max(most) AS most
    FROM means
    GROUP BY title, card
)
SELECT title, card,
    CASE WHEN games >= $least THEN rank() OVER (
        PARTITION BY title, games >= $least ORDER BY round(mean, 9) DESC
    ) END AS rank,
    games, activations,
    share AS paid_extra,
    CASE WHEN games > 1 THEN greatest(0.0::DOUBLE, share - share_half) END AS paid_extra_low,
    CASE WHEN games > 1 THEN least(1.0::DOUBLE, share + share_half) END AS paid_extra_high,
    mean AS extra, mean - half AS low, mean + half AS high,
    most,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM answers
ORDER BY title, rank NULLS LAST, extra DESC, card;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'amounts'
);
