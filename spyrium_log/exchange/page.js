// Draws the table after any event, and steps from one to the next. Text is only ever set as text.

const page = JSON.parse(document.getElementById("data").textContent);
const PAUSE = 1600;
const byId = (id) => document.getElementById(id);

function el(tag, attributes, ...kids) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...kids.flat().filter((kid) => kid != null && kid !== false));
  return made;
}

function word(part, key) {
  const words = page.names[part] || {};
  return Object.hasOwn(words, key) ? words[key] : String(key);
}

function said(key, fields) {
  return page.say[key].replace(/\{(\w+)\}/g, (all, name) => (name in fields ? String(fields[name]) : all));
}

function seat(number) {
  const found = page.seats[number - 1];
  return found ? { name: found[1], mark: found[2], colour: found[3] } : { name: `#${number}`, mark: "?", colour: "other" };
}

// The mark is for the eye, the name for whoever listens.
function pawn(number, n) {
  const who = seat(number);
  const times = n > 1 ? `×${n}` : "";
  return el("span", { class: "piece", title: who.name },
    el("span", { class: `pawn c-${who.colour}`, "aria-hidden": "true" }, who.mark), times,
    el("span", { class: "hidden" }, ` ${who.name} `));
}

function signed(n) {
  return `${n < 0 ? "−" : "+"}${Math.abs(n)}`;
}

// A number, and beside it what the move did to it.
// What stands before an amount that rests on a printed value which nobody has checked.
function sign(view, at, what) {
  return view.assumed.includes(`${at}-${what}`) ? "~" : "";
}

function number(now, before, unit = "") {
  const moved = before === undefined ? 0 : now - before;
  return [el("b", {}, `${unit}${now}`), moved ? el("span", { class: moved < 0 ? "delta down" : "delta up" }, signed(moved)) : null];
}

function stat(label, ...value) {
  return el("div", { class: "stat" }, el("dt", {}, label), el("dd", {}, ...value));
}

function owner(number, more) {
  const who = seat(number);
  return el("h3", {}, pawn(number), el("bdi", { "aria-hidden": "true" }, who.name), more);
}

function awaited(awaits) {
  return said(awaits.kind === "decision" ? "act" : awaits.kind, { name: awaits.seats.map((each) => seat(each).name).join(" · ") });
}

// --- the steps -------------------------------------------------------------------------------------

function laidOver(old, changed) {
  if (changed === undefined || changed === null) return old;
  if (Array.isArray(changed)) return changed[0];
  const copy = Array.isArray(old) ? old.slice() : { ...old };
  for (const key of Object.keys(changed)) copy[key] = laidOver(old[key], changed[key]);
  return copy;
}

function unfolded(steps, seen = null) {
  return steps.map((step) => ({ ...step, seen: (seen = laidOver(seen, step.delta)) }));
}

const histories = { standing: unfolded(page.standing), recorded: unfolded(page.recorded) };
// A variation begins with the step of the game that it goes on from.
for (const { id, base, steps } of page.variations) {
  const before = histories.standing.find((step) => step.id === base);
  histories[id] = [before, ...unfolded(steps, before.seen)];
}
const places = new Map();
for (const [history, steps] of Object.entries(histories)) {
  steps.forEach((step, at) => places.has(step.id) || places.set(step.id, [history, at]));
}
const slider = byId("slider");
let history_ = "standing";
let at = 0;
let playing = 0;
let naming = 0;

function amount(what, n) {
  if (Object.hasOwn(page.signs, what)) return `${n < 0 ? "−" : "+"}${page.signs[what]}${Math.abs(n)}`;
  const unit = Math.abs(n) === 1 && Object.hasOwn(page.names.one || {}, what) ? word("one", what) : word("resources", what);
  return `${signed(n)} ${unit}`;
}

function posting([who, what, n, why, rule, seen, assumed]) {
  return el("li", { class: n < 0 ? "down" : "up" }, pawn(who), el("b", {}, `${assumed ? "~" : ""}${amount(what, n)}`), ` ${word("causes", why)} `,
    el("span", { class: "rule" }, rule), seen ? el("i", {}, ` ${said("seen", {})}`) : null);
}

function isVariation() {
  return !Object.hasOwn(page, history_);
}

function tell(step, item) {
  const notes = [...item.children].slice(1).map((note) => note.cloneNode(true));
  for (const note of notes) note.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
  const sentence = item.querySelector("a > span:last-child").textContent;
  const count = said(isVariation() ? "variation" : "step", { n: at, of: histories[history_].length - 1 });
  byId("now").replaceChildren(
    el("p", { class: "count" }, count, isVariation() ? el("a", { href: `#${histories[history_][0].id}` }, said("back_to_game", {})) : null),
    el("p", { class: "sentence" }, item.querySelector(".pawn:not(.none)")?.cloneNode(true), sentence),
    step.moved.length ? el("ul", { class: "moved", "aria-label": said("changed", {}) }, ...step.moved.map(posting)) : "",
    ...notes);
  slider.setAttribute("aria-valuetext", `${count}: ${sentence}`);
}

function show(history, to) {
  const steps = histories[history];
  history_ = history;
  at = Math.max(0, Math.min(to, steps.length - 1));
  const step = steps[at];
  const item = byId(step.id);
  document.querySelectorAll("[aria-current=step]").forEach((old) => old.removeAttribute("aria-current"));
  item.setAttribute("aria-current", "step");
  tell(step, item);
  byId("board").replaceChildren(...draw(step.seen, at ? steps[at - 1].seen : step.seen));
  slider.max = steps.length - 1;
  slider.value = at;
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("last").disabled = byId("forward").disabled = at === steps.length - 1;
  showEnd(history === "standing" && at > 0 && at === steps.length - 1);
  const list = isVariation() ? "standing" : history;
  for (const name of ["standing", "recorded"]) if (byId(name)) byId(name).hidden = name !== list;
  document.querySelectorAll("input[name=history]").forEach((input) => { input.checked = input.value === list; });
  byId("link").setAttribute("href", `#${step.id}`);
  byId("link").textContent = said("link", {});
  mark();
  keepInView(item);
}

// After the last move: where the points came from, which stands further down, too.
function showEnd(is_end) {
  const parts = byId("parts");
  byId("end").replaceChildren(...(is_end ? [parts.querySelector("h2"), parts.querySelector(".wide")].map((part) => part.cloneNode(true)) : []));
}

// Where on the curve, and in which round.
function mark() {
  const cursor = byId("cursor");
  const x = `${(100 * at) / Math.max(1, histories.standing.length - 1)}%`;
  for (const end of ["x1", "x2"]) cursor?.setAttribute(end, x);
  cursor?.setAttribute("visibility", history_ === "standing" ? "visible" : "hidden");
  let current = null;
  document.querySelectorAll(".rounds a").forEach((link) => {
    link.removeAttribute("aria-current");
    if (history_ === "standing" && places.get(link.hash.slice(1))[1] <= at) current = link;
  });
  current?.setAttribute("aria-current", "true");
}

// The list scrolls, never the page: who steps looks at the board.
function keepInView(item) {
  const list = byId("moves");
  if (list.scrollHeight <= list.clientHeight + 1) return;
  const top = item.offsetTop;
  // at the top of the page the list ends below the window
  const seen = Math.max(120, Math.min(list.clientHeight, window.innerHeight - list.getBoundingClientRect().top));
  if (top < list.scrollTop + 60 || top + item.offsetHeight > list.scrollTop + seen - 20) {
    list.scrollTop = top - seen / 2;
  }
}

function go(to, history = history_) {
  stop();
  show(history, to);
  clearTimeout(naming);
  naming = setTimeout(nameAddress, 400);
}

// Once somebody rests: a browser that is asked at every step of a held key refuses.
function nameAddress() {
  try {
    window.history.replaceState(null, "", `#${histories[history_][at].id}`);
  } catch {
    // a page inside another may not change its address
  }
}

// `e12` is the event of that number, and so is `12`.
function placeOf(id) {
  return places.get(id) || places.get(`e${id}`);
}

function jump(id) {
  const place = placeOf(id);
  if (!place) return false;
  const [history, to] = place;
  go(to, history);
  const stage = byId("table").getBoundingClientRect();
  if (stage.top < 0 || stage.top > window.innerHeight / 2) byId("table").scrollIntoView();
  return true;
}

// The next place of these, counted as moves, or back the one before; behind the last one, the first.
function goToNearest(wanted, back) {
  const count = histories[history_].length;
  const away = (to) => (back ? at - to + count - 1 : to - at + count - 1) % count;
  if (wanted.length) go(wanted.reduce((best, to) => (away(to) < away(best) ? to : best)));
}

// The next move beside which something of this kind stands.
function goToNext(kind, back) {
  const has = (step) => byId(step.id).querySelector(`.${kind}`);
  goToNearest(histories[history_].flatMap((step, to) => (has(step) ? [to] : [])), back);
}

function goToRound(back) {
  const links = [...document.querySelectorAll(".rounds a")];
  if (history_ === "standing") goToNearest(links.map((link) => places.get(link.hash.slice(1))[1]), back);
}

function copyLink() {
  nameAddress();
  navigator.clipboard?.writeText(location.href).then(() => { byId("link").textContent = said("copied", {}); }, () => {});
}

// --- playing by itself -------------------------------------------------------------------------------

function stop() {
  if (!playing) return;
  clearTimeout(playing);
  playing = 0;
  face("play", "M7 4l13 8-13 8z", "polite");
}

function face(key, shape, live) {
  byId("play").setAttribute("aria-label", said(key, {}));
  byId("play").setAttribute("title", said(key, {}));
  byId("play-shape").setAttribute("d", shape);
  byId("now").setAttribute("aria-live", live);
}

function play() {
  if (playing) return stop();
  show(history_, at === histories[history_].length - 1 ? 0 : at + 1);
  face("pause", "M7 4h4v16H7zM14 4h4v16h-4z", "off");
  wait();
}

function wait() {
  clearTimeout(playing);
  playing = setTimeout(playOn, PAUSE / Number(byId("pace").value));
}

function playOn() {
  show(history_, at + 1);
  if (at === histories[history_].length - 1) stop();
  else wait();
}

function changePace(by) {
  const pace = byId("pace");
  pace.selectedIndex = Math.max(0, Math.min(pace.selectedIndex + by, pace.options.length - 1));
  if (playing) wait();
}

// --- what people do ----------------------------------------------------------------------------------

const STEPS = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => histories[history_].length - 1 };
const KINDS = { f: "finding", n: "remark" };
const KEYS = { p: play, " ": play, "+": () => changePace(1), "-": () => changePace(-1), "?": () => byId("keys").showModal() };
// A shorter way of a finger is none, in pixels.
const SWIPE = 40;
const BUTTONS = { first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End" };

for (const [id, key] of Object.entries(BUTTONS)) byId(id).addEventListener("click", () => go(STEPS[key]()));
byId("play").addEventListener("click", play);
byId("next-finding")?.addEventListener("click", () => goToNext("finding"));
byId("next-note")?.addEventListener("click", () => goToNext("remark"));
slider.addEventListener("input", () => go(Number(slider.value)));
document.querySelectorAll("input[name=history]").forEach((input) => {
  input.addEventListener("change", () => go(histories[input.value].length - 1, input.value));
});
document.addEventListener("keydown", (event) => {
  const taken = event.altKey || event.ctrlKey || event.metaKey || byId("keys").open;
  if (taken || event.target.closest("input, select, .wide")) return;
  // the space bar presses what has the focus
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  // a capital letter goes back
  const small = event.key.toLowerCase();
  if (event.key === "Escape" && isVariation()) return jump(histories[history_][0].id);
  if (small in KINDS) return goToNext(KINDS[small], small !== event.key);
  if (small === "r") return goToRound(small !== event.key);
  if (event.shiftKey && event.key in STEPS) return;
  if (!(event.key in STEPS || event.key in KEYS)) return;
  event.preventDefault();
  if (event.key in KEYS) KEYS[event.key]();
  else go(STEPS[event.key]());
});
byId("pace").addEventListener("change", () => changePace(0));
byId("show-keys").addEventListener("click", KEYS["?"]);
byId("hide-keys").addEventListener("click", () => byId("keys").close());
// A finger that is drawn over the table to the left goes on, to the right back.
let touched = null;
byId("table").addEventListener("touchstart", (event) => {
  const is_one = event.touches.length === 1 && !event.target.closest(".controls");
  touched = is_one ? [event.touches[0].clientX, event.touches[0].clientY] : null;
}, { passive: true });
byId("table").addEventListener("touchend", (event) => {
  if (!touched) return;
  const [x, y] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
  touched = null;
  if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? at + 1 : at - 1);
}, { passive: true });
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link === byId("link")) {
    event.preventDefault();
    return copyLink();
  }
  if (link && jump(link.hash.slice(1))) event.preventDefault();
});
window.addEventListener("hashchange", () => jump(location.hash.slice(1)));

// On paper: the final table.
let held = null;
window.addEventListener("beforeprint", () => {
  held = [history_, at];
  show("standing", histories.standing.length - 1);
});
window.addEventListener("afterprint", () => show(...held));

document.documentElement.classList.add("scripted");
byId("history").hidden = !histories.recorded.length;
if (byId("recorded-title")) byId("recorded-title").hidden = true;
face("play", "M7 4l13 8-13 8z", "polite");
const wanted = placeOf(location.hash.slice(1));
if (wanted) {
  show(...wanted);
  // the browser goes to the line in the list, and whoever follows a link wants the table
  window.addEventListener("load", () => setTimeout(() => byId("table").scrollIntoView()));
} else {
  show("standing", 0);
}
