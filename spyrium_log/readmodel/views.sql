-- Views cost nothing until somebody queries them. Columns without a comment here have that of the table's column.

CREATE MACRO is_all_simulated() AS (SELECT count(*) FILTER (game.source != 'simulated') = 0 FROM game);
COMMENT ON MACRO is_all_simulated IS 'Whether the archive holds simulated games alone.';

-- A game counts for one report and not for another: its findings may touch what a report rests on, or not. The bits are
-- those of which_bit in aspects.py; an aspect of NULL is a report that rests on everything.
CREATE MACRO does_count(counts_for, of_grade, of_aspect) AS counts_for & (1::BIGINT << (
    8 * CASE of_grade WHEN 'clean' THEN 0 WHEN 'open' THEN 1 WHEN 'exact' THEN 2 WHEN 'invented' THEN 3 END
    + CASE WHEN of_aspect IS NULL THEN 0
        ELSE list_position(['scores', 'seats', 'cards', 'openings', 'amounts', 'offers', 'time'], of_aspect)
    END
)) != 0;
COMMENT ON MACRO does_count IS 'Whether a game counts for a report that rests on an aspect (NULL: on everything), among games of a grade: by game.counts_for.';

-- Old score sheets are typed twice, or imported beside the recorded game. Nobody scores to the point alike twice a day.
CREATE VIEW repeated AS
WITH sheets AS (SELECT DISTINCT title, played FROM game WHERE scores_only AND played IS NOT NULL),
results AS (
    SELECT game, title, played, scores_only, list_sort(list(seat.player || ' ' || seat.total)) AS scores
    FROM game SEMI JOIN sheets USING (title, played) JOIN seat USING (game)
    WHERE scores_only OR final
    GROUP BY game, title, played, scores_only
)
SELECT game, first_value(game) OVER same AS repeats
FROM results
WINDOW same AS (PARTITION BY title, played, scores ORDER BY scores_only, game)
QUALIFY scores_only AND row_number() OVER same > 1;
COMMENT ON VIEW repeated IS 'One row a score sheet with the players and scores of another game of the same day: reports count one of them.';
COMMENT ON COLUMN repeated.repeats IS 'The game that counts: game.game.';

CREATE VIEW scored AS
SELECT game_title AS title, players, game_played AS played, game_source AS source, game_grades AS grades,
    game_counts_for AS counts_for, game_reason AS reason, game, seat, player, turn, total, place, won, shared, kept
FROM seat
WHERE does_count(game_counts_for, 'clean', 'scores')
    AND (game_source != 'simulated' OR is_all_simulated())
    AND game NOT IN (SELECT repeated.game FROM repeated);
COMMENT ON VIEW scored IS 'One row a seat of each game that counts for scores: also old score sheets, and games of which moves were missed, or whose findings are about something else; simulated ones where there are no others.';
COMMENT ON COLUMN scored.reason IS 'scores only: an old score sheet; gaps: moves were missed; open findings: on something else than the scores; NULL: all is known.';

CREATE VIEW result AS
SELECT * EXCLUDE (counts_for, reason) FROM scored
WHERE does_count(counts_for, 'clean', 'seats');
COMMENT ON VIEW result IS 'One row a seat of each game that counts for a report.';

CREATE VIEW held AS
SELECT card.title, seat.game, seat.seat, card.card, card.kind
FROM seat JOIN card ON card.title = seat.game_title AND seat.kept & card.bit != 0;
COMMENT ON VIEW held IS 'One row a card with a bit that a seat has at the end: seat.kept, bit by bit.';

CREATE VIEW taken AS
WITH all_taken AS (
    -- Of tracked cards those at the end; of others all, though they were replaced later.
    SELECT holding.game, holding.seat, holding.card, holding.kind, holding.round
    FROM holding JOIN game USING (game) LEFT JOIN card ON card.title = game.title AND card.card = holding.card
    WHERE holding.lost IS NULL OR card.bit IS NULL
    UNION ALL
    -- What is used at once and never lies before a seat.
    SELECT decision.game, decision.seat, decision.card, card.kind, decision.round
    FROM decision JOIN game USING (game) JOIN card ON card.title = game.title AND card.card = decision.card
    WHERE decision.verb = 'hire'
)
SELECT game, seat, card, kind, count(*) AS times, min(round) AS round
FROM all_taken
GROUP BY game, seat, card, kind;
COMMENT ON VIEW taken IS 'One row a card that a seat took: cards with a bit that it has at the end, of others all that it ever had.';
COMMENT ON COLUMN taken.times IS 'How often.';
COMMENT ON COLUMN taken.round IS 'In which round first.';
