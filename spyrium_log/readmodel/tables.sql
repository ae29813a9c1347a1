-- The read model: what the logs say, as tables. A cache: brought up to date or built anew, never the only copy.
-- Whoever changes a table raises SCHEMA in database.py; a file of another number is built anew, not migrated.
-- Words are the log's words, but for two that a join is easier with: `who` of a posting is `seat` in every table, and
-- its `n` is `amount`, for `n` is the line here as it is there. The comments on the columns say so to whoever asks.
-- No foreign keys: a game's rows are replaced in one transaction, and the loader is the only writer. Sums are as wide
-- as any log can make them: one odd log must not keep all others out.
-- The key `game` is in every table, and a seat is (game, seat) in both that have one.

CREATE TABLE meta (
    schema INTEGER NOT NULL,
    written_by VARCHAR NOT NULL,
    stamp VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'One row: what this file is, and which update it stands at.';
COMMENT ON COLUMN meta.schema IS 'The number of this set of tables.';
COMMENT ON COLUMN meta.written_by IS 'The version of spyrium-log that wrote the file; its rules audited the games.';
COMMENT ON COLUMN meta.stamp IS 'Another one after each update.';

CREATE TABLE game (
    game VARCHAR PRIMARY KEY,
    title VARCHAR NOT NULL,
    rules VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    seats INTEGER NOT NULL,
    first INTEGER NOT NULL,
    played VARCHAR,
    place VARCHAR,
    events INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    open_findings BIGINT NOT NULL,
    assumed_values INTEGER NOT NULL,
    final BOOLEAN NOT NULL,
    file VARCHAR NOT NULL,
    content VARCHAR NOT NULL
);
COMMENT ON TABLE game IS 'One row a game: a log whose header can be read. Of two logs of one game the first by name.';
COMMENT ON COLUMN game.game IS 'The id of the game, from the header.';
COMMENT ON COLUMN game.title IS 'Which title was played, by its key: spyrium.';
COMMENT ON COLUMN game.rules IS 'The version of the rules that the game was recorded under.';
COMMENT ON COLUMN game.source IS 'Where the log comes from: table, notation, service, simulated, scoresheet (with events = 0: scores only).';
COMMENT ON COLUMN game.seats IS 'How many play.';
COMMENT ON COLUMN game.first IS 'The seat that began.';
COMMENT ON COLUMN game.played IS 'When it was played, as the header says it; NULL where nobody said.';
COMMENT ON COLUMN game.place IS 'Where it was played; NULL where nobody said.';
COMMENT ON COLUMN game.events IS 'How many events stand on the timeline.';
COMMENT ON COLUMN game.lines IS 'How many lines of the log can be read, header, undone and corrected lines included.';
COMMENT ON COLUMN game.verdict IS 'clean, findings (open ones on the record), or unusable (the log cannot be read to its end).';
COMMENT ON COLUMN game.open_findings IS 'Findings on the record that nobody has ruled on or accepted.';
COMMENT ON COLUMN game.assumed_values IS 'Assumed printed values that had a say in this game: of the cards that were seen, and of the track.';
COMMENT ON COLUMN game.final IS 'The final count stands on the timeline: the scores are final.';
COMMENT ON COLUMN game.file IS 'The name of the log.';
COMMENT ON COLUMN game.content IS 'SHA-256 of the bytes of the log that these rows were made from.';

CREATE TABLE seat (
    game VARCHAR NOT NULL,
    seat INTEGER NOT NULL,
    player VARCHAR NOT NULL,
    colour VARCHAR NOT NULL,
    points BIGINT NOT NULL,
    total BIGINT NOT NULL,
    place INTEGER NOT NULL,
    won BOOLEAN,
    shared BOOLEAN NOT NULL,
    PRIMARY KEY (game, seat)
);
COMMENT ON TABLE seat IS 'One row a seat of a game: who played there and how it ended.';
COMMENT ON COLUMN seat.game IS 'The game: game.game.';
COMMENT ON COLUMN seat.seat IS 'The seat, from 1: `who` of a posting.';
COMMENT ON COLUMN seat.player IS 'Who played there, as the header or its last correction says.';
COMMENT ON COLUMN seat.colour IS 'In which colour.';
COMMENT ON COLUMN seat.points IS 'Points on the board after the last event.';
COMMENT ON COLUMN seat.total IS 'Points and what the final count would still add: the final score where game.final; or as a score sheet has it.';
COMMENT ON COLUMN seat.place IS 'The place that the total gives; ties share one. (Where it was played is game.place.)';
COMMENT ON COLUMN seat.won IS 'First place after the final count, or on a score sheet; NULL where nobody counted.';
COMMENT ON COLUMN seat.shared IS 'Another seat has the same place.';

CREATE TABLE ledger (
    game VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    i INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    amount BIGINT NOT NULL,
    why VARCHAR NOT NULL,
    number VARCHAR NOT NULL,
    seen BOOLEAN NOT NULL
);
COMMENT ON TABLE ledger IS 'One row a change: what moved for whom, why, in which line. Its sums are what everybody holds.';
COMMENT ON COLUMN ledger.game IS 'The game: game.game.';
COMMENT ON COLUMN ledger.n IS 'The line of the log: its `n`; 0 is the header, what a seat starts with.';
COMMENT ON COLUMN ledger.i IS 'Which of the events that line n, an amendment, inserted: n.i; 0 for an event with a line of its own.';
COMMENT ON COLUMN ledger.seat IS 'Whose: seat.seat; `who` of the posting, 0 where that names a seat that does not exist.';
COMMENT ON COLUMN ledger.what IS 'The resource: points, money, ...';
COMMENT ON COLUMN ledger.amount IS 'How much more; negative: less. `n` of the posting.';
COMMENT ON COLUMN ledger.why IS 'The cause, from the closed list of the title.';
COMMENT ON COLUMN ledger.number IS 'The rule that the cause stands in, as the rulebook numbers it.';
COMMENT ON COLUMN ledger.seen IS 'A person said that it went this way, whatever the rules give.';
