-- The read model: what the logs say, as tables. A cache: brought up to date or built anew, never the only copy.
-- Whoever changes a table raises SCHEMA in database.py; a file of another number is built anew, not migrated.
-- Words are the log's words, but for a few that SQL keeps for itself or a join is easier with: `who` of a posting is
-- `seat` in every table and its `n` is `amount`, `by` is `scribe`, `at` is `time`, `where` is `space`. The comments on
-- the columns say so to whoever asks.
-- No foreign keys: a game's rows are replaced in one transaction, and the loader is the only writer. Sums are as wide
-- as any log can make them: one odd log must not keep all others out.
-- Keys: a game is `game`, a seat is (game, seat), an event is (game, n, i), a card is (title, card), a printed value
-- is (sheet, component, what), wherever they stand.

CREATE TYPE verb AS ENUM (
    'deal', 'draft', 'place', 'earn', 'trade', 'hire', 'build', 'learn', 'use', 'event', 'vote', 'pass', 'choose', 'final',
    'state'
);

CREATE TABLE meta (
    schema INTEGER NOT NULL,
    written_by VARCHAR NOT NULL,
    stamp VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'One row: what this file is, and which update it stands at.';
COMMENT ON COLUMN meta.schema IS 'The number of this set of tables.';
COMMENT ON COLUMN meta.written_by IS 'The version of spyrium-log that wrote the file; its rules audited the games.';
COMMENT ON COLUMN meta.stamp IS 'Another one after each update.';

CREATE TABLE position (
    file VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    stamp VARCHAR NOT NULL,
    refused INTEGER NOT NULL
);
COMMENT ON TABLE position IS 'One row a file of the archive that games were read from: where the tables stand. For the loader only.';
COMMENT ON COLUMN position.file IS 'The name of the file: game.file.';
COMMENT ON COLUMN position.content IS 'SHA-256 of its bytes when it was read.';
COMMENT ON COLUMN position.stamp IS 'What the disk said of it then; empty where that proves nothing.';
COMMENT ON COLUMN position.refused IS 'How many games of it are in no table; while there are any, it is read again.';

CREATE TABLE alias (
    spelling VARCHAR NOT NULL,
    player VARCHAR NOT NULL
);
COMMENT ON TABLE alias IS 'One row a spelling in players.toml: who is who. seat.player follows it.';
COMMENT ON COLUMN alias.spelling IS 'The spelling, in small letters and with single spaces.';
COMMENT ON COLUMN alias.player IS 'The person that it means: seat.player.';

CREATE TABLE game (
    game VARCHAR PRIMARY KEY,
    title VARCHAR NOT NULL,
    rules VARCHAR NOT NULL,
    edition VARCHAR,
    readings VARCHAR NOT NULL,
    options MAP(VARCHAR, VARCHAR) NOT NULL,
    sheet VARCHAR NOT NULL,
    sheet_name VARCHAR NOT NULL,
    source ENUM ('table', 'notation', 'service', 'simulated', 'scoresheet') NOT NULL,
    seats INTEGER NOT NULL,
    first INTEGER,
    played VARCHAR,
    place VARCHAR,
    rounds INTEGER NOT NULL,
    events INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    seconds BIGINT,
    verdict ENUM ('clean', 'findings', 'unusable') NOT NULL,
    open_findings BIGINT NOT NULL,
    assumed_values INTEGER NOT NULL,
    unseen_cards INTEGER NOT NULL,
    final BOOLEAN NOT NULL,
    scores_only BOOLEAN NOT NULL,
    gaps BOOLEAN NOT NULL,
    rulings BOOLEAN NOT NULL,
    amended BOOLEAN NOT NULL,
    grades ENUM (
        'complete', 'unfinished', 'gaps', 'clean', 'rulings', 'findings', 'unusable', 'assumed', 'unseen', 'scores-only'
    )[] NOT NULL,
    file VARCHAR NOT NULL,
    content VARCHAR NOT NULL
);
COMMENT ON TABLE game IS 'One row a game: a log whose header can be read. Of two logs of one game the first by name.';
COMMENT ON COLUMN game.game IS 'The id of the game, from the header.';
COMMENT ON COLUMN game.title IS 'Which title was played, by its key: spyrium.';
COMMENT ON COLUMN game.rules IS 'The version of the rules that the game was recorded under.';
COMMENT ON COLUMN game.edition IS 'Under the name of which edition the options were chosen; NULL where nobody named one.';
COMMENT ON COLUMN game.readings IS 'The options that are not the usual ones, as name=value name=value; empty where all are.';
COMMENT ON COLUMN game.options IS 'All readings of the rules, by name: options[''crane-discount''].';
COMMENT ON COLUMN game.sheet IS 'The digest of the component sheet, readings included: sheet_value.sheet.';
COMMENT ON COLUMN game.sheet_name IS 'What the sheet is called.';
COMMENT ON COLUMN game.source IS 'Where the log comes from; scoresheet with events = 0: scores only.';
COMMENT ON COLUMN game.seats IS 'How many play.';
COMMENT ON COLUMN game.first IS 'The seat that began; NULL: nobody knows, of an old score sheet.';
COMMENT ON COLUMN game.played IS 'When it was played, as the header says it; NULL where nobody said.';
COMMENT ON COLUMN game.place IS 'Where it was played; NULL where nobody said.';
COMMENT ON COLUMN game.rounds IS 'Which round the last event stands in.';
COMMENT ON COLUMN game.events IS 'How many events stand on the timeline.';
COMMENT ON COLUMN game.lines IS 'How many lines of the log can be read, header, undone and corrected lines included.';
COMMENT ON COLUMN game.seconds IS 'How long it took, from the first event with a time to the last, pauses taken off; NULL where fewer than two have one.';
COMMENT ON COLUMN game.verdict IS 'clean, findings (open ones on the record), or unusable (the log cannot be read to its end).';
COMMENT ON COLUMN game.open_findings IS 'Findings on the record that nobody has ruled on or accepted.';
COMMENT ON COLUMN game.assumed_values IS 'Assumed printed values that had a say in this game: of the cards that were seen, and of the track.';
COMMENT ON COLUMN game.unseen_cards IS 'Cards that were dealt and that nobody had time to look at.';
COMMENT ON COLUMN game.final IS 'The final count stands on the timeline: the scores are final.';
COMMENT ON COLUMN game.scores_only IS 'An old score sheet: it counts for scores and nothing else.';
COMMENT ON COLUMN game.gaps IS 'Moves were missed: a position was stated in the middle.';
COMMENT ON COLUMN game.rulings IS 'Something stands because a person ruled so: a ruled or accepted finding, or an adjusted number.';
COMMENT ON COLUMN game.amended IS 'An amendment tells some event otherwise than it was recorded: game_as_recorded and its like have rows of their own.';
COMMENT ON COLUMN game.grades IS 'All of it in words: list_contains(grades, ''complete''). Exactly one of complete, unfinished, unusable, scores-only.';
COMMENT ON COLUMN game.file IS 'The name of the log, or of the pack that it is in.';
COMMENT ON COLUMN game.content IS 'SHA-256 of the bytes of the log that these rows were made from; with notes, a colon and that of the notes.';

CREATE TABLE seat (
    game VARCHAR NOT NULL,
    seat INTEGER NOT NULL,
    player VARCHAR NOT NULL,
    written VARCHAR NOT NULL,
    colour VARCHAR NOT NULL,
    turn INTEGER,
    points BIGINT,
    total BIGINT NOT NULL,
    place INTEGER NOT NULL,
    won BOOLEAN,
    shared BOOLEAN NOT NULL,
    techniques BIGINT NOT NULL,
    PRIMARY KEY (game, seat)
);
COMMENT ON TABLE seat IS 'One row a seat of a game: who played there and how it ended.';
COMMENT ON COLUMN seat.game IS 'The game: game.game.';
COMMENT ON COLUMN seat.seat IS 'The seat, from 1: `who` of a posting.';
COMMENT ON COLUMN seat.player IS 'Who played there: the person that seat.written means by alias, else seat.written itself. Where two spellings of one person sit in one game, each stays as it is written.';
COMMENT ON COLUMN seat.written IS 'The name as the log has it: of the header or its last correction.';
COMMENT ON COLUMN seat.colour IS 'In which colour.';
COMMENT ON COLUMN seat.turn IS 'The place in the order of the first round: 1 is game.first; NULL like that.';
COMMENT ON COLUMN seat.points IS 'Points on the board after the last event; NULL on an old score sheet.';
COMMENT ON COLUMN seat.total IS 'Points and what the final count would still add: the final score where game.final; or as a score sheet has it.';
COMMENT ON COLUMN seat.place IS 'The place that the total gives; ties share one. (Where it was played is game.place.)';
COMMENT ON COLUMN seat.won IS 'First place after the final count, or on a score sheet; NULL where nobody counted.';
COMMENT ON COLUMN seat.shared IS 'Another seat has the same place.';
COMMENT ON COLUMN seat.techniques IS 'The techniques held at the end, as the sum of their bits: card.bit. One has it: techniques & bit != 0.';

CREATE TABLE event (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    told INTEGER NOT NULL,
    stands BOOLEAN NOT NULL,
    step INTEGER,
    round INTEGER NOT NULL,
    kind ENUM ('decision', 'deal', 'final', 'statement') NOT NULL,
    seat INTEGER,
    verb verb NOT NULL,
    act VARCHAR NOT NULL,
    card VARCHAR,
    notation VARCHAR,
    sentence VARCHAR NOT NULL,
    scribe VARCHAR NOT NULL,
    time TIMESTAMP
);
COMMENT ON TABLE event IS 'One row an event, in both histories: what stands now (stands), and what was recorded and stands no more.';
COMMENT ON COLUMN event.game IS 'The game: game.game.';
COMMENT ON COLUMN event.n IS 'The line of the log: its `n`.';
COMMENT ON COLUMN event.i IS 'Which of the events that line n, an amendment, inserted: n.i; 0 for an event with a line of its own.';
COMMENT ON COLUMN event.told IS 'The line of the amendment that tells it so; 0: as it was recorded.';
COMMENT ON COLUMN event.stands IS 'It is on the timeline. One that is not was undone, dropped, or is told otherwise in another row.';
COMMENT ON COLUMN event.step IS 'Its place on the timeline, from 1; NULL where it does not stand.';
COMMENT ON COLUMN event.round IS 'The round that it is in, a deal in the one that it opens; 0 before the first.';
COMMENT ON COLUMN event.kind IS 'decision, deal, final (the final count) or statement.';
COMMENT ON COLUMN event.seat IS 'Who acts: seat.seat; NULL where nobody does, or a seat that does not exist.';
COMMENT ON COLUMN event.verb IS 'What it is called across titles.';
COMMENT ON COLUMN event.act IS 'What the title calls it: place_worker.';
COMMENT ON COLUMN event.card IS 'The card that it is about: card.card; NULL where it is about none.';
COMMENT ON COLUMN event.notation IS 'The act as a transcript writes it; NULL for a statement, and where it does not stand.';
COMMENT ON COLUMN event.sentence IS 'The event as one English sentence, with everything that moved.';
COMMENT ON COLUMN event.scribe IS 'Who recorded it: `by`.';
COMMENT ON COLUMN event.time IS 'When it was recorded, in UTC: `at`; NULL where the log does not say.';

CREATE TABLE ledger (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    step INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    amount BIGINT NOT NULL,
    held BIGINT NOT NULL,
    why VARCHAR NOT NULL,
    number VARCHAR NOT NULL,
    card VARCHAR,
    seen BOOLEAN NOT NULL
);
COMMENT ON TABLE ledger IS 'One row a change: what moved for whom, why, in which line. Its sums are what everybody holds. None of an old score sheet.';
COMMENT ON COLUMN ledger.game IS 'The game: game.game.';
COMMENT ON COLUMN ledger.n IS 'The line of the log: its `n`; 0 is the header, what a seat starts with.';
COMMENT ON COLUMN ledger.i IS 'Which of the events that line n, an amendment, inserted: n.i; 0 for an event with a line of its own.';
COMMENT ON COLUMN ledger.step IS 'event.step; 0 for the start.';
COMMENT ON COLUMN ledger.round IS 'event.round.';
COMMENT ON COLUMN ledger.seat IS 'Whose: seat.seat; `who` of the posting, 0 where that names a seat that does not exist.';
COMMENT ON COLUMN ledger.what IS 'The resource: points, money, ...';
COMMENT ON COLUMN ledger.amount IS 'How much more; negative: less. `n` of the posting.';
COMMENT ON COLUMN ledger.held IS 'How much of it the seat has after this change: the sum of all amounts up to here.';
COMMENT ON COLUMN ledger.why IS 'The cause, from the closed list of the title.';
COMMENT ON COLUMN ledger.number IS 'The rule that the cause stands in, as the rulebook numbers it.';
COMMENT ON COLUMN ledger.card IS 'The card that it comes from: card.card. NULL where it comes from none, or from several (the points of all buildings).';
COMMENT ON COLUMN ledger.seen IS 'A person said that it went this way, whatever the rules give.';

CREATE TABLE decision (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    step INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    phase VARCHAR NOT NULL,
    forced BOOLEAN NOT NULL,
    verb verb NOT NULL,
    card VARCHAR,
    space INTEGER,
    seconds DOUBLE
);
COMMENT ON TABLE decision IS 'One row a decision that stands: who chose what, and in which phase.';
COMMENT ON COLUMN decision.game IS 'The game: game.game.';
COMMENT ON COLUMN decision.n IS 'The event: event.n.';
COMMENT ON COLUMN decision.i IS 'The event: event.i.';
COMMENT ON COLUMN decision.step IS 'event.step.';
COMMENT ON COLUMN decision.round IS 'event.round.';
COMMENT ON COLUMN decision.seat IS 'Who chose: seat.seat; 0 where the log names a seat that does not exist.';
COMMENT ON COLUMN decision.turn IS 'The how manieth decision of this seat it is, from 1.';
COMMENT ON COLUMN decision.phase IS 'The phase that the seat was in before it: I or II.';
COMMENT ON COLUMN decision.forced IS 'A choice that a rule asked for before the next turn, such as a bonus.';
COMMENT ON COLUMN decision.verb IS 'event.verb.';
COMMENT ON COLUMN decision.card IS 'event.card.';
COMMENT ON COLUMN decision.space IS 'Where in the market the card lay that it took: offer.space; NULL where it took none.';
COMMENT ON COLUMN decision.seconds IS 'How long after the event before it was recorded; NULL where either has no time, or a pause lies between.';

CREATE TABLE offer (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    space INTEGER NOT NULL,
    card VARCHAR NOT NULL,
    reachable BOOLEAN NOT NULL,
    affordable BOOLEAN NOT NULL,
    price INTEGER,
    taken BOOLEAN NOT NULL
);
COMMENT ON TABLE offer IS 'One row a card of the market at each decision (forced ones apart) of whoever was to decide: the denominator of a take rate.';
COMMENT ON COLUMN offer.game IS 'The game: game.game.';
COMMENT ON COLUMN offer.n IS 'The decision: decision.n.';
COMMENT ON COLUMN offer.i IS 'The decision: decision.i.';
COMMENT ON COLUMN offer.seat IS 'Whose decision: seat.seat.';
COMMENT ON COLUMN offer.space IS 'Where in the market it lies: `where` of the offer.';
COMMENT ON COLUMN offer.card IS 'The card: card.card.';
COMMENT ON COLUMN offer.reachable IS 'An own worker stands beside it.';
COMMENT ON COLUMN offer.affordable IS 'An activation of it is legal now, in phase II or by entering it.';
COMMENT ON COLUMN offer.price IS 'What the cheapest activation costs now, Lobbying and Commerce unused; NULL where there is none that can be paid.';
COMMENT ON COLUMN offer.taken IS 'The decision activated it.';

CREATE TABLE standing (
    game VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    amount BIGINT NOT NULL
);
COMMENT ON TABLE standing IS 'What everybody holds after each round: one row a seat and resource; none of an old score sheet. After each event: ledger.held, or standing_after(game).';
COMMENT ON COLUMN standing.game IS 'The game: game.game.';
COMMENT ON COLUMN standing.round IS 'After which round; 0 is the start. The last one includes the final count.';
COMMENT ON COLUMN standing.step IS 'The last event of the round: event.step.';
COMMENT ON COLUMN standing.seat IS 'Whose: seat.seat.';
COMMENT ON COLUMN standing.what IS 'The resource, as in ledger.what; `score`: points and what a final count would add if it came now.';
COMMENT ON COLUMN standing.amount IS 'How much of it.';

CREATE TABLE holding (
    game VARCHAR NOT NULL,
    seat INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    card VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    n INTEGER,
    i INTEGER,
    round INTEGER NOT NULL,
    paid MAP(VARCHAR, BIGINT) NOT NULL,
    uses INTEGER NOT NULL,
    returned MAP(VARCHAR, BIGINT) NOT NULL,
    lost INTEGER,
    final_points BIGINT NOT NULL
);
COMMENT ON TABLE holding IS 'One row a building or technique that a seat took: when, for what, and what came of it.';
COMMENT ON COLUMN holding.game IS 'The game: game.game.';
COMMENT ON COLUMN holding.seat IS 'Whose: seat.seat.';
COMMENT ON COLUMN holding.nth IS 'The how manieth card of this seat it is, from 1.';
COMMENT ON COLUMN holding.card IS 'The card: card.card.';
COMMENT ON COLUMN holding.kind IS 'card.kind: building or technique.';
COMMENT ON COLUMN holding.n IS 'The event that brought it: event.n; NULL where a stated position shows it and no event tells.';
COMMENT ON COLUMN holding.i IS 'The event that brought it: event.i.';
COMMENT ON COLUMN holding.round IS 'In which round.';
COMMENT ON COLUMN holding.paid IS 'What was paid for it, all savings taken off: paid[''money''].';
COMMENT ON COLUMN holding.uses IS 'How often it was used.';
COMMENT ON COLUMN holding.returned IS 'What it brought, and what its uses took, by resource: returned[''points'']. Without the final count.';
COMMENT ON COLUMN holding.lost IS 'The step at which another card replaced it; NULL where it stayed to the end.';
COMMENT ON COLUMN holding.final_points IS 'What the final count gives for it, or would give now.';

CREATE TABLE score_part (
    game VARCHAR NOT NULL,
    seat INTEGER NOT NULL,
    part VARCHAR NOT NULL,
    points BIGINT NOT NULL
);
COMMENT ON TABLE score_part IS 'Where the points of each seat came from, by cause; they sum to seat.total.';
COMMENT ON COLUMN score_part.game IS 'The game: game.game.';
COMMENT ON COLUMN score_part.seat IS 'Whose: seat.seat.';
COMMENT ON COLUMN score_part.part IS 'The cause, as in ledger.why; those that begin with `final:` are of the final count, or what it would add.';
COMMENT ON COLUMN score_part.points IS 'How many points.';

CREATE TABLE finding (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    kind ENUM ('breach', 'difference', 'phantom', 'count', 'result', 'seal') NOT NULL,
    rule VARCHAR NOT NULL,
    number VARCHAR NOT NULL,
    expected VARCHAR NOT NULL,
    found VARCHAR NOT NULL,
    about ENUM ('record', 'sheet') NOT NULL,
    status ENUM ('open', 'ruled', 'accepted') NOT NULL
);
COMMENT ON TABLE finding IS 'One row a finding of the audit.';
COMMENT ON COLUMN finding.game IS 'The game: game.game.';
COMMENT ON COLUMN finding.n IS 'The line that it is about: event.n, or a line off the timeline.';
COMMENT ON COLUMN finding.i IS 'The event: event.i.';
COMMENT ON COLUMN finding.kind IS 'What sort of finding.';
COMMENT ON COLUMN finding.rule IS 'The rule, by its id: market.gap.';
COMMENT ON COLUMN finding.number IS 'The rule, as the rulebook numbers it; empty where it is of no rulebook.';
COMMENT ON COLUMN finding.expected IS 'What was expected.';
COMMENT ON COLUMN finding.found IS 'What was found.';
COMMENT ON COLUMN finding.about IS 'On the record, or on the sheet: `on`.';
COMMENT ON COLUMN finding.status IS 'open, ruled (the event says so itself) or accepted.';

CREATE TABLE note (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    author VARCHAR NOT NULL,
    mark VARCHAR,
    tags VARCHAR[] NOT NULL,
    text VARCHAR NOT NULL,
    variation VARCHAR[] NOT NULL,
    anchor ENUM ('stands', 'moved', 'unknown') NOT NULL
);
COMMENT ON TABLE note IS 'One row a note that stands on a game.';
COMMENT ON COLUMN note.game IS 'The game: game.game.';
COMMENT ON COLUMN note.n IS 'The line or event that it is on: event.n; 0 is the game as a whole.';
COMMENT ON COLUMN note.i IS 'The event: event.i.';
COMMENT ON COLUMN note.nth IS 'The how manieth note of the game it is, from 1.';
COMMENT ON COLUMN note.author IS 'Who said it first.';
COMMENT ON COLUMN note.mark IS '!!, !, !?, ?!, ? or ??; NULL for none.';
COMMENT ON COLUMN note.tags IS 'Its tags: list_contains(tags, ''opening'').';
COMMENT ON COLUMN note.text IS 'What it says.';
COMMENT ON COLUMN note.variation IS 'What could have been played instead, as notation.';
COMMENT ON COLUMN note.anchor IS 'Whether what it is on still says the same.';

CREATE TABLE sheet_value (
    sheet VARCHAR NOT NULL,
    component VARCHAR NOT NULL,
    what VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    source ENUM ('rulebook', 'inferred', 'assumed', 'read', 'invented') NOT NULL,
    reader VARCHAR NOT NULL,
    read VARCHAR NOT NULL
);
COMMENT ON TABLE sheet_value IS 'One row a printed value of each sheet that some game was played with.';
COMMENT ON COLUMN sheet_value.sheet IS 'The digest of the sheet: game.sheet.';
COMMENT ON COLUMN sheet_value.component IS 'Of which component, for cards card.card: `of`.';
COMMENT ON COLUMN sheet_value.what IS 'Which value: price, points, ...';
COMMENT ON COLUMN sheet_value.value IS 'What is printed; value::INTEGER where it is a number.';
COMMENT ON COLUMN sheet_value.source IS 'Who vouches for it.';
COMMENT ON COLUMN sheet_value.reader IS 'Who read it off the component; empty where nobody did.';
COMMENT ON COLUMN sheet_value.read IS 'When it was read; empty where nobody said.';

CREATE TABLE card (
    title VARCHAR NOT NULL,
    card VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    nth INTEGER NOT NULL,
    bit BIGINT,
    PRIMARY KEY (title, card)
);
COMMENT ON TABLE card IS 'One row a card of each title.';
COMMENT ON COLUMN card.title IS 'The title: game.title.';
COMMENT ON COLUMN card.card IS 'The card, by its id.';
COMMENT ON COLUMN card.kind IS 'What it is: building, character, technique, event.';
COMMENT ON COLUMN card.nth IS 'Its place among those of its kind, from 1.';
COMMENT ON COLUMN card.bit IS 'What it adds to seat.techniques; NULL for other kinds.';

CREATE TABLE technique_total (
    title VARCHAR NOT NULL,
    technique VARCHAR NOT NULL,
    n BIGINT NOT NULL,
    total HUGEINT NOT NULL
);
COMMENT ON TABLE technique_total IS 'One row a technique: the seats of `result` that hold it at the end, and their scores. Summed up by the loader: a join of all games takes twenty times as long.';
COMMENT ON COLUMN technique_total.title IS 'The title: game.title.';
COMMENT ON COLUMN technique_total.technique IS 'The technique: card.card.';
COMMENT ON COLUMN technique_total.n IS 'How many seats hold it: result.techniques & card.bit != 0.';
COMMENT ON COLUMN technique_total.total IS 'The sum of their final scores: result.total.';
