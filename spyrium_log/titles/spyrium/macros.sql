-- What the tables of Spyrium's games are asked with, besides the macros for games of every title.

CREATE MACRO card_returns() AS TABLE
SELECT
    game.title,
    game.seats AS players,
    holding.card,
    holding.kind,
    count(*) AS n,
    avg(coalesce(paid['money'], 0)) AS mean_paid,
    avg(uses) AS mean_uses,
    avg(coalesce(returned['points'], 0)) AS mean_points,
    avg(final_points) AS mean_final_points,
    avg(coalesce(returned['money'], 0)) AS mean_money,
    avg(coalesce(returned['spyrium'], 0)) AS mean_spyrium
FROM holding JOIN game USING (game)
WHERE game.title = 'spyrium' AND game.reason IS NULL AND is_of_source(game.source, 'real')
GROUP BY ALL
ORDER BY game.title, players, holding.kind, holding.card;
COMMENT ON MACRO TABLE card_returns IS 'Each building and technique: how often it was taken, and on average what it cost and brought.';

CREATE MACRO technique_scores() AS TABLE FROM card_scores('technique', of_title := 'spyrium');
COMMENT ON MACRO TABLE technique_scores IS 'card_scores for techniques: by those held at the end.';

CREATE MACRO technique_averages(
    of_players := NULL, since := NULL, until := NULL, of_grade := 'clean', of_source := 'real', of_player := NULL
) AS TABLE
SELECT title, players, card AS technique, n, mean, low, high
FROM card_averages(
    'spyrium', of_kind := 'technique', of_players := of_players, since := since, until := until, of_grade := of_grade,
    of_source := of_source, of_player := of_player
);
COMMENT ON MACRO TABLE technique_averages IS 'The average final score by number of players and technique, with a 95 % interval: card_averages for techniques.';
