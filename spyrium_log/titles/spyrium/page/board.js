// The board of Spyrium: market with the workers between its cards, and a mat for everybody.

const ROWS = [[1, 12, 2, 23, 3], [14, 0, 25, 0, 36], [4, 45, 5, 56, 6], [47, 0, 58, 0, 69], [7, 78, 8, 89, 9]];

function draw(view, before) {
  return [
    headline(view),
    view.round ? market(view, before) : null,
    el("p", { class: "awaits" }, awaited(view.awaits)),
    el("div", { class: `mats of-${view.mats.length}` }, view.mats.map((mat, index) => matOf(mat, before.mats[index], view))),
    el("p", { class: "tokens" }, `${word("page", "left")} `, pile(view.reserve), ` · ${word("page", "out")} `, pile(view.discard)),
    hasMarks(view) ? el("p", { class: "small" }, `~ ${word("page", "assumed")}`) : null,
  ].filter(Boolean);
}

function hasMarks(view) {
  return view.assumed.length || view.market.some((space) => space.card && space.price_is_assumed) || view.mats.some((mat) => mat.residence_is_assumed);
}

function headline(view) {
  if (!view.round) return el("p", { class: "headline" }, word("page", "undealt"));
  return el("dl", { class: "headline" },
    stat(word("page", "round"), el("b", {}, String(view.round))),
    stat(word("page", "first"), pawn(view.first), el("bdi", { "aria-hidden": "true" }, seat(view.first).name)),
    stat(word("page", "event"), el("b", {}, word("events", view.event)), tokens(view.event_token ? [view.event_token] : [])),
    stat(word("page", "next"), word("events", view.next_event), tokens(view.next_token ? [view.next_token] : [])));
}

function tokens(values) {
  return values.map((value) => el("span", { class: "token" }, value == null ? "?" : String(value)));
}

function pile(counts) {
  return counts.map((n, index) => el("span", { class: "pile" }, el("span", { class: "token" }, String(index + 1)), `×${n} `));
}

function market(view, before) {
  return el("div", { class: "market", role: "group", "aria-label": word("places", "market") },
    ROWS.flat().map((place) => (place > 9 ? gap(place, view, before) : place ? space(place, view, before) : el("span", {}))));
}

function space(place, view, before) {
  const now = view.market[place - 1];
  const old = before.market[place - 1];
  // a deal changes them all, which says nothing
  const changed = view.round === before.round && (now.card !== old.card || now.tokens.length !== old.tokens.length);
  if (!now.card) return el("div", { class: `card none${changed ? " changed" : ""}` }, el("span", { class: "spot" }, String(place)), el("i", {}, word("page", "empty")));
  const kind = word("kind", now.card);
  const price = now.price == null ? null : `${now.price_is_assumed ? "~" : ""}£${now.price}`;
  return el("div", { class: `card ${kind}${changed ? " changed" : ""}` },
    el("span", { class: "spot" }, String(place), el("span", { class: "kind" }, word("kinds", kind))),
    el("b", { class: "name" }, word("cards", now.card)),
    el("span", { class: "cost" }, price ? el("span", { class: "price" }, price) : null,
      now.crowd ? el("span", { class: "crowd", title: word("page", "workers") }, `+${now.crowd}`, el("span", { class: "hidden" }, ` ${word("page", "workers")}`)) : null,
      tokens(now.tokens)));
}

function standing(gap, view) {
  return view.workers.filter((workers) => workers.gap === gap);
}

function gap(place, view, before) {
  const here = standing(place, view);
  const changed = view.round === before.round && JSON.stringify(here) !== JSON.stringify(standing(place, before));
  const across = place % 10 - Math.floor(place / 10) > 1;
  return el("div", { class: `gap${across ? " across" : ""}${changed ? " changed" : ""}` },
    el("span", { class: "spot" }, String(place)), here.map((workers) => pawn(workers.seat, workers.n)));
}

function matOf(mat, old, view) {
  const phase = mat.passed ? word("page", "passed") : mat.phase === 2 ? "II" : "I";
  const turn = view.awaits.seats.includes(mat.seat) && view.awaits.kind !== "over";
  const bonuses = mat.bonus_due ? word("page", "due") : mat.bonuses.map((bonus) => (bonus === "money" ? "£5" : word("one", "workers"))).join(", ") || "–";
  return el("section", { class: `mat${turn ? " turn" : ""}`, "aria-label": seat(mat.seat).name },
    owner(mat.seat, el("span", { class: "phase" }, turn ? "▶ " : "", phase)),
    el("dl", {},
      stat("£", number(mat.money, old.money, sign(view, mat.seat, "money"))),
      stat(word("resources", "spyrium"), number(mat.spyrium, old.spyrium, sign(view, mat.seat, "spyrium"))),
      stat(word("resources", "points"), number(mat.points, old.points, sign(view, mat.seat, "points"))),
      stat(`${word("page", "workers")}: ${word("page", "active")}`, number(mat.active, old.active)),
      stat(word("page", "market"), number(mat.in_market, old.in_market)),
      stat(word("page", "used"), number(mat.inactive, old.inactive)),
      stat(word("page", "residence"), `${mat.residence_is_assumed ? "~" : ""}£${mat.residence}`, mat.residence_step === old.residence_step ? null : el("span", { class: "delta up" }, signed(mat.residence_step - old.residence_step))),
      stat(word("page", "bonus"), bonuses)),
    owned(mat, old));
}

function owned(mat, old) {
  const had = (card, list) => list.filter((one) => one === card).length;
  const buildings = mat.buildings.map((built) => {
    const fresh = had(built.card, mat.buildings.map((one) => one.card)) > had(built.card, old.buildings.map((one) => one.card));
    const used = built.inclined ? ` · ${word("page", "is-used")}${built.workers ? ` (${built.workers})` : ""}` : "";
    return el("li", { class: `own ${word("kind", built.card)}${fresh ? " changed" : ""}` }, `${word("cards", built.card)}${used}`, fresh ? el("em", {}, ` ${word("page", "new")}`) : null);
  });
  const techniques = mat.techniques.map((card) => {
    const fresh = !old.techniques.includes(card);
    return el("li", { class: `own technique${fresh ? " changed" : ""}` }, word("cards", card), mat.tilted.includes(card) ? ` · ${word("page", "is-used")}` : "", fresh ? el("em", {}, ` ${word("page", "new")}`) : null);
  });
  const kept = mat.kept.length ? [el("li", { class: "own" }, `${word("page", "kept")} `, tokens(mat.kept))] : [];
  const all = [...buildings, ...techniques, ...kept];
  return all.length ? el("ul", { class: "owned" }, all) : null;
}
