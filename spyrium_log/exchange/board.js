// A title that has no board of its own here: what everybody holds, and whatever else lies on the table.

function draw(seen, before) {
  return [holdings(seen, before.mats), ...others(seen.shown, before.shown)];
}

function holdings(view, before) {
  const mats = view.mats;
  const seats = page.seats.map((at) => String(at[0]));
  const whats = [...new Set(seats.flatMap((at) => Object.keys(mats[at] || {})))];
  const row = (at) => el("tr", {}, el("th", { scope: "row" }, pawn(Number(at)), el("bdi", { "aria-hidden": "true" }, seat(Number(at)).name)),
    whats.map((what) => el("td", { "data-head": word("resources", what) }, number(mats[at]?.[what] ?? 0, before[at]?.[what] ?? 0, sign(view, at, what)))));
  return el("table", { class: "plain" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, said("player", {})), whats.map((what) => el("th", { scope: "col" }, word("resources", what))))),
    el("tbody", {}, seats.map(row)));
}

// Single values of the view.
function others(board, before) {
  const single = Object.entries(board);
  if (!single.length) return [];
  const said_ = ([name, value]) => stat(name.replaceAll("_", " "), typeof value === "number" ? number(value, before[name]) : String(value));
  return [el("dl", { class: "headline" }, single.map(said_))];
}
