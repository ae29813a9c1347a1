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

-- Rows of one game depend on each other. pulls: over all games, the squares of what a game's rows sum to more than as
-- many average rows; n: all rows.
CREATE MACRO game_half_width(pulls, games, n) AS
    CASE WHEN games > 1 THEN t975(games - 1) * sqrt(pulls * games / (games - 1)) / n END;
COMMENT ON MACRO game_half_width IS 'Half the width of a 95 % interval around a mean over rows that depend on each other within a game.';

-- Rows of one game depend on each other: k of n say as much as this number of rows would that do not. pulls: as above.
CREATE MACRO effective_n(k, n, pulls, games) AS CASE
    WHEN games > 1 AND k > 0 AND k < n AND pulls > 0
        THEN n * least(1.0::DOUBLE, k * (n - k) / n::DOUBLE / (pulls * games / (games - 1)))
    ELSE games
END;
COMMENT ON MACRO effective_n IS 'The number of independent rows that say as much as n rows of which k are so, where rows of a game depend on each other.';

CREATE MACRO rate_low(k, n, pulls, games) AS CASE WHEN n > 0
    THEN wilson_low(k / n::DOUBLE * effective_n(k, n, pulls, games), effective_n(k, n, pulls, games)) END;
COMMENT ON MACRO rate_low IS 'The lower end of a 95 % interval for k of n rows that depend on each other within a game: Wilson''s, of effective_n.';

CREATE MACRO rate_high(k, n, pulls, games) AS CASE WHEN n > 0
    THEN wilson_high(k / n::DOUBLE * effective_n(k, n, pulls, games), effective_n(k, n, pulls, games)) END;
COMMENT ON MACRO rate_high IS 'The upper end of that interval.';

-- Wallace's normal deviate of Student's t, and Abramowitz and Stegun's 7.1.26 of its tails: less than 0.001 off.
CREATE MACRO normal_deviate(t, df) AS (8.0::DOUBLE * df + 1) / (8 * df + 3) * sqrt(df * ln(1 + t * t / df));
COMMENT ON MACRO normal_deviate IS 'The normal deviate that is as rare as this Student''s t.';

CREATE MACRO both_tails(z) AS exp(-z * z / 2) * list_reduce(
    [1.061405429::DOUBLE, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0.0],
    lambda total, term: (total / (1 + 0.3275911::DOUBLE * z / sqrt(2.0)) + term)
);
COMMENT ON MACRO both_tails IS 'How often chance alone makes a normal deviate at least as far from 0.';

CREATE MACRO chance(slope, half, few) AS
    CASE WHEN half > 0 AND few > 1 THEN both_tails(normal_deviate(slope / half * t975(few - 1), few - 1)) END;
COMMENT ON MACRO chance IS 'How often chance alone makes a difference as large as this one, which has a 95 % interval of this half width over so many games.';

CREATE MACRO score_curve(asked) AS TABLE
SELECT standing.round, standing.seat, seat.player,
    max(amount) FILTER (role = 'points') AS points,
    max(amount) FILTER (standing.what = 'score') AS score
FROM standing JOIN seat USING (game, seat)
LEFT JOIN resource ON resource.title = seat.game_title AND resource.what = standing.what
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

CREATE MACRO score_parts(asked) AS TABLE
SELECT seat, player, part, score_part.points, total
FROM score_part JOIN seat USING (game, seat)
WHERE game = asked
ORDER BY seat, part;
COMMENT ON MACRO TABLE score_parts IS 'One game: where the points of each seat came from.';
