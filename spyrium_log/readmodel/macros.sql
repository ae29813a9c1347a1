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
