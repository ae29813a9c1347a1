-- Does it matter who begins?
--
-- `turn` is the place in the order of the first round: 1 began. `expected` is how often a seat would win if it did not
-- matter: one win a game, a shared one counts for each who shares it. `edge` is the mean of a seat's score less the
-- mean of its game, so that strong tables do not count as good seats. Intervals are of 95 %: `low` and `high` Wilson's
-- of `win_rate`, `edge_low` and `edge_high` Student's t over games.
--
-- ## seats: Wins by place in the order
-- chart: means seat win_rate low high | share of games won (win_rate), with its 95 % interval
-- first: seat n won win_rate low high expected edge edge_low edge_high mean note players turn
FROM seat_effect(
    least := $least, as_recorded := $as_recorded,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade
);

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade,
    as_recorded := $as_recorded
);
