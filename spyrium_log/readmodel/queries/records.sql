-- What are the records?
-- needs: scores
--
-- `times`: in how many games that figure was reached; of several the first by day and id is named. Figures are points,
-- but for cards kept to the end, which are counted by kind; a whole table is shown by who won there. Old score sheets
-- count for scores, and so do games of which moves were missed.
--
-- ## records: The record book
-- first: record figure player times players played game
WITH seats AS (
    SELECT *, total - max(total) FILTER (NOT won) OVER (PARTITION BY game) AS margin,
        count(*) FILTER (won) OVER (PARTITION BY game) AS winners,
        sum(total) OVER (PARTITION BY game) AS together
    FROM results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'scores', of_repeated := $repeated, as_recorded := $as_recorded
    )
    WHERE total IS NOT NULL
),
hands AS (
    SELECT seats.game, seats.seat, card.kind, bit_count(seats.kept & sum(card.bit)::BIGINT) AS cards
    FROM seats JOIN card ON card.title = seats.title AND card.bit IS NOT NULL
    GROUP BY seats.game, seats.seat, seats.kept, card.kind
),
books AS (
    SELECT 1 AS place, 'highest score' AS record, total AS figure, -total AS by, * FROM seats
    UNION ALL SELECT 2, 'lowest score that won', total, total, * FROM seats WHERE won
    UNION ALL SELECT 3, 'highest score that did not win', total, -total, * FROM seats WHERE NOT won
    UNION ALL SELECT 4, 'lowest score', total, total, * FROM seats
    UNION ALL SELECT 5, 'largest margin', margin, -margin, * FROM seats WHERE won AND winners = 1 AND margin IS NOT NULL
    UNION ALL SELECT 6, 'smallest margin', margin, margin, * FROM seats WHERE won AND winners = 1 AND margin IS NOT NULL
    UNION ALL SELECT 7, 'most points on one table', together, -together, * FROM seats WHERE won
    UNION ALL SELECT 8, 'most cards kept: ' || hands.kind, hands.cards, -hands.cards, seats.*
    FROM seats JOIN hands USING (game, seat)
    SEMI JOIN results(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
        of_aspect := 'cards', as_recorded := $as_recorded
    ) AS whole USING (game)
)
SELECT title, record, figure, player, count(DISTINCT game) OVER (PARTITION BY title, place, record, "by") AS times,
    players, played, game
FROM books
WHERE $player IS NULL OR player = $player
QUALIFY row_number() OVER (PARTITION BY title, place, record ORDER BY "by", played NULLS LAST, game, seat) = 1
ORDER BY title, place, record;

-- ## left-out: Games left out, and why
-- first: title players games counts reason files
FROM left_out_in_part(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, as_recorded := $as_recorded, of_aspect := 'cards', of_repeated := $repeated
);
