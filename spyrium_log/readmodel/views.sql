-- What follows from the tables alone. Views cost nothing until they are asked.

CREATE MACRO counted_of(as_recorded) AS TABLE
SELECT
    game,
    title,
    seats AS players,
    played,
    source,
    grades,
    file,
    CASE
        WHEN verdict = 'unusable' THEN 'cannot be read to its end'
        WHEN scores_only THEN 'scores only'
        WHEN NOT final THEN 'no final count'
        WHEN open_findings > 0 THEN 'open findings'
        WHEN gaps THEN 'gaps'
    END AS reason
FROM game_of(as_recorded);
COMMENT ON MACRO TABLE counted_of IS 'counted, of the games as they stand, or as they were recorded.';

CREATE VIEW counted AS FROM counted_of(false);
COMMENT ON VIEW counted IS 'One row a game, and why it does not count for a report: reason IS NULL where it does.';
COMMENT ON COLUMN counted.game IS 'The game: game.game.';
COMMENT ON COLUMN counted.title IS 'game.title.';
COMMENT ON COLUMN counted.players IS 'How many play: game.seats.';
COMMENT ON COLUMN counted.played IS 'game.played.';
COMMENT ON COLUMN counted.source IS 'game.source.';
COMMENT ON COLUMN counted.grades IS 'game.grades.';
COMMENT ON COLUMN counted.file IS 'game.file.';
COMMENT ON COLUMN counted.reason IS 'Why it is left out; NULL: it has a final count, can be read to its end, has no open finding, and no moves were missed.';

CREATE VIEW scored AS
SELECT counted.* EXCLUDE (game, file), seat.* EXCLUDE (colour, points, written)
FROM counted JOIN seat USING (game)
WHERE counted.reason IS NULL OR counted.reason IN ('scores only', 'gaps');
COMMENT ON VIEW scored IS 'One row a seat of each game that counts for scores: also old score sheets, and games of which moves were missed.';
COMMENT ON COLUMN scored.title IS 'game.title.';
COMMENT ON COLUMN scored.players IS 'How many play: game.seats.';
COMMENT ON COLUMN scored.played IS 'game.played.';
COMMENT ON COLUMN scored.source IS 'game.source.';
COMMENT ON COLUMN scored.grades IS 'game.grades.';
COMMENT ON COLUMN scored.reason IS 'scores only: an old score sheet; gaps: moves were missed; NULL: all is known.';
COMMENT ON COLUMN scored.game IS 'The game: game.game.';
COMMENT ON COLUMN scored.seat IS 'seat.seat.';
COMMENT ON COLUMN scored.player IS 'seat.player.';
COMMENT ON COLUMN scored.turn IS 'seat.turn: 1 began.';
COMMENT ON COLUMN scored.total IS 'The final score: seat.total.';
COMMENT ON COLUMN scored.place IS 'seat.place.';
COMMENT ON COLUMN scored.won IS 'seat.won.';
COMMENT ON COLUMN scored.shared IS 'seat.shared.';
COMMENT ON COLUMN scored.techniques IS 'seat.techniques.';

CREATE VIEW result AS
SELECT * EXCLUDE (reason) FROM scored WHERE reason IS NULL;
COMMENT ON VIEW result IS 'One row a seat of each game that counts for a report.';
COMMENT ON COLUMN result.title IS 'game.title.';
COMMENT ON COLUMN result.players IS 'How many play: game.seats.';
COMMENT ON COLUMN result.played IS 'game.played.';
COMMENT ON COLUMN result.source IS 'game.source.';
COMMENT ON COLUMN result.grades IS 'game.grades.';
COMMENT ON COLUMN result.game IS 'The game: game.game.';
COMMENT ON COLUMN result.seat IS 'seat.seat.';
COMMENT ON COLUMN result.player IS 'seat.player.';
COMMENT ON COLUMN result.turn IS 'seat.turn: 1 began.';
COMMENT ON COLUMN result.total IS 'The final score: seat.total.';
COMMENT ON COLUMN result.place IS 'seat.place.';
COMMENT ON COLUMN result.won IS 'seat.won.';
COMMENT ON COLUMN result.shared IS 'seat.shared.';
COMMENT ON COLUMN result.techniques IS 'seat.techniques.';

CREATE VIEW held_technique AS
SELECT card.title, seat.game, seat.seat, card.card
FROM seat JOIN game USING (game) JOIN card ON card.title = game.title AND seat.techniques & card.bit != 0;
COMMENT ON VIEW held_technique IS 'One row a technique that a seat holds at the end: seat.techniques, bit by bit.';
COMMENT ON COLUMN held_technique.title IS 'game.title.';
COMMENT ON COLUMN held_technique.game IS 'The game: game.game.';
COMMENT ON COLUMN held_technique.seat IS 'Whose: seat.seat.';
COMMENT ON COLUMN held_technique.card IS 'The technique: card.card.';
