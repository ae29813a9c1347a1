-- How often is a card taken by those who could?
-- needs: offers
--
-- Every decision, forced choices apart, sees the whole market. `offered`: the card lay there. `reachable`: the one who
-- decides was placed so that he could take it. `affordable`: to take it was legal at that moment. `taken`: the decision
-- took it. `rate` is `taken_affordable` of `affordable`, with Wilson's 95 % interval; a
-- card lies there for several decisions, so rates are small. `taken` may be more: under findings, or of a card unseen.
-- `mean_price` is the least that it would have cost, no saving used, when it could be paid;
-- `mean_price_taken` the same of those that were taken. The card `?` is one that nobody saw.
--
-- ## rates: Taken of those that could be paid for
-- chart: means card rate low high | share taken of those affordable (rate), 95 % interval; kind by kind
-- first: card kind rate low high affordable rank taken offered games note
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
