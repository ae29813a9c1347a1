-- How often is a card taken by those who could?
-- needs: offers
--
-- Every decision, forced choices apart, sees the whole market. `offered`: the card lay there. `reachable`: the one who
-- decides was placed so that he could take it. `affordable`: to take it was legal at that moment. `taken`: the decision
-- took it. There are two rates. `rate` is per decision: of those that could take it, how many did. `seat_rate` is per
-- seat: of those that ever could, how many ever did; a card lies there for several decisions, so this one is far higher.
-- Intervals are of 95 %, Wilson's for as many rows as say as much: what happens in one game depends on each other.
-- `taken` may be more than `taken_affordable`: under findings, or of a card unseen. `mean_price` is the least that it
-- would have cost, no saving used, when it could be paid; `mean_price_taken` the same of those that were taken. The card
-- `?` is one that nobody saw.
--
-- ## rates: Taken by those who could
-- chart: means card seat_rate seat_low seat_high | share taken by the seats that ever could (seat_rate), 95 % interval; kind by kind
-- n: seats_able
-- first: kind card rate seat_rate affordable seats_able rank taken games note
-- percent: rate low high seat_rate seat_low seat_high
-- intervals: rate low high | seat_rate seat_low seat_high
FROM take_rates(
    of_player := $player, of_card := $card, least := $least,
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source
);

-- ## left-out: Games left out, and why
-- first: title players games reason files
FROM left_out(
    of_title := $title, of_players := $players, since := $since, until := $until, of_grade := $grade, of_source := $source,
    of_player := $player, of_aspect := 'offers'
);
