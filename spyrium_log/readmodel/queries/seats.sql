-- Does it matter who begins?
-- needs: seats
--
-- `turn` is the place in the order of the first round: 1 began. `expected` is how often a seat would win if it did not
-- matter: one win a game, a shared one counts for each who shares it. `edge` is the mean of a seat's score less the
-- mean of its game, so that strong tables do not count as good seats.
--
-- These are raw: where the strong player always begins, they say how strong he is, and nothing of the seat.
-- `adjusted_wins` and `adjusted` compare each player only with himself: how much more often he won there than elsewhere
-- among the same people, and how many points more he made there at the same number of players. Use these. Where hardly
-- anybody sat there and elsewhere they are withheld from the picture, and `note` says so.
--
-- Intervals are of 95 %: `low` and `high` Wilson's of `win_rate`, the others Student's t over games.
--
-- ## seats: Wins by place in the order
-- chart: means seat adjusted_wins adjusted_wins_low adjusted_wins_high | share of games won more than by the same player elsewhere (adjusted_wins), 95 % interval
-- n: n
-- first: seat n win_rate expected adjusted_wins edge adjusted mean note
-- percent: win_rate low high expected adjusted_wins adjusted_wins_low adjusted_wins_high
-- signed: edge adjusted adjusted_wins
-- intervals: win_rate low high | adjusted_wins adjusted_wins_low adjusted_wins_high | edge edge_low edge_high | adjusted adjusted_low adjusted_high | mean mean_low mean_high
FROM seat_effect(
    least := $least, as_recorded := $as_recorded,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source
);

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    as_recorded := $as_recorded, of_aspect := 'seats'
)
UNION ALL BY NAME
SELECT title, players, 'one player' AS reason, count(*) AS games, few_named(list(file)) AS files
FROM chosen(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    as_recorded := $as_recorded, of_aspect := 'seats'
)
WHERE reason IS NULL AND players = 1
GROUP BY title, players
ORDER BY title, players, reason;
