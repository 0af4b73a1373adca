// The table of one frame as SVG. A pure function from a view model to elements: no state, no rule, no network.
// A seat is drawn once, as if it sat below, and turned to its side; tiles are symbols of tiles.svg.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 1180;
const HIGH = 720;
const BOX = { x: 136, y: 76 }; // half the middle box
const SIDES = [
  { turn: 0, depth: HIGH / 2, from: BOX.y, tile: 50 },
  { turn: -90, depth: WIDE / 2, from: BOX.x, tile: 40 },
  { turn: 180, depth: HIGH / 2, from: BOX.y, tile: 40 },
  { turn: 90, depth: WIDE / 2, from: BOX.x, tile: 40 },
];
const LOCK = "M2 8h12v9H2z M4.5 8V5a3.5 3.5 0 0 1 7 0v3"; // a claim that was declined forbids something
const RIVER = { tile: 36, row: 6, rows: 4 };

// Where n seats sit, from the one below against the clock: side, and how far along it.
function slots(count) {
  const plain = { 2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3] }[count];
  if (plain) return plain.map((side) => ({ side, along: 0 }));
  const beside = count > 6 ? 2 : 1;
  const above = Math.max(1, count - 1 - 2 * beside);
  const spread = (side, many, step) =>
    Array.from({ length: many }, (_, at) => ({ side, along: (at - (many - 1) / 2) * step }));
  return [
    { side: 0, along: 0 },
    ...spread(1, beside, 300),
    ...spread(2, above, Math.min(340, 1120 / above)),
    ...spread(3, beside, 300),
  ].slice(0, count);
}

function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  for (const child of [].concat(children)) if (child) element.append(child);
  return element;
}

function text(words, attributes) {
  const element = svg("text", attributes);
  element.textContent = words; // never markup: players choose their names
  return element;
}

function hasIndex(code) {
  return /^([1-9][mps]|[ESWNCFP]|f[1-8])$/.test(code);
}

function tileAt(code, x, y, width, options) {
  const height = (width * 4) / 3;
  const size = { width, height };
  const red = /^0[mps]$/.test(code); // a red five of riichi: the five with a red edge and dot
  const face = red ? `5${code[1]}` : code;
  const parts = [svg("use", { href: `#t-${face}`, ...size })];
  if (options.index && hasIndex(face)) parts.push(svg("use", { href: `#i-${face}`, ...size }));
  if (red) {
    parts.push(svg("rect", { x: 1.5, y: 1.5, width: width - 3, height: height - 3, rx: 5, class: "red-five" }));
    parts.push(svg("circle", { cx: width * 0.84, cy: height * 0.9, r: width * 0.09, class: "red-dot" }));
  }
  if (options.frame) {
    const edge = { x: -1.5, y: -1.5, width: width + 3, height: height + 3, rx: 7 };
    parts.push(svg("rect", { ...edge, class: `edge ${options.frame}` }));
  }
  if (options.wild && face === options.wild) {
    parts.push(svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 5, class: "wildedge" }));
    parts.push(svg("path", { d: `M${width} 0 h${-width * 0.42} L${width} ${width * 0.42} Z`, class: "wildcorner" }));
  }
  const side = options.side ? ` translate(0 ${width}) rotate(-90)` : "";
  return svg("g", { transform: `translate(${x} ${y})${side}`, class: options.dim ? "dim" : "" }, parts);
}

// What stands in a seat's row, left to right: gap before, code, and how it lies.
function rowOf(seat, look) {
  const items = seat.hand.map((code) => ({ code: look.hidden ? "back" : code, gap: 0 }));
  if (seat.drawn) {
    const lit = look.last && look.last.what === "draw" ? "fresh" : "";
    items.push({ code: look.hidden ? "back" : seat.drawn, gap: 0.35, frame: look.win ? "won" : lit });
  }
  if (seat.win) items.push({ code: seat.win, gap: 0.35, frame: "won" });
  for (const meld of seat.melds) {
    const fresh = look.last && look.last.what === "meld" && meld === seat.melds[look.freshMeld] ? "fresh" : "";
    meld.tiles.forEach((code, at) => {
      const down = meld.kind === "concealed_kong" && (meld.closed && look.foreign ? true : at === 0 || at === 3);
      const item = { code: down ? "back" : code, gap: at === 0 ? 0.4 : 0, frame: fresh };
      if (meld.kind === "added_kong" && at === 3) item.on = meld.claimed;
      else if (at === meld.claimed) item.side = true;
      items.push(item);
    });
  }
  return items;
}

function drawRow(items, side) {
  let width = side.tile;
  const measure = (w) =>
    items.reduce((sum, item) => sum + (item.on === undefined ? item.gap * w + (item.side ? (w * 4) / 3 : w) : 0), 0);
  const room = (side.turn % 180 === 0 ? WIDE : HIGH) - 40;
  if (measure(width) > room) width *= room / measure(width);
  const height = (width * 4) / 3;
  const base = side.depth - 12 - height;
  let x = -measure(width) / 2;
  const group = svg("g");
  let sideways = [];
  for (const item of items) {
    if (item.gap > 0 && item.on === undefined) sideways = [];
    if (item.on !== undefined) {
      group.append(tileAt(item.code, sideways[0], base + height - 2 * width, width, { ...item, side: true }));
      continue;
    }
    x += item.gap * width;
    if (item.side) sideways.push(x);
    group.append(tileAt(item.code, x, base + (item.side ? height - width : 0), width, item));
    x += item.side ? height : width;
  }
  return group;
}

function drawRiver(seat, side, look) {
  const group = svg("g");
  const width = look.cards ? 46 : RIVER.tile;
  const height = (width * 4) / 3;
  seat.discards.forEach((discard, at) => {
    const row = Math.min(Math.floor(at / RIVER.row), RIVER.rows - 1);
    const column = at - row * RIVER.row;
    const x = (column - RIVER.row / 2) * width;
    const y = side.from + 8 + row * (height + 1);
    const newest = at === seat.discards.length - 1 && look.last && look.last.what === "discard";
    const frame = discard.won ? "won" : newest ? "fresh" : "";
    const taken = discard.taken !== undefined;
    group.append(tileAt(discard.tile, seat.discards.length === 1 && look.cards ? -width / 2 : x, y, width, { dim: taken, frame: frame || (taken ? "taken" : ""), index: look.index, wild: look.wildKind }));
    if (discard.drawn) group.append(svg("circle", { cx: x + width / 2, cy: y + height - 1.5, r: 3.4, class: "asdrawn" }));
  });
  return group;
}

function drawPlate(frame, number, side, look) {
  const seat = frame.seats[number];
  const width = look.cards ? 206 : 236;
  const under = side.depth - 12 - (side.tile * 4) / 3 - 40;
  const beside = side.turn % 180 === 0 ? -width - 128 : -width / 2 - 120;
  const x = look.cards ? -width / 2 : beside;
  const acting = frame.turn === number || look.asked.has(number);
  const upright = side.turn === 180 ? `rotate(180 ${width / 2} 15)` : "";
  const wind = look.words.winds[seat.wind] ?? { en: String(number), zh: String(number) };
  const score = look.speech.signed(frame.scores[number] ?? 0);
  const parts = [
    svg("rect", { width, height: 30, rx: 15, class: acting ? "plate acting" : "plate" }),
    svg("circle", { cx: 15, cy: 15, r: 12, class: frame.dealer === number ? "wind dealer" : "wind" }),
    text(look.lang === "zh" ? wind.zh : seat.wind || String(number), { x: 15, y: 20.5, class: "windname" }),
    text(shorten(frame.players[number] ?? "?", 17), { x: 34, y: 20.5, class: "player" }),
    text(score, { x: width - 14, y: 20.5, class: "score" }),
  ];
  if (seat.note) parts.push(text(shorten(seat.note[look.lang], 26), { x: 20, y: side.turn === 180 ? 45 : -7, class: "note" }));
  if (seat.locks) parts.push(svg("path", { d: LOCK, transform: `translate(${width - 64} 6)`, class: "lock" }));
  if (acting) parts.push(svg("path", { d: `M${width + 6} 7 L${width + 19} 15 L${width + 6} 23 Z`, class: "arrow" }));
  const inner = svg("g", { transform: upright }, parts);
  return svg("g", { transform: `translate(${x} ${under})` }, [inner]);
}

function drawFlowers(seat, side, look) {
  const width = 27;
  const y = side.depth - 12 - (side.tile * 4) / 3 - 41;
  const x = side.turn % 180 === 0 ? 128 : 60;
  return svg("g", {}, seat.flowers.map((code, at) => tileAt(code, x + at * (width + 1), y, width, { index: look.index })));
}

function drawCall(words, side) {
  const width = 40 + 17 * [...words].reduce((sum, each) => sum + (each.charCodeAt(0) > 255 ? 1.15 : 0.62), 0);
  const room = side.turn % 180 === 0 ? 21 : width / 2; // the words stay upright, so at the sides they lie across
  const y = side.depth - 12 - (side.tile * 4) / 3 - 56 - room;
  const parts = [
    svg("rect", { x: -width / 2, y: -21, width, height: 42, rx: 21, class: "call" }),
    text(words, { x: 0, y: 8.5, class: "callword" }),
  ];
  return svg("g", { transform: `translate(0 ${y}) rotate(${-side.turn})` }, parts);
}

function drawMiddle(frame, look) {
  const { gettext } = look.speech;
  const group = svg("g", {}, [
    svg("rect", { x: -BOX.x, y: -BOX.y, width: 2 * BOX.x, height: 2 * BOX.y, rx: 14, class: "middle" }),
  ]);
  const round = frame.round_wind ? look.words.winds[frame.round_wind] : null;
  const hand = gettext("Hand {number}", { number: String(frame.hand) });
  const title = round ? `${gettext("{wind} round", { wind: round[look.lang] })} · ${hand}` : hand;
  group.append(text(title, { x: 0, y: look.cards ? -6 : -29, class: "title" }));
  const note = frame.note ? frame.note[look.lang] : "";
  if (look.cards) {
    group.append(text(note, { x: 0, y: 22, class: "leftlabel" }));
    return group;
  }
  group.append(text(String(frame.left), { x: 0, y: 16, class: "left" }));
  const left = look.speech.ngettext("tile left", "tiles left", frame.left);
  group.append(text(note ? `${left} · ${note}` : left, { x: 0, y: 35, class: "leftlabel" }));
  look.places.forEach((place, number) => {
    const side = SIDES[place.side];
    const wind = frame.winds[number];
    if (!wind) return;
    const acting = frame.turn === number;
    const at = svg("g", { transform: `rotate(${side.turn}) translate(0 ${side.from - 12})` });
    at.append(svg("path", { d: acting ? "M-16 2 L16 2 L0 10 Z" : "M-30 5 L30 5", class: acting ? "turn" : "noturn" }));
    const letter = look.lang === "zh" ? look.words.winds[wind].zh : wind;
    const word = text(letter, { x: 0, y: 4, class: acting ? "edge-wind acting" : "edge-wind" });
    at.append(svg("g", { transform: `translate(0 ${side.turn % 180 === 0 ? -8 : -11}) rotate(${-side.turn})` }, [word]));
    group.append(at);
  });
  return group;
}

function shorten(words, most) {
  const all = [...words];
  return all.length > most ? `${all.slice(0, most - 1).join("")}…` : words;
}

// What the event calls out, as a bubble at its seat.
function callOf(frame, words, lang) {
  const last = frame.last;
  if (!last || !frame.winds.length) return "";
  const both = (term) => (term ? (lang === "zh" ? term.zh : `${term.zh} ${term.en}`) : "");
  if (frame.type === "answered") return both(words.answers[last.what]);
  if (frame.type === "won" || frame.type === "declared") return both(words.answers.win);
  const meld = frame.type === "melded" || frame.type === "konged" ? frame.seats[last.seat]?.melds : null;
  if (!meld) return "";
  return meld.length ? both(words.melds[freshMeld(frame) >= 0 ? meld[freshMeld(frame)].kind : meld.at(-1).kind]) : "";
}

function freshMeld(frame) {
  const melds = frame.seats[frame.last?.seat]?.melds ?? [];
  const tile = frame.last?.tile;
  for (let at = melds.length - 1; at >= 0; at -= 1) if (melds[at].tiles.includes(tile)) return at;
  return melds.length - 1;
}

// Draw a frame. `look`: words, lang, seat (who sits below), hide, index.
function drawTable(frame, look) {
  const count = frame.seats.length || frame.players.length;
  const order = slots(count);
  const places = Array.from({ length: count }, (_, number) => order[(number - look.seat + count) % count]);
  const open = (frame.window?.asked ?? []).filter((each) => each.answer === undefined);
  const cards = frame.seats.length > 0 && !frame.winds.length;
  const whole = { ...look, places, cards, asked: new Set(open.map((each) => each.seat)) };
  const middle = svg("g", { transform: `translate(${WIDE / 2} ${HIGH / 2})` });
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", class: "felt" });
  if (!frame.seats.length) {
    middle.append(text(look.speech.gettext("Opening"), { class: "title", y: -8 }));
    frame.players.forEach((player, at) => middle.append(text(shorten(player, 40), { class: "player centred", y: 26 + at * 26 })));
  } else {
    middle.append(drawMiddle(frame, whole));
  }
  frame.seats.forEach((seat, number) => {
    const side = SIDES[places[number].side];
    const last = frame.last && frame.last.seat === number ? frame.last : null;
    const foreign = number !== look.seat && look.hide;
    const here = { ...whole, wildKind: frame.wild, last, foreign, hidden: foreign, win: frame.mark === "win", freshMeld: last ? freshMeld(frame) : -1 };
    const items = rowOf(seat, here).map((item) => ({ ...item, index: look.index, wild: frame.wild }));
    const call = last ? callOf(frame, look.words, look.lang) : "";
    middle.append(
      svg("g", { transform: `rotate(${side.turn}) translate(${places[number].along} 0)` }, [
        drawRow(items, side),
        drawRiver(seat, side, here),
        drawPlate(frame, number, side, whole),
        drawFlowers(seat, side, whole),
        call ? drawCall(call, side) : null,
      ]),
    );
  });
  picture.append(middle);
  return picture;
}
