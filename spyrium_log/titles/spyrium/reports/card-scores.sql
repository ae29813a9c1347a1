-- What is a {kind} worth: final scores with it and without it?
-- needs: cards
--
-- There are two differences. `difference` is raw: seats with it less seats without it, at one number of
-- players. It misleads where strong players buy dear cards: then the card gets the credit of those who buy it.
-- `adjusted` compares each player only with himself, at the same number of players; use that one. It says nothing of
-- players who always had it or never did. Neither says what is cause: who is ahead already can afford more.
--
-- {counts}
-- Intervals are of 95 %, over games: seats of one game depend on each other, and games with the card or without it,
-- whichever are fewer, say how sure one can be. `low` and `high` are those of the raw `difference`, `adjusted_low` and
-- `adjusted_high` those of `adjusted`. Rank goes by `adjusted`. Where many are compared, one interval of twenty misses by
-- chance alone: `stands_out` says of which the difference is so clear that, of all that stand out, at most one of twenty
-- does so by chance (a false discovery rate of 5 %, Benjamini and Hochberg).
--
-- ## scores: Difference of final scores with and without each {kind}
-- chart: means card adjusted adjusted_low adjusted_high | points more with it than without (adjusted), 95 % interval
-- n: n_with
-- first: card mean_with mean_without difference win_with win_without n_with adjusted stands_out rank n_without note
-- percent: win_with win_without
-- signed: difference adjusted
-- intervals: difference low high | adjusted adjusted_low adjusted_high
-- All numbers of players together.
SELECT * EXCLUDE (players)
FROM card_scores(
    '{kind}', of_player := $player, of_card := $card, least := $least,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source
)
WHERE players IS NULL
ORDER BY title, rank NULLS LAST, card;

-- ## by-players: The same by number of players
-- first: players card mean_with mean_without difference n_with win_with win_without adjusted stands_out rank n_without note
-- percent: win_with win_without
-- signed: difference adjusted
-- intervals: difference low high | adjusted adjusted_low adjusted_high
FROM card_scores(
    '{kind}', of_player := $player, of_card := $card, least := $least,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source
)
WHERE players IS NOT NULL
ORDER BY title, players, rank NULLS LAST, card;

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'cards'
);
