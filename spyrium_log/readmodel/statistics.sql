-- What reports are made of, with the choices that every report offers; NULL chooses all. In a shell:
-- FROM card_scores('building', of_players := 3).

-- What nobody played is no evidence of how people play: simulated games are asked by themselves.
CREATE MACRO is_of_source(its_source, of_source) AS CASE of_source
    WHEN 'real' THEN its_source != 'simulated' OR is_all_simulated()
    ELSE its_source = of_source
END;
COMMENT ON MACRO is_of_source IS 'Whether a game of this source is asked: real is every source but simulated, or simulated where there are no other games.';

-- A simulated player is called like its policy (spyrium_log/players), with a number where several are at one table.
CREATE MACRO is_policy(name) AS regexp_full_match(name, '(random|greedy|search:[0-9]+)(-[0-9]+)?');
COMMENT ON MACRO is_policy IS 'Whether a player is called like a policy of the simulation.';

-- A finding says nothing against what it does not touch; NULL: against everything.
CREATE MACRO speaks_against(touched, of_aspect) AS of_aspect IS NULL OR list_has_any(
    touched::VARCHAR[],
    CASE of_aspect
        WHEN 'seats' THEN ['scores']
        -- these are asked what final scores they come to
        WHEN 'cards' THEN ['scores', 'cards']
        WHEN 'openings' THEN ['scores', 'openings']
        ELSE [of_aspect]
    END
);
COMMENT ON MACRO speaks_against IS 'Whether the open findings of a game speak against what a report rests on.';

CREATE MACRO left_out_reason(counts_for, reason, grades, touched, played, since, until, of_grade, of_aspect) AS CASE
    -- Nobody can say whether it was played in that time.
    WHEN played IS NULL AND (since IS NOT NULL OR until IS NOT NULL) THEN 'no day'
    WHEN does_count(counts_for, of_grade, of_aspect) THEN NULL
    -- Asked for, such a game counts like any other: what else speaks against it is in its grades.
    WHEN reason = 'invented set' AND of_grade = 'invented' THEN CASE
        WHEN list_contains(grades, 'scores-only') THEN 'scores only'
        WHEN NOT list_contains(grades, 'complete') THEN 'no final count'
        WHEN list_contains(grades, 'findings') AND speaks_against(touched, of_aspect) THEN 'open findings'
        ELSE 'gaps'
    END
    WHEN reason = 'open findings' AND (of_grade = 'open' OR of_grade = 'clean' AND NOT speaks_against(touched, of_aspect))
        THEN 'gaps'
    WHEN reason IS NOT NULL THEN reason
    WHEN list_contains(grades, 'rulings') THEN 'rulings'
    ELSE 'cards nobody saw'
END;
COMMENT ON MACRO left_out_reason IS 'Why a game does not count, by the choices of a report; NULL where it does.';

CREATE MACRO chosen(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', of_player := NULL,
    of_aspect := NULL, of_repeated := false, as_recorded := false
) AS TABLE
SELECT game, title, seats AS players, played, source, file,
    CASE WHEN NOT is_of_source(source, of_source) THEN 'simulated'
        ELSE coalesce(
            left_out_reason(counts_for, reason, grades, touched, played, since, until, of_grade, of_aspect),
            CASE WHEN of_aspect = 'scores' AND NOT of_repeated AND game IN (SELECT repeated.game FROM repeated)
                THEN 'counted already' END
        ) END AS reason
FROM game_of(as_recorded)
WHERE (of_source = 'real' OR source = of_source)
    AND (of_title IS NULL OR title = of_title)
    AND (of_players IS NULL OR seats = of_players)
    AND (since IS NULL OR played IS NULL OR played >= since)
    AND (until IS NULL OR played IS NULL OR played[:length(until)] <= until)
    AND (of_player IS NULL OR game IN (SELECT seat.game FROM seat WHERE seat.player = of_player));
COMMENT ON MACRO TABLE chosen IS 'One row a game that is asked about, and why it does not count (reason IS NULL: it does). Grades: clean, open (open findings too), exact (no open findings at all, no rulings, every card seen), invented (games on invented sets too). of_aspect: what it is asked for, so that findings on something else do not count against it: scores (old score sheets and games with gaps count, too), seats, cards, openings, amounts, offers, time; NULL: no open findings at all. of_repeated: score sheets of one day with the same players and scores count each. as_recorded: games as they were before anybody amended them. of_source: real (all but simulated games, which are asked where there are no others), or one source.';

CREATE MACRO few_named(files) AS array_to_string(list_sort(files)[1:20], ', ')
    || CASE WHEN len(files) > 20 THEN ' and ' || (len(files) - 20) || ' more' ELSE '' END;
COMMENT ON MACRO few_named IS 'At most twenty of a list of files, and how many more there are.';

CREATE MACRO left_out(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', of_player := NULL,
    of_aspect := NULL, as_recorded := false
) AS TABLE
SELECT title, players, reason, count(*) AS games, few_named(list(file)) AS files
FROM chosen(
    of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
    of_player := of_player, of_aspect := of_aspect, as_recorded := as_recorded
)
WHERE reason IS NOT NULL
GROUP BY title, players, reason
ORDER BY title, players, reason;
COMMENT ON MACRO TABLE left_out IS 'The games that a report leaves out, and why; at most twenty are named, FROM chosen() has all.';

CREATE MACRO left_out_in_part(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', of_player := NULL,
    of_aspect := NULL, of_repeated := false, as_recorded := false
) AS TABLE
SELECT title, players, chosen.reason, CASE WHEN for_scores.reason IS NULL THEN 'for scores' ELSE 'not' END AS counts,
    count(*) AS games, few_named(list(file)) AS files
FROM chosen(
    of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
    of_player := of_player, of_aspect := of_aspect, as_recorded := as_recorded
) AS chosen
JOIN chosen(
    of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
    of_player := of_player, of_aspect := 'scores', of_repeated := of_repeated, as_recorded := as_recorded
) AS for_scores USING (game, title, players, file)
WHERE chosen.reason IS NOT NULL
GROUP BY ALL
ORDER BY title, players, chosen.reason, counts;
COMMENT ON MACRO TABLE left_out_in_part IS 'The same of a report that asks scores and more: games whose scores alone count, too.';

CREATE MACRO is_chosen(
    title, players, played, its_source, counts_for, of_title, of_players, since, until, of_grade, of_source, of_aspect
) AS is_of_source(its_source, of_source)
    AND does_count(counts_for, of_grade, of_aspect)
    AND (of_title IS NULL OR title = of_title)
    AND (of_players IS NULL OR players = of_players)
    AND (since IS NULL OR played >= since)
    -- a month includes its days: what follows is less than ~
    AND (until IS NULL OR played <= until || '~');
COMMENT ON MACRO is_chosen IS 'Whether a game counts and is one of those that a report is about.';

CREATE MACRO results(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', of_player := NULL,
    of_aspect := NULL, of_repeated := false, as_recorded := false
) AS TABLE
SELECT game_title AS title, players, game_played AS played, game, seat, player, turn, total, place, won, shared, kept
FROM seat_of(as_recorded)
WHERE is_chosen(
        game_title, players, game_played, game_source, game_counts_for, of_title, of_players, since, until, of_grade,
        of_source, of_aspect
    )
    AND (of_aspect IS DISTINCT FROM 'scores' OR of_repeated OR game NOT IN (SELECT repeated.game FROM repeated))
    AND (of_player IS NULL OR player = of_player);
COMMENT ON MACRO TABLE results IS 'One row a seat of each game that counts. of_aspect: what for, as in chosen(); with scores also games of which nothing but the scores is sure. as_recorded: before anybody amended them.';

-- Of a card in two games among a thousand two games say something: to count all of them as degrees of freedom would
-- make an interval that holds the truth in one of two cases.
CREATE MACRO cluster_half_width(square, pulls, few, seats, strata) AS CASE
    WHEN few > 1 AND seats > strata + 1 AND square > 0 THEN
        t975(few - 1) * sqrt(pulls * few / (few - 1) * (seats - 1) / (seats - strata - 1)) / square
END;
COMMENT ON MACRO cluster_half_width IS 'Half the width of a 95 % interval around a slope within strata, whose rows depend on each other within a game; few: games with it, or without it, whichever are fewer.';

-- The slope of the score over "has the card" within strata, which for one stratum is the difference of the two means.
-- Raw: strata are numbers of players. Adjusted: a player at a number of players, so that only games of one player are
-- compared with other games of the same player; who is strong and buys dear cards no longer speaks for the cards.
-- Seats of one game depend on each other, so the interval is of games (clusters), with Student's t over the games with
-- the card or those without it, whichever are fewer.
CREATE MACRO card_scores(
    of_kind, of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real',
    of_player := NULL, of_card := NULL, least := 10
) AS TABLE
WITH seats AS (
    FROM results(
        of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
        of_player := of_player, of_aspect := 'cards'
    )
),
marked AS (
    SELECT
        seats.title,
        card.card,
        seats.players,
        seats.player,
        seats.game,
        seats.total,
        seats.won,
        taken.card IS NOT NULL AS has
    FROM seats
    JOIN card ON card.title = seats.title AND card.kind = of_kind
    LEFT JOIN taken
        ON taken.kind = of_kind AND taken.game = seats.game AND taken.seat = seats.seat AND taken.card = card.card
),
by_player AS (
    SELECT title, card, players, player, count(*) AS seats, count(*) FILTER (has) AS n_with, sum(total) AS total
    FROM marked
    GROUP BY title, card, players, player
),
by_count AS (
    SELECT title, card, players, sum(seats) AS seats, sum(n_with) AS n_with, sum(total) AS total
    FROM by_player
    GROUP BY title, card, players
),
-- A stratum in which all have the card, or nobody, says nothing of it.
strata AS (
    SELECT
        title,
        card,
        players,
        sum(seats) FILTER (NOT own AND n_with BETWEEN 1 AND seats - 1) AS raw_seats,
        count(*) FILTER (NOT own AND n_with BETWEEN 1 AND seats - 1) AS raw_strata,
        sum(seats) FILTER (own AND n_with BETWEEN 1 AND seats - 1) AS own_seats,
        count(*) FILTER (own AND n_with BETWEEN 1 AND seats - 1) AS own_strata
    FROM (
        SELECT title, card, players, seats, n_with, true AS own FROM by_player
        UNION ALL
        SELECT title, card, players, seats, n_with, false FROM by_count
    )
    GROUP BY GROUPING SETS ((title, card, players), (title, card))
),
centred AS (
    SELECT
        marked.*,
        has::INTEGER - by_count.n_with / by_count.seats AS raw_has,
        marked.total - by_count.total / by_count.seats AS raw_total,
        by_count.n_with BETWEEN 1 AND by_count.seats - 1 AS raw_says,
        has::INTEGER - by_player.n_with / by_player.seats AS own_has,
        marked.total - by_player.total / by_player.seats AS own_total,
        by_player.n_with BETWEEN 1 AND by_player.seats - 1 AS own_says
    FROM marked
    JOIN by_count USING (title, card, players)
    JOIN by_player USING (title, card, players, player)
),
by_game AS (
    SELECT
        title,
        card,
        players,
        count(*) AS seats,
        count(*) FILTER (has) AS n_with,
        sum(total) AS total,
        sum(total) FILTER (has) AS sum_with,
        count(*) FILTER (won) AS won,
        count(*) FILTER (has AND won) AS won_with,
        bool_or(raw_says AND has) AS raw_with,
        bool_or(raw_says AND NOT has) AS raw_without,
        sum(raw_has * raw_has) AS raw_square,
        sum(raw_has * raw_total) AS raw_cross,
        bool_or(own_says) AS own_says,
        bool_or(own_says AND has) AS own_with,
        bool_or(own_says AND NOT has) AS own_without,
        sum(own_has * own_has) AS own_square,
        sum(own_has * own_total) AS own_cross
    FROM centred
    GROUP BY title, card, players, game
),
slopes AS (
    SELECT
        title,
        card,
        players,
        sum(n_with)::BIGINT AS n_with,
        count(*) FILTER (n_with > 0) AS games_with,
        sum(sum_with)::BIGINT AS sum_with,
        sum(seats - n_with)::BIGINT AS n_without,
        count(*) FILTER (n_with < seats) AS games_without,
        sum(total - coalesce(sum_with, 0)) FILTER (n_with < seats)::BIGINT AS sum_without,
        sum(won_with)::BIGINT AS won_with,
        sum(won - won_with)::BIGINT AS won_without,
        sum(raw_square) AS raw_square,
        sum(raw_cross) / nullif(sum(raw_square), 0) AS raw_slope,
        sum(own_square) AS own_square,
        sum(own_cross) / nullif(sum(own_square), 0) AS own_slope
    FROM by_game
    GROUP BY GROUPING SETS ((title, card, players), (title, card))
),
spreads AS (
    SELECT
        slopes.title,
        slopes.card,
        slopes.players,
        least(count(*) FILTER (raw_with), count(*) FILTER (raw_without)) AS raw_few,
        sum(pow(by_game.raw_cross - raw_slope * by_game.raw_square, 2)) AS raw_pulls,
        count(*) FILTER (own_says) AS own_games,
        least(count(*) FILTER (own_with), count(*) FILTER (own_without)) AS own_few,
        sum(pow(by_game.own_cross - own_slope * by_game.own_square, 2)) AS own_pulls
    FROM slopes
    JOIN by_game
        ON by_game.title = slopes.title
        AND by_game.card = slopes.card
        AND (slopes.players IS NULL OR slopes.players = by_game.players)
    GROUP BY slopes.title, slopes.card, slopes.players
),
halves AS (
    SELECT
        slopes.*,
        sum_with / nullif(n_with, 0) AS mean_with,
        sum_without / nullif(n_without, 0) AS mean_without,
        spreads.own_games,
        spreads.own_few,
        -- Ranks go by what compares a player with himself, so that has to rest on enough games, too.
        CASE WHEN least(games_with, games_without) < least THEN 'fewer than ' || least || ' games with or without: not ranked'
            WHEN own_few < least THEN 'fewer than ' || least || ' such games of players who had it and had it not: not ranked'
        END AS note,
        cluster_half_width(raw_square, raw_pulls, raw_few, raw_seats, raw_strata) AS raw_half,
        cluster_half_width(own_square, own_pulls, own_few, own_seats, own_strata) AS own_half,
        chance(own_slope, cluster_half_width(own_square, own_pulls, own_few, own_seats, own_strata), own_few) AS by_chance
    FROM slopes
    JOIN spreads
        ON spreads.title = slopes.title
        AND spreads.card = slopes.card
        AND spreads.players IS NOT DISTINCT FROM slopes.players
    JOIN strata
        ON strata.title = slopes.title
        AND strata.card = slopes.card
        AND strata.players IS NOT DISTINCT FROM slopes.players
),
-- Benjamini and Hochberg: of all cards that stand out, at most one of twenty does so by chance alone. By numbers of
-- players all are compared together: each number by itself, there would be one by chance for each of them.
ranked AS (
    SELECT *, max(CASE WHEN note IS NULL AND by_chance <= 0.05 * nth / compared THEN by_chance END) OVER family AS bar
    FROM (
        SELECT *, row_number() OVER (PARTITION BY title, players IS NULL, note IS NULL ORDER BY by_chance NULLS LAST) AS nth,
            count(*) FILTER (note IS NULL) OVER (PARTITION BY title, players IS NULL) AS compared
        FROM halves
    )
    WINDOW family AS (PARTITION BY title, players IS NULL)
)
SELECT
    title,
    players,
    card,
    CASE WHEN note IS NULL THEN rank() OVER (
        PARTITION BY title, players, note IS NULL
        -- Rounded: what is equal was summed in another order.
        ORDER BY round(own_slope, 9) DESC NULLS LAST
    ) END AS rank,
    n_with,
    sum_with,
    mean_with,
    n_without,
    sum_without,
    mean_without,
    raw_slope AS difference,
    raw_slope - raw_half AS low,
    raw_slope + raw_half AS high,
    own_slope AS adjusted,
    own_slope - own_half AS adjusted_low,
    own_slope + own_half AS adjusted_high,
    own_games AS adjusted_games,
    CASE WHEN note IS NULL THEN coalesce(by_chance <= bar, false) END AS stands_out,
    won_with,
    won_with / nullif(n_with, 0) AS win_with,
    won_without,
    won_without / nullif(n_without, 0) AS win_without,
    note
FROM ranked
-- One card has the rank that it has among all.
QUALIFY of_card IS NULL OR card = of_card
ORDER BY title, players NULLS FIRST, rank NULLS LAST, card;
COMMENT ON MACRO TABLE card_scores IS 'Final scores with and without each card of a kind, raw and adjusted for who played; players IS NULL: all numbers of players together.';

-- Two questions: how likely a decision takes it that could, and how likely a seat takes it that ever could. A card lies
-- there for several decisions, so the first is far less.
CREATE MACRO take_rates(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real',
    of_player := NULL, of_card := NULL, least := 10
) AS TABLE
WITH offers AS (
    SELECT chosen.title, offer.*, card.kind
    FROM chosen(
        of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade,
        of_source := of_source, of_aspect := 'offers'
    ) AS chosen
    JOIN offer USING (game)
    JOIN seat USING (game, seat)
    LEFT JOIN card ON card.title = chosen.title AND card.card = offer.card
    WHERE chosen.reason IS NULL
        AND (of_player IS NULL OR seat.player = of_player)
),
by_seat AS (
    SELECT title, kind, card, game, seat,
        count(*) AS offered,
        count(*) FILTER (reachable) AS reachable,
        count(*) FILTER (affordable) AS affordable,
        count(*) FILTER (taken) AS taken,
        count(*) FILTER (taken AND affordable) AS taken_affordable,
        sum(price) AS prices,
        count(price) AS priced,
        sum(price) FILTER (taken) AS prices_taken,
        count(price) FILTER (taken) AS priced_taken
    FROM offers
    GROUP BY title, kind, card, game, seat
),
by_game AS (
    SELECT title, kind, card, game,
        sum(offered) AS offered, sum(reachable) AS reachable, sum(affordable) AS affordable, sum(taken) AS taken,
        sum(taken_affordable) AS taken_affordable, sum(prices) AS prices, sum(priced) AS priced,
        sum(prices_taken) AS prices_taken, sum(priced_taken) AS priced_taken,
        count(*) FILTER (affordable > 0) AS seats_able, count(*) FILTER (taken_affordable > 0) AS seats_taking
    FROM by_seat
    GROUP BY title, kind, card, game
),
pulled AS (
    SELECT *,
        pow(taken_affordable - affordable * sum(taken_affordable) OVER same / nullif(sum(affordable) OVER same, 0), 2) AS pull,
        pow(seats_taking - seats_able * sum(seats_taking) OVER same / nullif(sum(seats_able) OVER same, 0), 2) AS seat_pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, kind, card)
),
counts AS (
    SELECT
        title,
        kind,
        card,
        count(*) AS games,
        count(*) FILTER (affordable > 0) AS games_able,
        sum(offered)::BIGINT AS offered,
        sum(reachable)::BIGINT AS reachable,
        sum(affordable)::BIGINT AS affordable,
        sum(taken)::BIGINT AS taken,
        sum(taken_affordable)::BIGINT AS taken_affordable,
        sum(seats_able)::BIGINT AS seats_able,
        sum(seats_taking)::BIGINT AS seats_taking,
        sum(pull) AS pull,
        sum(seat_pull) AS seat_pull,
        sum(prices) / sum(priced) AS mean_price,
        sum(prices_taken) / sum(priced_taken) AS mean_price_taken
    FROM pulled
    GROUP BY title, kind, card
)
SELECT
    title,
    kind,
    card,
    CASE WHEN games >= least
        THEN rank() OVER (
            PARTITION BY title, kind, games >= least
            ORDER BY taken_affordable / nullif(affordable, 0) DESC NULLS LAST
        ) END AS rank,
    games,
    offered,
    reachable,
    affordable,
    taken,
    taken_affordable,
    taken_affordable / nullif(affordable, 0) AS rate,
    rate_low(taken_affordable, affordable, pull, games_able) AS low,
    rate_high(taken_affordable, affordable, pull, games_able) AS high,
    seats_able,
    seats_taking,
    seats_taking / nullif(seats_able, 0) AS seat_rate,
    rate_low(seats_taking, seats_able, seat_pull, games_able) AS seat_low,
    rate_high(seats_taking, seats_able, seat_pull, games_able) AS seat_high,
    mean_price,
    mean_price_taken,
    CASE WHEN games < least THEN 'fewer than ' || least || ' games: not ranked' END AS note
FROM counts
QUALIFY of_card IS NULL OR card = of_card
ORDER BY title, kind, rank NULLS LAST, card;
COMMENT ON MACRO TABLE take_rates IS 'Each card: how often it was offered, reachable, affordable and taken; rate: of the decisions that could take it, seat_rate: of the seats that ever could.';

-- Who is strong may always begin: then the raw figures say how strong the one is who sits there. Adjusted ones compare a
-- player with himself alone: points at the same number of players, wins among the same people, for who wins depends on
-- who else is there.
CREATE MACRO seat_effect(
    of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', least := 10,
    as_recorded := false
) AS TABLE
WITH seats AS (
    SELECT
        *,
        total - avg(total) OVER (PARTITION BY game) AS edge,
        count(*) FILTER (won) OVER (PARTITION BY game) AS winners,
        array_to_string(list_sort(list(player) OVER (PARTITION BY game)), chr(31)) AS people
    FROM results(
        of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
        of_aspect := 'seats', as_recorded := as_recorded
    )
    -- whoever is alone begins
    WHERE players > 1
),
marked AS (
    SELECT title, players, asked.turn, game, player, people, total, won::INTEGER AS won, (seats.turn = asked.turn)::INTEGER AS sits
    FROM seats JOIN (SELECT DISTINCT title, players, turn FROM seats) AS asked USING (title, players)
),
measured AS (
    SELECT title, players, turn, game, 'points' AS measure, player AS stratum, sits, total AS value FROM marked
    UNION ALL
    SELECT title, players, turn, game, 'wins', people || chr(30) || player, sits, won FROM marked
),
-- Who always sat there, or never did, says nothing of the seat.
strata AS (
    SELECT title, players, turn, measure, stratum, avg(sits) AS share, avg(value) AS mean
    FROM measured
    GROUP BY title, players, turn, measure, stratum
    HAVING min(sits) < max(sits)
),
by_game AS (
    SELECT title, players, turn, measure, game, count(*) AS n, bool_or(sits = 1) AS there, bool_or(sits = 0) AS elsewhere,
        sum(pow(sits - share, 2)) AS square, sum((sits - share) * (value - mean)) AS crossed
    FROM measured JOIN strata USING (title, players, turn, measure, stratum)
    GROUP BY title, players, turn, measure, game
),
pulled AS (
    SELECT *, pow(crossed - sum(crossed) OVER same / sum(square) OVER same * square, 2) AS pull
    FROM by_game
    WINDOW same AS (PARTITION BY title, players, turn, measure)
),
adjusted AS (
    SELECT title, players, turn, measure, sum(crossed) / sum(square) AS slope,
        least(count(*) FILTER (there), count(*) FILTER (elsewhere)) AS games,
        cluster_half_width(
            sum(square), sum(pull), least(count(*) FILTER (there), count(*) FILTER (elsewhere)), sum(n),
            (
                SELECT count(*) FROM strata
                WHERE strata.title = pulled.title AND strata.players = pulled.players AND strata.turn = pulled.turn
                    AND strata.measure = pulled.measure
            )
        ) AS half
    FROM pulled
    GROUP BY title, players, turn, measure
),
counts AS (
    SELECT
        title,
        players,
        turn,
        count(*) AS n,
        avg(total) AS mean,
        half_width(stddev_samp(total), count(*)) AS mean_half,
        avg(edge) AS edge,
        half_width(stddev_samp(edge), count(*)) AS edge_half,
        count(*) FILTER (won) AS won,
        avg(winners) / players AS expected
    FROM seats
    GROUP BY title, players, turn
)
SELECT
    title,
    players,
    turn,
    turn || ' of ' || players AS seat,
    n,
    mean,
    mean - mean_half AS mean_low,
    mean + mean_half AS mean_high,
    edge,
    edge - edge_half AS edge_low,
    edge + edge_half AS edge_high,
    points.slope AS adjusted,
    points.slope - points.half AS adjusted_low,
    points.slope + points.half AS adjusted_high,
    won,
    won / n AS win_rate,
    wilson_low(won, n) AS low,
    wilson_high(won, n) AS high,
    expected,
    wins.slope AS adjusted_wins,
    wins.slope - wins.half AS adjusted_wins_low,
    wins.slope + wins.half AS adjusted_wins_high,
    coalesce(wins.games, 0) AS adjusted_games,
    CASE
        WHEN n < least THEN 'fewer than ' || least || ' games'
        WHEN wins.games IS NULL THEN 'nobody sat there and elsewhere among the same people: the seat cannot be told from who sat there'
        WHEN wins.games < least THEN 'fewer than ' || least || ' games of players who sat there and elsewhere among the same people'
    END AS note
FROM counts
LEFT JOIN (FROM adjusted WHERE measure = 'points') AS points USING (title, players, turn)
LEFT JOIN (FROM adjusted WHERE measure = 'wins') AS wins USING (title, players, turn)
ORDER BY title, players, turn;
COMMENT ON MACRO TABLE seat_effect IS 'Scores and wins by the place in the order of the first round, raw and adjusted for who sat there; expected: the win rate if it did not matter. edge: the score less the mean of its game.';

CREATE MACRO head_to_head(
    a, b, of_title := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real',
    of_repeated := false, as_recorded := false
) AS TABLE
WITH duels AS (
    SELECT one.title, one.players, one.place, other.place AS other_place, one.total - other.total AS margin
    FROM results(
        of_title := of_title, of_players := of_players, since := since, until := until, of_grade := of_grade, of_source := of_source,
        of_aspect := 'scores', of_repeated := of_repeated, as_recorded := as_recorded
    ) AS one JOIN seat_of(as_recorded) AS other USING (game)
    WHERE one.player = a AND other.player = b AND a != b
        AND (SELECT count(*) FROM seat WHERE seat.game = one.game AND seat.player IN (a, b)) = 2
)
SELECT title, players, count(*) AS games, count(*) FILTER (place < other_place) AS ahead,
    count(*) FILTER (place = other_place) AS level, count(*) FILTER (place > other_place) AS behind,
    avg(margin) AS margin, avg(margin) - half_width(stddev_samp(margin), count(*)) AS low,
    avg(margin) + half_width(stddev_samp(margin), count(*)) AS high, min(margin) AS worst, max(margin) AS best
FROM duels
GROUP BY title, players
ORDER BY title, players;
COMMENT ON MACRO TABLE head_to_head IS 'Games that two players played together, seen by the first of them; old score sheets count, too.';

CREATE MACRO with_without(asked) AS TABLE
SELECT scores.* FROM card_scores((SELECT kind FROM card WHERE card = asked LIMIT 1), of_card := asked) AS scores;
COMMENT ON MACRO TABLE with_without IS 'card_scores for one card.';

-- First by what seats hold, for that is few different things among many seats; only then by card. Of one title: to group
-- by a text as well takes twice as long. One seat of a game holds a card, so its seats are of as many games.
CREATE MACRO card_averages(
    of_title, of_kind := NULL, of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real',
    of_player := NULL
) AS TABLE
WITH hands AS (
    SELECT players, kept, count(*) AS n, sum(total::DOUBLE) AS total, sum(total::DOUBLE * total::DOUBLE) AS square
    FROM seat
    WHERE is_chosen(
            game_title, players, game_played, game_source, game_counts_for, of_title, of_players, since, until, of_grade,
            of_source, 'cards'
        )
        AND (of_player IS NULL OR player = of_player)
    GROUP BY players, kept
),
sums AS (
    SELECT card.title, card.kind, hands.players, card.card, sum(hands.n)::BIGINT AS n, sum(hands.total) AS total,
        sum(hands.square) AS square
    FROM hands JOIN card ON hands.kept & card.bit != 0
    WHERE card.title = of_title AND (of_kind IS NULL OR card.kind = of_kind)
    GROUP BY card.title, card.kind, hands.players, card.card
),
means AS (
    SELECT *, total / n AS mean,
        half_width(sqrt(greatest(0, (square - total * (total / n)) / nullif(n - 1, 0))), n) AS half
    FROM sums
)
SELECT title, kind, players, card, n, mean, mean - half AS low, mean + half AS high
FROM means
ORDER BY kind, players, card;
COMMENT ON MACRO TABLE card_averages IS 'The average final score by number of players and card with a bit, of the seats of a title that have it at the end, with a 95 % interval, and nothing else; card_scores says what it is worth.';
