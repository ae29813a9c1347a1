// boardgame.io: each game its own match, every event a move, replayed through its reducer.
// Usage: node replay.cjs FILE, where FILE holds logs one after the other. For each line on stdin it goes through all of
// them again and prints what every seat holds, five numbers a seat.
"use strict";

const fs = require("fs");
const { createRequire } = require("module");
const path = require("path");
const readline = require("readline");

// Installed beside this script, beside whoever calls it, or where NODE_PATH says.
const places = [__filename, path.join(process.cwd(), "replay.cjs")];

function found(name) {
  for (const place of places) {
    try {
      return createRequire(place)(name);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return null;
}

const internal = found("boardgame.io/internal");
const core = found("boardgame.io/core");
if (!internal || !core) {
  console.error("no boardgame.io found");
  process.exit(1);
}
const version = found("boardgame.io/package.json").version;
if (process.argv[2] === "--version") {
  console.log(version);
  process.exit(0);
}

const RESOURCES = ["money", "spyrium", "points", "workers", "residence"];
const raw = fs.readFileSync(process.argv[2], "utf8");

function evening(header) {
  const held = header.seats.map((seat) => Object.fromEntries([...RESOURCES.map((what) => [what, 0]), ...seat.start]));
  return {
    name: "evening",
    setup: () => ({ held, last: null }),
    turn: { activePlayers: core.ActivePlayers.ALL },
    moves: {
      act: ({ G }, done, moved) => {
        G.last = done;
        for (const posting of moved) G.held[posting.who - 1][posting.what] += posting.n;
      },
    },
  };
}

function replayed() {
  const totals = [];
  let state = null;
  let reducer = null;
  const close = () => {
    if (state) for (const seat of state.G.held) totals.push(...RESOURCES.map((what) => seat[what]));
  };
  for (let start = 0, end; (end = raw.indexOf("\n", start)) >= 0; start = end + 1) {
    const line = JSON.parse(raw.slice(start, end));
    if (line.kind === "header") {
      close();
      const game = evening(line);
      reducer = internal.CreateGameReducer({ game });
      state = internal.InitializeGame({ game, numPlayers: line.seats.length });
    } else {
      const seat = line.do.seat || 1;
      const payload = { type: "act", args: [line.do, line.moved || []], playerID: String(seat - 1) };
      state = reducer(state, { type: "MAKE_MOVE", payload });
    }
  }
  close();
  return totals;
}

readline.createInterface({ input: process.stdin }).on("line", () => console.log(replayed().join(" ")));
