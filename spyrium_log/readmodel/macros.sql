-- Small statistics, so that a DuckDB shell and a notebook get the numbers that our reports give.

-- From 31 degrees of freedom on, Cornish and Fisher's expansion around 1.959963985: less than 2e-6 off.
CREATE MACRO t975(df) AS CASE
    WHEN df IS NULL OR df < 1 THEN NULL
    WHEN df <= 30 THEN [
        12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851,
        2.364624252, 2.306004135, 2.262157163, 2.228138852, 2.200985160, 2.178812830,
        2.160368656, 2.144786688, 2.131449546, 2.119905299, 2.109815578, 2.100922040,
        2.093024054, 2.085963447, 2.079613845, 2.073873068, 2.068657610, 2.063898562,
        2.059538553, 2.055529439, 2.051830516, 2.048407142, 2.045229642, 2.042272456
    ][df::INTEGER]
    ELSE 1.959963985::DOUBLE + (2.372271230::DOUBLE + (2.822498616::DOUBLE + 2.555849680::DOUBLE / df) / df) / df
END;
COMMENT ON MACRO t975 IS 'The 97.5 % quantile of Student''s t: half the width of a 95 % interval in standard errors.';

CREATE MACRO wilson_low(k, n) AS CASE WHEN n > 0 THEN greatest(0.0::DOUBLE,
    (k + 1.920729410347062::DOUBLE - 1.959963984540054::DOUBLE * sqrt(k * (n - k) / n::DOUBLE + 0.960364705173531::DOUBLE))
    / (n + 3.841458820694124::DOUBLE)) END;
COMMENT ON MACRO wilson_low IS 'The lower end of Wilson''s 95 % interval for k of n.';

CREATE MACRO wilson_high(k, n) AS CASE WHEN n > 0 THEN least(1.0::DOUBLE,
    (k + 1.920729410347062::DOUBLE + 1.959963984540054::DOUBLE * sqrt(k * (n - k) / n::DOUBLE + 0.960364705173531::DOUBLE))
    / (n + 3.841458820694124::DOUBLE)) END;
COMMENT ON MACRO wilson_high IS 'The upper end of Wilson''s 95 % interval for k of n.';

-- Averages over seats, with Student's t around them: n seats, their mean, the half width of its 95 % interval.
CREATE MACRO half_width(sd, n) AS CASE WHEN n > 1 THEN t975(n - 1) * sd / sqrt(n) END;
COMMENT ON MACRO half_width IS 'Half the width of a 95 % interval around a mean of n values with this standard deviation.';

CREATE MACRO welch_half_width(sd1, n1, sd2, n2) AS CASE WHEN n1 > 1 AND n2 > 1 AND sd1 + sd2 > 0 THEN
    t975((sd1 * sd1 / n1 + sd2 * sd2 / n2) ** 2
        / ((sd1 * sd1 / n1) ** 2 / (n1 - 1) + (sd2 * sd2 / n2) ** 2 / (n2 - 1)))
    * sqrt(sd1 * sd1 / n1 + sd2 * sd2 / n2) END;
COMMENT ON MACRO welch_half_width IS 'Half the width of a 95 % interval around the difference of two means (Welch).';

-- A technique counts for who holds it at the end; a building for who ever built it, and a character who called it.
CREATE MACRO with_without(asked) AS TABLE
WITH took AS (
    SELECT DISTINCT game, seat FROM holding WHERE card = asked AND (lost IS NULL OR kind != 'technique')
    UNION
    SELECT DISTINCT game, seat FROM decision WHERE card = asked AND verb = 'hire'
),
marked AS (
    SELECT title, players, total::DOUBLE AS total, won, took.game IS NOT NULL AS has
    FROM result LEFT JOIN took USING (game, seat)
),
figures AS (
    SELECT
        title,
        players,
        count(*) FILTER (has) AS n_with,
        sum(total) FILTER (has)::BIGINT AS sum_with,
        avg(total) FILTER (has) AS mean_with,
        coalesce(stddev_samp(total) FILTER (has), 0) AS sd_with,
        count(*) FILTER (has AND won) AS won_with,
        count(*) FILTER (NOT has) AS n_without,
        sum(total) FILTER (NOT has)::BIGINT AS sum_without,
        avg(total) FILTER (NOT has) AS mean_without,
        coalesce(stddev_samp(total) FILTER (NOT has), 0) AS sd_without,
        count(*) FILTER (NOT has AND won) AS won_without
    FROM marked
    GROUP BY title, players
)
SELECT
    title,
    players,
    asked AS card,
    n_with,
    sum_with,
    mean_with,
    n_without,
    sum_without,
    mean_without,
    mean_with - mean_without AS difference,
    mean_with - mean_without - welch_half_width(sd_with, n_with, sd_without, n_without) AS low,
    mean_with - mean_without + welch_half_width(sd_with, n_with, sd_without, n_without) AS high,
    won_with,
    won_without
FROM figures
ORDER BY title, players;
COMMENT ON MACRO TABLE with_without IS 'Final scores with and without a card, by number of players: n, mean, difference, its 95 % interval (seats as if independent), wins. Raw: who takes a card may be the stronger player.';

CREATE MACRO technique_scores() AS TABLE
WITH marked AS (
    SELECT result.title, players, card.card, total::DOUBLE AS total, won, techniques & card.bit != 0 AS has
    FROM result JOIN card ON card.title = result.title AND card.bit IS NOT NULL
),
figures AS (
    SELECT
        title,
        players,
        card,
        count(*) FILTER (has) AS n_with,
        sum(total) FILTER (has)::BIGINT AS sum_with,
        avg(total) FILTER (has) AS mean_with,
        coalesce(stddev_samp(total) FILTER (has), 0) AS sd_with,
        count(*) FILTER (has AND won) AS won_with,
        count(*) FILTER (NOT has) AS n_without,
        sum(total) FILTER (NOT has)::BIGINT AS sum_without,
        avg(total) FILTER (NOT has) AS mean_without,
        coalesce(stddev_samp(total) FILTER (NOT has), 0) AS sd_without,
        count(*) FILTER (NOT has AND won) AS won_without
    FROM marked
    GROUP BY title, players, card
)
SELECT
    title,
    players,
    card AS technique,
    n_with,
    sum_with,
    mean_with,
    n_without,
    sum_without,
    mean_without,
    mean_with - mean_without AS difference,
    mean_with - mean_without - welch_half_width(sd_with, n_with, sd_without, n_without) AS low,
    mean_with - mean_without + welch_half_width(sd_with, n_with, sd_without, n_without) AS high,
    won_with,
    won_without
FROM figures
ORDER BY title, players, technique;
COMMENT ON MACRO TABLE technique_scores IS 'with_without for every technique, by those held at the end.';

CREATE MACRO score_curve(asked) AS TABLE
SELECT standing.round, standing.seat, seat.player,
    max(amount) FILTER (what = 'points') AS points,
    max(amount) FILTER (what = 'score') AS score
FROM standing JOIN seat USING (game, seat)
WHERE standing.game = asked
GROUP BY ALL
ORDER BY round, seat;
COMMENT ON MACRO TABLE score_curve IS 'One game, round by round: points on the board, and the score if the final count came now.';

CREATE MACRO standing_after(asked) AS TABLE
WITH steps AS (
    SELECT 0 AS step, 0 AS n, 0 AS i UNION ALL SELECT step, n, i FROM event WHERE game = asked AND stands
),
last_change AS (
    SELECT step, seat, what, last(held ORDER BY rowid) AS held FROM ledger WHERE game = asked GROUP BY ALL
),
things AS (
    SELECT DISTINCT seat, what FROM standing WHERE game = asked AND what != 'score'
)
SELECT steps.step, steps.n, steps.i, things.seat, things.what, coalesce(last_change.held, 0) AS amount
FROM steps CROSS JOIN things
ASOF LEFT JOIN last_change
    ON things.seat = last_change.seat AND things.what = last_change.what AND steps.step >= last_change.step
ORDER BY steps.step, things.seat, things.what;
COMMENT ON MACRO TABLE standing_after IS 'One game, event by event: what everybody holds of everything.';

CREATE MACRO take_rates() AS TABLE
SELECT
    counted.title,
    counted.players,
    offer.card,
    card.kind,
    count(*) AS offered,
    count(*) FILTER (reachable) AS reachable,
    count(*) FILTER (affordable) AS affordable,
    count(*) FILTER (taken) AS taken,
    count(*) FILTER (taken AND affordable) / nullif(count(*) FILTER (affordable), 0) AS rate,
    wilson_low(count(*) FILTER (taken AND affordable), count(*) FILTER (affordable)) AS low,
    wilson_high(count(*) FILTER (taken AND affordable), count(*) FILTER (affordable)) AS high,
    avg(price) AS mean_price,
    avg(price) FILTER (taken) AS mean_price_taken
FROM offer JOIN counted USING (game) LEFT JOIN card ON card.title = counted.title AND card.card = offer.card
WHERE counted.reason IS NULL
GROUP BY counted.title, counted.players, offer.card, card.kind
ORDER BY counted.title, counted.players, offer.card;
COMMENT ON MACRO TABLE take_rates IS 'Each card over all decisions: how often it was offered, reachable, affordable and taken; rate: taken of affordable, with Wilson''s interval.';

CREATE MACRO head_to_head(a, b) AS TABLE
SELECT
    one.title,
    one.players,
    count(*) AS games,
    count(*) FILTER (one.place < other.place) AS ahead,
    count(*) FILTER (one.place = other.place) AS level,
    count(*) FILTER (one.place > other.place) AS behind,
    avg(one.total - other.total) AS mean_margin,
    half_width(stddev_samp(one.total - other.total), count(*)) AS margin_half_width,
    min(one.total - other.total) AS worst,
    max(one.total - other.total) AS best
FROM scored AS one JOIN scored AS other USING (game)
WHERE one.player = a AND other.player = b AND one.seat != other.seat
GROUP BY one.title, one.players
ORDER BY one.title, one.players;
COMMENT ON MACRO TABLE head_to_head IS 'Games that two players played together, seen by the first of them.';

CREATE MACRO seat_effect() AS TABLE
SELECT
    title,
    players,
    turn,
    count(*) AS n,
    avg(total) AS mean,
    half_width(stddev_samp(total), count(*)) AS mean_half_width,
    count(*) FILTER (won) AS won,
    count(*) FILTER (won) / count(*) AS win_rate,
    wilson_low(count(*) FILTER (won), count(*)) AS low,
    wilson_high(count(*) FILTER (won), count(*)) AS high,
    1 / players AS expected
FROM result
GROUP BY title, players, turn
ORDER BY title, players, turn;
COMMENT ON MACRO TABLE seat_effect IS 'Scores and wins by the place in the order of the first round; expected: the win rate if it did not matter and nobody shared.';

CREATE MACRO score_parts(asked) AS TABLE
SELECT seat, player, part, score_part.points, total
FROM score_part JOIN seat USING (game, seat)
WHERE game = asked
ORDER BY seat, part;
COMMENT ON MACRO TABLE score_parts IS 'One game: where the points of each seat came from.';

CREATE MACRO card_returns() AS TABLE
SELECT
    counted.title,
    counted.players,
    holding.card,
    holding.kind,
    count(*) AS n,
    avg(coalesce(paid['money'], 0)) AS mean_paid,
    avg(uses) AS mean_uses,
    avg(coalesce(returned['points'], 0)) AS mean_points,
    avg(final_points) AS mean_final_points,
    avg(coalesce(returned['money'], 0)) AS mean_money,
    avg(coalesce(returned['spyrium'], 0)) AS mean_spyrium
FROM holding JOIN counted USING (game)
WHERE counted.reason IS NULL
GROUP BY ALL
ORDER BY counted.title, counted.players, holding.kind, holding.card;
COMMENT ON MACRO TABLE card_returns IS 'Each building and technique: how often it was taken, and on average what it cost and brought.';
