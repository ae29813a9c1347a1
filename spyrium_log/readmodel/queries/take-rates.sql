-- How often is a card taken by those who could?
--
-- Every decision, forced choices apart, sees the whole market. `offered`: the card lay there. `reachable`: a worker of
-- the one who decides stood beside it. `affordable`: an activation was legal at that moment, in phase II or by entering
-- it. `taken`: the decision was to activate it. `rate` is taken of affordable, with Wilson's 95 % interval; a card lies
-- there for several decisions, so rates are small and the interval is a little too narrow.
-- `price` is what the cheapest activation would have cost, Lobbying and Commerce unused, when it could be paid.
--
-- ## rates: Taken of those that could be paid for
-- chart: means card rate low high
-- first: card kind rate low high affordable rank taken offered games note
WITH offers AS (
    SELECT chosen.title, offer.*, card.kind
    FROM chosen(
        of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
    ) AS chosen
    JOIN offer USING (game)
    JOIN seat USING (game, seat)
    LEFT JOIN card ON card.title = chosen.title AND card.card = offer.card
    WHERE chosen.reason IS NULL
        AND ($player IS NULL OR seat.player = $player)
        AND ($card IS NULL OR offer.card = $card)
),
counts AS (
    SELECT
        title,
        kind,
        card,
        count(DISTINCT game) AS games,
        count(*) AS offered,
        count(*) FILTER (reachable) AS reachable,
        count(*) FILTER (affordable) AS affordable,
        count(*) FILTER (taken) AS taken,
        count(*) FILTER (taken AND affordable) AS taken_affordable,
        avg(price) AS mean_price,
        avg(price) FILTER (taken) AS mean_price_taken
    FROM offers
    GROUP BY title, kind, card
)
SELECT
    title,
    kind,
    card,
    CASE WHEN games >= $least
        THEN rank() OVER (PARTITION BY title, kind, games >= $least ORDER BY taken_affordable / nullif(affordable, 0) DESC NULLS LAST) END AS rank,
    games,
    offered,
    reachable,
    affordable,
    taken,
    taken_affordable / nullif(affordable, 0) AS rate,
    wilson_low(taken_affordable, affordable) AS low,
    wilson_high(taken_affordable, affordable) AS high,
    mean_price,
    mean_price_taken,
    CASE WHEN games < $least THEN 'fewer than ' || $least || ' games: not ranked' END AS note
FROM counts
ORDER BY title, kind, rank NULLS LAST, card;

-- ## left-out: Games left out, and why
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);
