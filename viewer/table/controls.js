// Buttons, switches, keys and speeds: what each does to the replay (`its`), and the help that lists the keys.

const SPEEDS = [2000, 1200, 700, 400, 180];
const BUTTONS = [
  ["previous_hand", N_("previous hand ([)"), "M5 5v14 M20 5l-7 7 7 7z M13 5l-7 7 7 7z", (its) => its.hand(-1)],
  ["previous_mark", N_("previous claim or win (p)"), "M20 5l-7 7 7 7z M12 5l-7 7 7 7z", (its) => its.mark(-1)],
  ["back", N_("back (←)"), "M16 5l-9 7 9 7z", (its) => its.step(-1)],
  ["play", N_("play (Space)"), "M7 4l12 8-12 8z", (its) => its.play()],
  ["forward", N_("forward (→)"), "M8 5l9 7-9 7z", (its) => its.step(1)],
  ["next_mark", N_("next claim or win (n)"), "M4 5l7 7-7 7z M12 5l7 7-7 7z", (its) => its.mark(1)],
  ["next_hand", N_("next hand (])"), "M4 5l7 7-7 7z M11 5l7 7-7 7z M19 5v14", (its) => its.hand(1)],
];
const PAUSE = "M7 5h3v14H7z M14 5h3v14h-3z";
const SOLID = new Set(BUTTONS.map(([key]) => key));
const SWITCHES = [
  ["view_seat", N_("turn the table (v)"), "M19 12a7 7 0 1 1-2-4.9 M18 3v4.6h-4.6", (its) => its.turn()],
  ["hide_hands", N_("hide the other hands (h)"), "M3 12c4-6 14-6 18 0-4 6-14 6-18 0z M12 9.4v5.2 M9.4 12h5.2", (its) => its.toggle("hide")],
  ["index", N_("corner index (i)"), "M5 4h14v16H5z M8 7.5l2-1v5.5", (its) => its.toggle("index")],
  ["wall", N_("wall (w)"), "M3 8h18v8H3z M9 8v8 M15 8v8", (its) => its.toggle("wall")],
  ["four_colours", N_("four colours (k)"), "M12 4c4 4 7 6 7 9a3 3 0 0 1-6 1l1 6h-4l1-6a3 3 0 0 1-6-1c0-3 3-5 7-9z", (its) => its.toggle("colours")],
  ["copy_link", N_("copy link (b)"), "M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1.4 1.4 M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1.4-1.4", (its) => its.copy()],
  ["help", N_("keys (?)"), "M9 9a3 3 0 1 1 4.4 2.7c-1 .6-1.4 1.1-1.4 2.3 M12 17.4v.6", (its) => its.help()],
];
// What the reader may do at the event shown; the page says which (`acts`), and its dialog does it.
const ACTS = [
  ["dispute", N_("open a case at this event (d)"), "M6 21V4 M6 5h12l-3 4 3 4H6", (its) => its.act("dispute")],
  ["note", N_("note on this event (m)"), "M5 19l1-4L16 5l3 3L9 18z M14 7l3 3", (its) => its.act("note")],
];
const PRESSED = { index: "index", wall: "wall", four_colours: "colours" };
const KEYS = {
  ArrowLeft: (its, event) => (event.shiftKey ? its.decision(-1) : its.step(-1)),
  ArrowRight: (its, event) => (event.shiftKey ? its.decision(1) : its.step(1, event.repeat)),
  PageUp: (its) => its.decision(-1),
  PageDown: (its) => its.decision(1),
  Home: (its) => its.edge(-1),
  End: (its) => its.edge(1),
  "[": (its) => its.hand(-1),
  "]": (its) => its.hand(1),
  n: (its) => its.mark(1),
  p: (its) => its.mark(-1),
  f: (its) => its.finding(),
  " ": (its) => its.play(),
  "+": (its) => its.faster(1),
  "=": (its) => its.faster(1),
  "-": (its) => its.faster(-1),
  v: (its) => its.turn(),
  h: (its) => its.toggle("hide"),
  i: (its) => its.toggle("index"),
  w: (its) => its.toggle("wall"),
  k: (its) => its.toggle("colours"),
  y: (its) => its.toggle("why"),
  g: (its) => its.parts.number.select(),
  b: (its) => its.copy(),
  s: (its) => its.settlement(),
  d: (its) => its.act("dispute"),
  m: (its) => its.act("note"),
  "?": (its) => its.help(),
};

const HELP = [
  ["← →", N_("one event back, forward")],
  ["Home End", N_("start, end of the hand; again: the neighbouring hand")],
  ["[ ]", N_("previous, next hand")],
  ["n p", N_("next, previous claim or win")],
  ["f", N_("next finding")],
  ["Space", N_("play, pause")],
  ["+ −", N_("faster, slower")],
  ["v  1-4", N_("turn the table; a seat directly")],
  ["s", N_("show, put away the settlement")],
  ["h", N_("hide the other hands")],
  ["i", N_("corner index on the tiles")],
  ["g", N_("go to an event number")],
  ["b", N_("copy the link to this step")],
  ["?", N_("this list")],
  ["Shift+← Shift+→", N_("previous, next choice of the seat below (also PgUp, PgDn)")],
  ["w", N_("the wall: both ends, break, dead wall, dice")],
  ["k", N_("four colours of card suits")],
  ["y", N_("show, hide why")],
  ["d m", N_("open a case, take a note (where your role may)")],
];

function icon(path, solid) {
  return svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", class: solid ? "icon solid" : "icon" }, [svg("path", { d: path })]);
}
